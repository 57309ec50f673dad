import {
  clopperPearson,
  type Interval,
  PREFIX_DEFAULTS,
  prefixThreshold,
  type ScoredLabel,
  wilson,
} from '@reprise/policy';
import type { NamespaceAdmin } from '../ports/namespace-admin.port.js';
import type { LabelRecord, RiskSnapshot, RiskStore } from '../ports/risk-store.port.js';

export interface ReportDependencies {
  readonly admin: Pick<NamespaceAdmin, 'stats'>;
  readonly risk: Pick<RiskStore, 'read' | 'snapshot' | 'spend'>;
}

/** What judging may cost, as the configuration has it. */
export interface ReportLimits {
  readonly maxSpendUsd: number;
  readonly spendShare: number;
}

/** A share with what it was counted from; with weights 1/rate the counts are effective sample sizes. */
export interface MeasuredShare {
  readonly judged: number;
  readonly wrong: number;
  /** Estimate for all of them, each weighted by the inverse of the probability with which it was judged. */
  readonly share?: number;
  readonly effective: number;
  readonly wilson: Interval;
  readonly clopperPearson: Interval;
}

/** What another error budget would have served, by the labels that have a score. */
export interface BudgetOutlook {
  readonly budget: number;
  readonly threshold?: number;
  /** Weighted share of the candidates with a score that it would have served. */
  readonly servedShare: number;
  readonly falseHits: MeasuredShare;
}

/** One step of the history of judged reuses. */
export interface ReportStep {
  readonly labels: number;
  readonly servedJudged: number;
  /** Wrong share of all served and judged ones so far, weighted; and its 95 % interval. */
  readonly share?: number;
  readonly low?: number;
  readonly high?: number;
  /** Wrong ones among the labels so far, served or not: what would be wrong if everything were served. */
  readonly unguarded: number;
}

/** What the cache does for one namespace, measured. */
export interface LiveReport {
  readonly namespace: string;
  readonly budget: number;
  readonly confidence: number;
  readonly hits: { readonly exact: number; readonly semantic: number; readonly missed: number };
  /** Served reuses of the semantic tier that were judged; all of them, and by rule. */
  readonly falseHits: MeasuredShare;
  readonly byRule: Readonly<Record<LabelRecord['rule'], MeasuredShare>>;
  /** Candidates that were judged against a fresh answer. */
  readonly withheld: MeasuredShare;
  readonly gate: {
    readonly version: number;
    readonly labels: number;
    readonly threshold?: number;
    readonly bound?: number;
    readonly breakerOpen: boolean;
    readonly coldStartClosed: boolean;
  };
  readonly labels: {
    readonly kept: number;
    readonly missing: number;
    readonly byJudge: Readonly<Record<string, number>>;
  };
  /** US dollars. Embedding runs on the gateways and has no price. */
  readonly money: { readonly saved: number; readonly judged: number; readonly net: number; readonly cap: number };
  readonly outlook: readonly BudgetOutlook[];
  readonly history: readonly ReportStep[];
  /** Mean losses of the ghost policies in their window, by name. */
  readonly ghosts: Readonly<Record<string, number>>;
}

const defaults = { budget: 0.05, confidence: 0.95 };
const pageSize = 500;
/** Pages of labels that a report reads: more than the stream keeps. */
const mostPages = 80;
const outlookBudgets = [0.01, 0.02, 0.05, 0.1];
const steps = 40;
const nanoPerUsd = 1e9;

type Judged = Pick<LabelRecord, 'rule' | 'served' | 'rejected' | 'rate' | 'score'>;

/** Everything that is measured of a namespace; the labels are those that the stream still keeps. Throws when the store cannot be read. */
export async function liveReport(deps: ReportDependencies, limits: ReportLimits, ns: string): Promise<LiveReport> {
  const [stats, snapshot, spend] = await Promise.all([
    deps.admin.stats(ns),
    deps.risk.snapshot(ns, 0),
    deps.risk.spend(ns, 0),
  ]);
  const { labels, budget, confidence } = await readLabels(deps, ns);
  const served = labels.filter((label) => label.served);
  const of = (name: string): number => stats[name] ?? 0;
  const [saved, judged] = [spend.savedNanoUsd / nanoPerUsd, spend.spentNanoUsd / nanoPerUsd];
  const delta = 1 - confidence;
  return {
    namespace: ns,
    budget,
    confidence,
    hits: {
      exact: of('exact_hit'),
      semantic: of('semantic_hit'),
      missed: Math.max(0, of('exact_miss') - of('semantic_hit')),
    },
    falseHits: measured(served),
    byRule: {
      budget: measured(served.filter(({ rule }) => rule === 'budget')),
      'cold-start': measured(served.filter(({ rule }) => rule === 'cold-start')),
      comparison: measured(served.filter(({ rule }) => rule === 'comparison')),
    },
    withheld: measured(labels.filter((label) => !label.served)),
    gate: gateOf(snapshot),
    labels: { kept: labels.length, missing: of('judge_missing'), byJudge: named(stats, 'judged_by_') },
    money: { saved, judged, net: saved - judged, cap: limits.maxSpendUsd + limits.spendShare * saved },
    outlook: outlookBudgets.map((other) => outlook(labels, other, delta)),
    history: historyOf(labels),
    ghosts: named(stats, 'ghost_loss_'),
  };
}

