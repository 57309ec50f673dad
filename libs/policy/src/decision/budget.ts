/** What the budget mode decided for one request. */
export interface BudgetDecision {
  readonly serve: boolean;
  /** Index of the candidate with the lowest score, the earlier one on ties; −1 without candidates. */
  readonly candidate: number;
  /** Its score: the estimated probability that the reuse would be rejected; undefined without candidates. */
  readonly score: number | undefined;
}

/** Budget mode: serve the candidate of lowest risk iff its score is at most the calibrated threshold. */
export function decideBudget(scores: ArrayLike<number>, threshold: number | undefined): BudgetDecision {
  let candidate = -1;
  for (let i = 0; i < scores.length; i++) {
    if (candidate === -1 || scores[i]! < scores[candidate]!) candidate = i;
  }
  const score = candidate === -1 ? undefined : scores[candidate]!;
  return { serve: score !== undefined && threshold !== undefined && score <= threshold, candidate, score };
}
