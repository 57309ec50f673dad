import { createRng } from '@reprise/kernel';

/**
 * `wanted` of the rows at random without replacement, in proportion to their weights (Efraimidis and Spirakis 2006).
 *
 * Rows of weight 0 are never drawn; the same seed and weights give the same rows, in ascending order.
 */
export function drawRows(weights: Float64Array, wanted: number, seed: number): number[] {
  const rng = createRng(seed);
  const keyed: { row: number; key: number }[] = [];
  weights.forEach((weight, row) => {
    const draw = -Math.log(rng.next());
    if (weight > 0) keyed.push({ row, key: draw / weight });
  });
  keyed.sort((a, b) => a.key - b.key || a.row - b.row);
  return keyed
    .slice(0, wanted)
    .map(({ row }) => row)
    .sort((a, b) => a - b);
}