async function readLabels(deps: ReportDependencies, ns: string) {
  const labels: Judged[] = [];
  let position = '';
  let policy = defaults;
  for (let page = 0; page < mostPages; page++) {
    const read = await deps.risk.read(ns, position, pageSize);
    policy = { budget: read.budget ?? policy.budget, confidence: read.confidence ?? policy.confidence };
    for (const event of read.events) {
      position = event.id;
      if (event.kind !== 'label') continue;
      const { rule, served, rejected, rate, score } = event.label;
      labels.push({ rule, served, rejected, rate, ...(score === undefined ? {} : { score }) });
    }
    if (read.events.length < pageSize) break;
  }
  return { labels, ...policy };
}

function gateOf(snapshot: RiskSnapshot | undefined): LiveReport['gate'] {
  if (snapshot === undefined) return { version: 0, labels: 0, breakerOpen: false, coldStartClosed: false };
  const { version, labels, threshold, bound, breakerOpen, coldStartClosed } = snapshot;
  return {
    version,
    labels,
    ...(threshold === undefined ? {} : { threshold }),
    ...(bound === undefined ? {} : { bound }),
    breakerOpen,
    coldStartClosed,
  };
}

function named(stats: Readonly<Record<string, number>>, prefix: string): Record<string, number> {
  const all = Object.entries(stats).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(all.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** Wrong share of judged reuses, for all from which they were drawn; both intervals are of 95 %. */
export function measured(labels: readonly Pick<Judged, 'rejected' | 'rate'>[]): MeasuredShare {
  let [weight, square, rejected, wrong] = [0, 0, 0, 0];
  for (const label of labels) {
    const own = 1 / label.rate;
    weight += own;
    square += own * own;
    rejected += own * label.rejected;
    wrong += label.rejected;
  }
  const effective = square === 0 ? 0 : weight ** 2 / square;
  const events = weight === 0 ? 0 : (rejected / weight) * effective;
  return {
    judged: labels.length,
    wrong,
    ...(weight === 0 ? {} : { share: rejected / weight }),
    effective,
    wilson: wilson(events, effective),
    clopperPearson: effective === 0 ? { low: 0, high: 1 } : clopperPearson(events, effective),
  };
}

function outlook(labels: readonly Judged[], budget: number, delta: number): BudgetOutlook {
  const scored = labels.flatMap(({ score, ...label }): ScoredLabel[] =>
    score === undefined ? [] : [{ ...label, score }],
  );
  const inBand = scored.filter(({ score }) => score <= PREFIX_DEFAULTS.band);
  const threshold = prefixThreshold(inBand, { ...PREFIX_DEFAULTS, delta, budget });
  const would = threshold === undefined ? [] : scored.filter(({ score }) => score <= threshold);
  const weight = (some: readonly ScoredLabel[]): number => some.reduce((sum, { rate }) => sum + 1 / rate, 0);
  return {
    budget,
    ...(threshold === undefined ? {} : { threshold }),
    servedShare: scored.length === 0 ? 0 : weight(would) / weight(scored),
    falseHits: measured(would),
  };
}

/** How the measured share came about, in at most 40 steps. */
function historyOf(labels: readonly Judged[]): ReportStep[] {
  const size = Math.max(1, Math.ceil(labels.length / steps));
  const ends = Array.from({ length: Math.ceil(labels.length / size) }, (_, at) =>
    Math.min((at + 1) * size, labels.length),
  );
  return ends.map((end) => {
    const so = labels.slice(0, end);
    const served = measured(so.filter((label) => label.served));
    const { low, high } = served.clopperPearson;
    return {
      labels: end,
      servedJudged: served.judged,
      ...(served.share === undefined ? {} : { share: served.share, low, high }),
      unguarded: measured(so).share ?? 0,
    };
  });
}
