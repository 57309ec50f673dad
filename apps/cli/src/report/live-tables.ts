import type { BudgetOutlook, LiveReport, MeasuredShare } from '@reprise/semantic-cache';
import type { Chart, Report, Table } from '@reprise/simulator';

const percent = (share: number | undefined): string => (share === undefined ? '–' : `${(100 * share).toFixed(2)} %`);
const interval = ({ low, high }: { low: number; high: number }): string => `${percent(low)} – ${percent(high)}`;
const text = (name: string) => ({ name, format: 'text' as const });
const count = (name: string) => ({ name, format: 'count' as const });

/** A live report as sentences, tables and charts. */
export function tablesOf(live: LiveReport, provenance: Report['provenance']): Report {
  return {
    title: `Reprise: what the cache does for ${live.namespace}`,
    summary: summaryOf(live),
    tables: [
      hitsTable(live),
      judgedTable(live),
      gateTable(live),
      moneyTable(live),
      outlookTable(live),
      ...ghosts(live),
    ],
    charts: chartsOf(live),
    provenance,
  };
}

function summaryOf({ hits, falseHits, budget, gate, money }: LiveReport): string[] {
  const all = hits.exact + hits.semantic + hits.missed;
  const kept =
    falseHits.judged === 0
      ? 'no served reuse has been judged yet'
      : `${percent(falseHits.share)} of the served reuses are wrong (95 % interval ${interval(falseHits.clopperPearson)}), the budget is ${percent(budget)}`;
  return [
    `${hits.exact + hits.semantic} of ${all} requests were answered from the cache, ${hits.semantic} of them by similarity; ${kept}.`,
    stateOf(gate),
    `Saved $${money.saved.toFixed(4)}; judging has cost $${money.judged.toFixed(4)} of at most $${money.cap.toFixed(4)}.`,
  ];
}

function stateOf({ labels, threshold, bound, breakerOpen, coldStartClosed }: LiveReport['gate']): string {
  const cold = coldStartClosed ? 'the cold-start rule is closed' : 'the cold-start rule may serve';
  if (breakerOpen) return `The breaker is open: nothing is served by similarity (${labels} labels).`;
  if (threshold === undefined) return `The gate is shut, ${cold} (${labels} labels).`;
  return `The gate is open: risk up to ${threshold.toFixed(4)} is served, of which at most ${percent(bound)} are wrong (${labels} labels).`;
}

function hitsTable({ hits }: LiveReport): Table {
  const all = hits.exact + hits.semantic + hits.missed;
  const row = (name: string, value: number) => [name, value, all === 0 ? undefined : value / all];
  return {
    title: 'Requests',
    columns: [text('answered'), count('requests'), { name: 'share', format: 'share' }],
    rows: [row('equal request', hits.exact), row('by similarity', hits.semantic), row('upstream', hits.missed)],
    notes: ['Coalesced and bypassed requests are counted by the gateways (/metrics).'],
  };
}

function judgedTable({ falseHits, byRule, withheld, budget }: LiveReport): Table {
  const row = (name: string, share: MeasuredShare) => [
    name,
    share.judged,
    share.wrong,
    percent(share.share),
    share.judged === 0 ? '–' : interval(share.wilson),
    share.judged === 0 ? '–' : interval(share.clopperPearson),
  ];
  return {
    title: 'Judged reuses',
    columns: [
      text('reuses'),
      count('judged'),
      count('wrong'),
      text('wrong share'),
      text('Wilson'),
      text('Clopper–Pearson'),
    ],
    rows: [
      row('served', falseHits),
      row('– by the learned rule', byRule.budget),
      row('– by the cold-start rule', byRule['cold-start']),
      ...(byRule.comparison.judged > 0 ? [row('– by a comparison policy', byRule.comparison)] : []),
      row('not served', withheld),
    ],
    notes: [
      `The budget is ${percent(budget)}. Each label counts by the inverse of the probability with which it was drawn; intervals are for effective sample sizes.`,
      'Labels are those that the stream still keeps, about the newest 20,000.',
    ],
  };
}

