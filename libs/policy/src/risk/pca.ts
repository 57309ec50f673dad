import { createRng } from '@reprise/kernel';
import { timesVector, weightedGram } from '../algebra/gram.js';

/** Principal axes, fitted once without labels and then frozen. */
export interface Axes {
  readonly mean: Float64Array;
  /** `count` unit vectors, one after another. */
  readonly directions: Float64Array;
  readonly count: number;
}

export const AXES = 8;
const AXIS_SCALE = 3;
const SPARE = 8;
const ROUNDS = 60;
const SEED = 8;

/**
 * The first `count` principal axes of the vectors, by subspace iteration from a fixed start.
 *
 * Deterministic; the largest component of each axis is positive. Needs at least two vectors of one length.
 */
export function fitAxes(vectors: readonly (Float32Array | Float64Array)[], count = AXES): Axes {
  const n = vectors[0]!.length;
  const mean = new Float64Array(n);
  for (const vector of vectors) for (let i = 0; i < n; i++) mean[i] = mean[i]! + vector[i]! / vectors.length;
  const rows = new Float64Array(vectors.length * n);
  vectors.forEach((vector, r) => {
    for (let i = 0; i < n; i++) rows[r * n + i] = vector[i]! - mean[i]!;
  });
  const covariance = weightedGram(rows, vectors.length, n, new Float64Array(vectors.length).fill(1 / vectors.length));
  const rng = createRng(SEED);
  const basis: Float64Array[] = Array.from({ length: Math.min(n, count + SPARE) }, () =>
    Float64Array.from({ length: n }, () => rng.next() - 0.5),
  );
  orthonormalise(basis);
  for (let round = 0; round < ROUNDS; round++) {
    basis.forEach((vector, i) => (basis[i] = timesVector(covariance, n, n, vector)));
    orthonormalise(basis);
  }
  const directions = new Float64Array(count * n);
  basis.slice(0, count).forEach((vector, i) => directions.set(signed(vector), i * n));
  return { mean, directions, count };
}

/** The vector on the axes, scaled to about unit spread; a zero vector is projected like any other. */
export function project(vector: Float32Array | Float64Array, { mean, directions, count }: Axes): Float64Array {
  const n = mean.length;
  const place = new Float64Array(count);
  const last = count - 1;
  // Four axes at a time: four sums do not wait for one another. Behind the last one it is summed again.
  for (let axis = 0; axis < count; axis += 4) {
    const first = axis * n;
    const second = Math.min(axis + 1, last) * n;
    const third = Math.min(axis + 2, last) * n;
    const fourth = Math.min(axis + 3, last) * n;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let i = 0; i < n; i++) {
      const value = vector[i]! - mean[i]!;
      s0 += directions[first + i]! * value;
      s1 += directions[second + i]! * value;
      s2 += directions[third + i]! * value;
      s3 += directions[fourth + i]! * value;
    }
    [s0, s1, s2, s3].slice(0, count - axis).forEach((sum, i) => (place[axis + i] = AXIS_SCALE * sum));
  }
  return place;
}

/** Gram-Schmidt in place, in order; a vector that vanishes becomes zero. */
function orthonormalise(basis: Float64Array[]): void {
  basis.forEach((vector, i) => {
    for (let pass = 0; pass < 2; pass++) {
      for (const other of basis.slice(0, i)) {
        let along = 0;
        for (let k = 0; k < vector.length; k++) along += vector[k]! * other[k]!;
        for (let k = 0; k < vector.length; k++) vector[k] = vector[k]! - along * other[k]!;
      }
    }
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    for (let k = 0; k < vector.length; k++) vector[k] = length > 1e-300 ? vector[k]! / length : 0;
  });
}

function signed(vector: Float64Array): Float64Array {
  const largest = vector.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
  return largest < 0 ? vector.map((value) => -value) : vector;
}
