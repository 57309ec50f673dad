const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function variance(values: readonly number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
}

/**
 * Smallest difference of two means that is more than chance: twice the standard error of a difference, from the spread over seeds
 * pooled over all cells. Undefined for one seed. Each cell of `cells` has one value a seed.
 */
export function noiseFloor(cells: readonly (readonly number[])[]): number | undefined {
  const seeds = cells[0]?.length ?? 0;
  if (seeds < 2) return undefined;
  return 2 * Math.sqrt((2 * mean(cells.map(variance))) / seeds);
}

export { mean };
