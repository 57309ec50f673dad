import { guardNames } from '@reprise/config';
import { clopperPearson } from '@reprise/policy';
import { type ChatTally, hits } from '../runner/chat-tally.js';
import { formatValue } from './format.js';
import type { Chart, Report, Table, Value } from './report.types.js';

/** A replay of the budget mode that learned from the truths of the trace; without a capacity nothing was evicted. */
export interface BudgetRun {
  readonly budget: number;
  readonly capacity: number | undefined;
  readonly tally: ChatTally;
}

/** What the page says about a trace, from the replays of it. */
export interface TraceFindings {
  readonly name: string;
  readonly configured: { readonly eviction: string; readonly capacity: number; readonly minCosine: number };
  readonly replayed: number;
  /** The trace goes on after the last replayed exchange. */
  readonly more: boolean;
  readonly labelled: number;
  /** What the truth of a labelled exchange means. */
  readonly label: string | undefined;
  /** Why equal meaning was not looked for; absent: it was. */
  readonly noSemantic: string | undefined;
  readonly skipped: ReadonlyMap<string, number>;
  readonly exact: ChatTally;
  readonly unlimited: ChatTally;
  readonly configuredRun: ChatTally;
  /** By capacity, in rising order. */
  readonly capacities: readonly (readonly [number, ChatTally])[];
  readonly budgets: readonly BudgetRun[];
}

/** A capacity is enough when it keeps this share of what an unlimited cache saves. */
const enough = 0.95;

/** Checks of the same kind that cannot be switched off. */
const fixedChecks = ['unaligned', 'length', 'language', 'no-content'];

/** Whether a reason is a guard’s: it had a candidate before it that was similar enough. */
const isGuard = (reason: string): boolean => [...guardNames, ...fixedChecks].some((name) => name === reason);

const percent = (part: number, whole: number): string => formatValue(whole === 0 ? 0 : part / whole, 'share');
const count = (value: number): string => formatValue(value, 'count');
const usd = (microUsd: number): string => formatValue(microUsd / 1e6, 'usd');

/** The smallest capacity that is enough, or the largest that was tried. */
export function chosenCapacity({ capacities, unlimited }: TraceFindings): number | undefined {
  const wanted = enough * hits(unlimited);
  return (capacities.find(([, tally]) => hits(tally) >= wanted) ?? capacities.at(-1))?.[0];
}

function savedSentence({ configured, configuredRun: run }: TraceFindings): string {
  const money =
    run.microUsd === 0
      ? 'no price is known for its models'
      : `${usd(run.microUsdSaved)} of ${usd(run.microUsd)}${run.unpriced > 0 ? ` (${count(run.unpriced)} exchanges have no price)` : ''}`;
  const how = run.estimated > 0 ? `, ${count(run.estimated)} of them estimated from the length of the texts` : '';
  return `As configured (${configured.eviction}, ${count(configured.capacity)} entries): ${percent(hits(run), run.requests)} of ${count(run.requests)} requests served from the cache, ${count(run.exact)} equal and ${count(run.semantic)} of equal meaning. Saved: ${count(run.tokensSaved)} of ${count(run.tokens)} tokens${how}; ${money}.`;
}

function wrongSentences({ configuredRun, labelled, label, configured }: TraceFindings): string[] {
  const { exact, semantic } = configuredRun.judged;
  const [known, wrong] = [exact.known + semantic.known, exact.wrong + semantic.wrong];
  if (labelled === 0 || known === 0) {
    const refused = [...configuredRun.reasons].reduce((sum, [word, number]) => sum + (isGuard(word) ? number : 0), 0);
    return [
      `How often a reuse would have been wrong cannot be known from this trace: ${labelled === 0 ? 'it has no labels and no reference answers' : 'no reuse had labels on both sides'}.`,
      `What can be said: every reuse of equal meaning has passed all guards at a cosine of at least ${configured.minCosine}; in ${count(refused)} requests a guard refused one that was as similar.`,
    ];
  }
  const { low, high } = clopperPearson(wrong, known);
  const range = `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`;
  return [
    `Wrong: ${count(wrong)} of ${count(known)} reuses with known truth, ${percent(wrong, known)} (95 % interval ${range}); among equal requests ${count(exact.wrong)} of ${count(exact.known)}, among those of equal meaning ${count(semantic.wrong)} of ${count(semantic.known)}.`,
    ...(label === undefined ? [] : [`A reuse counts as right when ${label.replace(/^[^:]*: /, '')}.`]),
  ];
}

