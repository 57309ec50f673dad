import { binomialAtMost } from './intervals.js';
import type { ScoredLabel } from './label.types.js';

export interface PrefixTestOptions {
  /** Largest accepted share of wrong reuses, 0..1. */
  readonly budget: number;
  /** Error probability of one calibration. */
  readonly delta: number;
  /** Least size of the first prefix. */
  readonly leastPrefix: number;
  /** Largest threshold. */
  readonly band: number;
}

export const PREFIX_DEFAULTS = { delta: 0.05, leastPrefix: 100, band: 0.4 };

const START = 1.6;
const GROWTH = 1.12;

/** Size of the first tested prefix: max(⌈1.6·n₀⌉, least), n₀ labels without one rejection being just enough. */
export function firstPrefix({ budget, delta, leastPrefix }: PrefixTestOptions): number {
  const enough = Math.ceil(Math.log(delta) / Math.log(1 - budget));
  return Math.max(Math.ceil(START * enough), leastPrefix);
}

/**
 * Learn-then-test in fixed sequence (risk-model.md §5): the largest threshold up to which every tested prefix of the
 * labels, lowest scores first, has an upper Clopper–Pearson bound of at most the budget; undefined: serve nothing.
 *
 * Labels count with weight 1/rate; with weights the counts are effective sample sizes, (Σw)²/Σw².
 */
export function prefixThreshold(labels: readonly ScoredLabel[], options: PrefixTestOptions): number | undefined {
  const { budget, delta, band } = options;
  const sorted = [...labels].sort((a, b) => a.score - b.score);
  const sums = cumulate(sorted);
  let threshold: number | undefined;
  for (let size = firstPrefix(options); size <= sorted.length; size = Math.ceil(size * GROWTH)) {
    const score = sorted[size - 1]!.score;
    let tied = size;
    while (tied < sorted.length && sorted[tied]!.score === score) tied += 1;
    const weight = sums.weight[tied - 1]!;
    const trials = weight ** 2 / sums.square[tied - 1]!;
    const events = (sums.rejected[tied - 1]! / weight) * trials;
    if (binomialAtMost(events, trials, budget) > delta) break;
    threshold = score;
  }
  return threshold === undefined ? undefined : Math.min(threshold, band);
}

function cumulate(labels: readonly ScoredLabel[]) {
  const weight = new Float64Array(labels.length);
  const square = new Float64Array(labels.length);
  const rejected = new Float64Array(labels.length);
  let totals = { weight: 0, square: 0, rejected: 0 };
  labels.forEach((label, i) => {
    const own = 1 / label.rate;
    totals = {
      weight: totals.weight + own,
      square: totals.square + own * own,
      rejected: totals.rejected + own * label.rejected,
    };
    weight[i] = totals.weight;
    square[i] = totals.square;
    rejected[i] = totals.rejected;
  });
  return { weight, square, rejected };
}
