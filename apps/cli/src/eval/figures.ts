import type { PairOutcome } from './pair-player.js';

export const THRESHOLDS = [0.8, 0.85, 0.9, 0.95] as const;

/** How often a rule served what it should not, and what it should. */
export interface RuleFigures {
  readonly rule: string;
  readonly falseHits: number;
  readonly negatives: number;
  readonly hits: number;
  readonly positives: number;
}

export interface KindFigures {
  readonly kind: string;
  readonly rules: readonly RuleFigures[];
}

export interface ReasonFigures {
  readonly cache: string;
  readonly reason: string;
  readonly positives: number;
  readonly negatives: number;
}

export interface Figures {
  readonly overall: readonly RuleFigures[];
  readonly kinds: readonly KindFigures[];
  readonly reasons: readonly ReasonFigures[];
  readonly undecided: number;
  readonly retried: number;
  /** Pairs whose cosine is not known: plain cosine does not serve them. */
  readonly withoutCosine: number;
}

export const GATEWAY_RULE = 'reprise';
export const cosineRule = (threshold: number): string => `cosine ≥ ${threshold.toFixed(2).slice(1)}`;

/** One pair with everything that is counted of it. */
export interface JudgedPair {
  readonly outcome: PairOutcome;
  readonly cosine?: number;
}

function ruleFigures(pairs: readonly JudgedPair[], rule: string, serves: (pair: JudgedPair) => boolean): RuleFigures {
  let [falseHits, negatives, hits, positives] = [0, 0, 0, 0];
  for (const pair of pairs) {
    const served = serves(pair) ? 1 : 0;
    if (pair.outcome.pair.positive) {
      positives += 1;
      hits += served;
    } else {
      negatives += 1;
      falseHits += served;
    }
  }
  return { rule, falseHits, negatives, hits, positives };
}

function allRules(pairs: readonly JudgedPair[]): RuleFigures[] {
  return [
    ruleFigures(pairs, GATEWAY_RULE, ({ outcome }) => outcome.served),
    ...THRESHOLDS.map((threshold) =>
      ruleFigures(pairs, cosineRule(threshold), ({ cosine }) => cosine !== undefined && cosine >= threshold),
    ),
  ];
}

function reasonFigures(pairs: readonly JudgedPair[]): ReasonFigures[] {
  const counts = new Map<string, { cache: string; reason: string; positives: number; negatives: number }>();
  for (const { outcome } of pairs) {
    const { cache, reason, pair } = outcome;
    const row = counts.get(`${cache} ${reason}`) ?? { cache, reason, positives: 0, negatives: 0 };
    if (pair.positive) row.positives += 1;
    else row.negatives += 1;
    counts.set(`${cache} ${reason}`, row);
  }
  return [...counts.values()].sort((x, y) => y.positives + y.negatives - x.positives - x.negatives);
}

/** Counts everything; pairs that were not decided count as not served, and are named. */
export function figuresOf(pairs: readonly JudgedPair[]): Figures {
  const kinds = [...new Set(pairs.map(({ outcome }) => outcome.pair.kind))].sort();
  return {
    overall: allRules(pairs),
    kinds: kinds.map((kind) => ({ kind, rules: allRules(pairs.filter(({ outcome }) => outcome.pair.kind === kind)) })),
    reasons: reasonFigures(pairs),
    undecided: pairs.filter(({ outcome }) => !outcome.decided).length,
    retried: pairs.filter(({ outcome }) => outcome.retries > 0).length,
    withoutCosine: pairs.filter(({ cosine }) => cosine === undefined).length,
  };
}