function capacitySentence(findings: TraceFindings): string {
  const chosen = chosenCapacity(findings);
  if (hits(findings.unlimited) === 0) return 'No capacity would help: nothing in this trace could be reused.';
  const run = findings.capacities.find(([capacity]) => capacity === chosen)?.[1];
  if (chosen === undefined || run === undefined) return '';
  const share = percent(hits(run), hits(findings.unlimited));
  return hits(run) >= enough * hits(findings.unlimited)
    ? `Capacity: ${count(chosen)} entries keep ${share} of what an unlimited cache would have reused; more would hardly help on a trace of this length.`
    : `Capacity: even ${count(chosen)} entries keep only ${share} of what an unlimited cache would have reused; try larger ones with --capacities.`;
}

function comparison({ exact, configuredRun, unlimited, configured }: TraceFindings): Table {
  const row = (name: string, run: ChatTally): Value[] => {
    const { exact: equal, semantic } = run.judged;
    const known = equal.known + semantic.known;
    return [
      name,
      run.requests === 0 ? 0 : hits(run) / run.requests,
      run.exact,
      run.semantic,
      run.tokensSaved,
      run.microUsd === 0 ? undefined : run.microUsdSaved / 1e6,
      known === 0 ? undefined : equal.wrong + semantic.wrong,
      known === 0 ? undefined : known,
    ];
  };
  return {
    title: 'What would have been saved',
    columns: [
      { name: 'cache', format: 'text' },
      { name: 'served', format: 'share' },
      { name: 'equal', format: 'count' },
      { name: 'equal meaning', format: 'count' },
      { name: 'tokens saved', format: 'count' },
      { name: 'saved', format: 'usd' },
      { name: 'wrong', format: 'count' },
      { name: 'of known', format: 'count' },
    ],
    rows: [
      ['bound: no cache', 0, 0, 0, 0, configuredRun.microUsd === 0 ? undefined : 0, undefined, undefined],
      row('bound: equal requests only', exact),
      row(`as configured, K = ${count(configured.capacity)}`, configuredRun),
      row('bound: unlimited', unlimited),
    ],
    notes: ['The clairvoyant bound of each capacity is in the table of policies.'],
  };
}

function capacityTable({ capacities, unlimited }: TraceFindings): Table {
  return {
    title: 'Capacity, with the configured policy',
    columns: [
      { name: 'entries', format: 'count' },
      { name: 'served', format: 'share' },
      { name: 'of unlimited', format: 'share' },
      { name: 'tokens saved', format: 'count' },
      { name: 'evicted', format: 'count' },
    ],
    rows: capacities.map(([capacity, run]) => [
      capacity,
      hits(run) / run.requests,
      hits(unlimited) === 0 ? undefined : hits(run) / hits(unlimited),
      run.tokensSaved,
      run.evicted,
    ]),
    notes: [],
  };
}

const wrongOf = ({ judged: { exact, semantic } }: ChatTally) => ({
  known: exact.known + semantic.known,
  wrong: exact.wrong + semantic.wrong,
});

/** The budget whose replay stayed within it and served most; undefined: none did. */
export function chosenBudget(budgets: readonly BudgetRun[]): BudgetRun | undefined {
  const kept = budgets.filter(({ budget, capacity, tally }) => {
    const { semantic } = tally.judged;
    return capacity === undefined && semantic.wrong <= budget * semantic.known;
  });
  return kept.reduce<BudgetRun | undefined>(
    (most, run) => (most && hits(most.tally) >= hits(run.tally) ? most : run),
    undefined,
  );
}