function gateTable({ gate, labels, confidence }: LiveReport): Table {
  const judges = Object.entries(labels.byJudge).map(([name, value]) => `${name} ${value}`);
  return {
    title: 'Gate and labels',
    columns: [text('what'), text('value')],
    rows: [
      ['snapshot', String(gate.version)],
      ['labels learned from', String(gate.labels)],
      ['threshold', gate.threshold === undefined ? 'none' : gate.threshold.toFixed(4)],
      [`bound (${percent(confidence)})`, percent(gate.bound)],
      ['breaker', gate.breakerOpen ? 'open' : 'closed'],
      ['cold-start rule', gate.coldStartClosed ? 'closed' : 'in force'],
      ['labels kept', String(labels.kept)],
      ['verdicts missing', String(labels.missing)],
      ['judged by', judges.length === 0 ? 'nobody yet' : judges.join(', ')],
    ],
    notes: [],
  };
}

function moneyTable({ money }: LiveReport): Table {
  return {
    title: 'Money',
    columns: [text('what'), { name: 'US dollars', format: 'usd' }],
    rows: [
      ['saved by served answers', money.saved],
      ['judging', money.judged],
      ['net', money.net],
      ['most that judging may cost so far', money.cap],
    ],
    notes: ['Embedding runs inside the gateways and is not priced.'],
  };
}

function outlookTable({ outlook }: LiveReport): Table {
  return {
    title: 'What another error budget would have served',
    columns: [
      text('budget'),
      text('threshold'),
      { name: 'of the candidates', format: 'share' },
      text('wrong'),
      text('Clopper–Pearson'),
    ],
    rows: outlook.map(({ budget, threshold, servedShare, falseHits }: BudgetOutlook) => [
      percent(budget),
      threshold === undefined ? 'none' : threshold.toFixed(4),
      servedShare,
      percent(falseHits.share),
      falseHits.judged === 0 ? '–' : interval(falseHits.clopperPearson),
    ]),
    notes: ['By the scores at decision time, in shadow mode too; before a model has scored, nothing.'],
  };
}

function ghosts({ ghosts: losses }: LiveReport): Table[] {
  const rows = Object.entries(losses);
  if (rows.length === 0) return [];
  return [
    {
      title: 'Eviction policies in shadow',
      columns: [text('policy'), { name: 'mean loss in the window', format: 'decimal3' }],
      rows,
      notes: [],
    },
  ];
}

const rounded = (share: number | undefined): number | undefined =>
  share === undefined ? undefined : Math.round(share * 1e5) / 1e3;

function chartsOf({ history, budget, hits, outlook }: LiveReport): Chart[] {
  const x = history.map(({ labels }) => labels);
  const charts: Chart[] = [
    {
      title: 'Wrong share of served reuses, as it was measured',
      kind: 'line',
      xLabel: 'labels',
      yLabel: '% wrong',
      x,
      series: [
        { name: 'measured', values: history.map(({ share }) => rounded(share)) },
        {
          name: '95 % upper bound',
          values: history.map(({ high }) => (high === undefined || high > 0.5 ? undefined : rounded(high))),
          bound: true,
        },
        { name: 'error budget', values: history.map(() => rounded(budget)), bound: true },
        { name: 'if everything were served', values: history.map(({ unguarded }) => rounded(unguarded)) },
      ],
    },
    {
      title: 'Judged reuses that were served',
      kind: 'line',
      xLabel: 'labels',
      yLabel: 'judged and served',
      x,
      series: [{ name: 'served', values: history.map(({ servedJudged }) => servedJudged) }],
    },
  ];
  return [
    ...(history.length === 0 ? [] : charts),
    {
      title: 'Requests by answer',
      kind: 'bar',
      xLabel: '',
      yLabel: 'requests',
      x: ['equal request', 'by similarity', 'upstream'],
      series: [{ name: 'requests', values: [hits.exact, hits.semantic, hits.missed] }],
    },
    {
      title: 'What another error budget would have served',
      kind: 'bar',
      xLabel: 'error budget',
      yLabel: '% of the candidates',
      x: outlook.map((one) => percent(one.budget)),
      series: [{ name: 'would have been served', values: outlook.map(({ servedShare }) => rounded(servedShare)) }],
    },
  ];
}
