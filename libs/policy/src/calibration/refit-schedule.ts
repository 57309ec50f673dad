/** Labels before the first model. */
export const FIRST_FIT = 300;

/** Number of labels at which the model is fitted next, after a fit at `labels` (risk-model.md §4). */
export function nextFit(labels: number): number {
  if (labels < FIRST_FIT) return FIRST_FIT;
  if (labels < 3000) return labels + 500;
  return labels + (labels < 8000 ? 1000 : 2000);
}