function budgetSentence({ budgets }: TraceFindings): string {
  if (budgets.length === 0) return '';
  const chosen = chosenBudget(budgets);
  if (chosen === undefined) return 'No error budget that was tried was kept by its replay of the budget mode.';
  const { known, wrong } = wrongOf(chosen.tally);
  return `In budget mode, learning from this trace: an error budget of ${percent(chosen.budget, 1)} serves ${percent(hits(chosen.tally), chosen.tally.requests)} of the requests, ${count(wrong)} of ${count(known)} known ones wrong, and saves ${count(chosen.tally.tokensSaved)} tokens.`;
}

function budgetTable({ budgets }: TraceFindings): Table[] {
  if (budgets.length === 0) return [];
  return [
    {
      title: 'Error budget and capacity, in budget mode',
      columns: [
        { name: 'budget', format: 'share' },
        { name: 'entries', format: 'text' },
        { name: 'served', format: 'share' },
        { name: 'equal', format: 'count' },
        { name: 'equal meaning', format: 'count' },
        { name: 'of these wrong', format: 'share' },
        { name: 'tokens saved', format: 'count' },
      ],
      rows: budgets.map(({ budget, capacity, tally }) => [
        budget,
        capacity === undefined ? 'unlimited' : count(capacity),
        hits(tally) / tally.requests,
        tally.exact,
        tally.semantic,
        tally.judged.semantic.known === 0 ? undefined : tally.judged.semantic.wrong / tally.judged.semantic.known,
        tally.tokensSaved,
      ]),
      notes: [
        'The judge is the trace: labels or reference answers. The first model needs 300 labels, and it is safe on new traffic only as far as the trace is like it.',
      ],
    },
  ];
}

function reasonTable({ configuredRun: { reasons, requests } }: TraceFindings): Table {
  return {
    title: 'Why the rest was not served',
    columns: [
      { name: 'reason', format: 'text' },
      { name: 'requests', format: 'count' },
      { name: 'of all', format: 'share' },
      { name: 'by', format: 'text' },
    ],
    rows: [...reasons]
      .sort(([, a], [, b]) => b - a)
      .map(([reason, number]) => [reason, number, number / requests, isGuard(reason) ? 'guard' : '']),
    notes: [
      'guard: a stored question was similar enough, and the guard of that name found what tells the two apart. docs/reference/reasons.md explains each word.',
    ],
  };
}

function capacityChart({ capacities, exact, unlimited }: TraceFindings): Chart {
  const share = (run: ChatTally): number => (100 * hits(run)) / run.requests;
  const flat = (run: ChatTally): number[] => capacities.map(() => share(run));
  return {
    title: 'Served share by capacity',
    kind: 'line',
    xLabel: 'capacity (entries)',
    yLabel: '% of requests',
    x: capacities.map(([capacity]) => capacity),
    series: [
      { name: 'configured policy', values: capacities.map(([, run]) => share(run)) },
      { name: 'bound: equal requests only', values: flat(exact), bound: true },
      { name: 'bound: unlimited', values: flat(unlimited), bound: true },
    ],
  };
}

/** The page about a trace; tables of policies are added by the caller. */
export function traceReport(findings: TraceFindings): Omit<Report, 'provenance'> {
  const { skipped, more, replayed, noSemantic } = findings;
  const left = [...skipped].map(([reason, number]) => `${count(number)} × ${reason}`).join(', ');
  return {
    title: `What a cache would have done on ${findings.name}`,
    summary: [
      savedSentence(findings),
      ...wrongSentences(findings),
      capacitySentence(findings),
      budgetSentence(findings),
      ...(noSemantic === undefined ? [] : [`Only equal requests were looked for: ${noSemantic}.`]),
      ...(more ? [`Only the first ${count(replayed)} exchanges were replayed (--limit).`] : []),
      ...(left === '' ? [] : [`Lines left out: ${left}.`]),
    ].filter((line) => line !== ''),
    tables: [comparison(findings), capacityTable(findings), ...budgetTable(findings), reasonTable(findings)],
    charts: [capacityChart(findings)],
  };
}
