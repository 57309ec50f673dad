/** Mean and spread of each column, and the clip of the standardised value. */
export interface Scaler {
  readonly mean: Float64Array;
  readonly spread: Float64Array;
  readonly clip: number;
}

const LEAST_SPREAD = 1e-6;

/** Weighted mean and spread per column of `count` rows of `size`. */
export function fitScaler(
  rows: Float64Array,
  count: number,
  size: number,
  weights: Float64Array,
  clip: number,
): Scaler {
  const mean = new Float64Array(size);
  const spread = new Float64Array(size);
  let total = 0;
  for (const weight of weights) total += weight;
  for (let r = 0; r < count; r++) {
    const share = weights[r]! / total;
    for (let j = 0; j < size; j++) mean[j] = mean[j]! + share * rows[r * size + j]!;
  }
  for (let r = 0; r < count; r++) {
    const share = weights[r]! / total;
    for (let j = 0; j < size; j++) spread[j] = spread[j]! + share * (rows[r * size + j]! - mean[j]!) ** 2;
  }
  return { mean, spread: spread.map((value) => Math.sqrt(value) + LEAST_SPREAD), clip };
}

/** The rows, standardised and clipped to ±clip, in a new array. */
export function standardise(rows: Float64Array, count: number, scaler: Scaler): Float64Array {
  const { mean, spread, clip } = scaler;
  const size = mean.length;
  const scaled = new Float64Array(count * size);
  for (let r = 0; r < count; r++) {
    for (let j = 0; j < size; j++) {
      const value = (rows[r * size + j]! - mean[j]!) / spread[j]!;
      scaled[r * size + j] = value > clip ? clip : value < -clip ? -clip : value;
    }
  }
  return scaled;
}
