import type { Matrix } from './cholesky.js';

/**
 * Σ_r w_r · row_r · row_rᵀ (lower half and its mirror), four rows at a time.
 *
 * `rows`: count × n; `weights`: count.
 */
export function weightedGram(rows: Float64Array, count: number, n: number, weights: Float64Array): Matrix {
  const gram = new Float64Array(n * n);
  let r = 0;
  for (; r + 3 < count; r += 4) addFour(gram, rows, r * n, n, weights, r);
  for (; r < count; r++) addOne(gram, rows, r * n, n, weights[r]!);
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) gram[i * n + j] = gram[j * n + i]!;
  }
  return gram;
}

/** Adds four rows; two rows of the result at a time, so that what is read once serves eight products. */
function addFour(gram: Matrix, rows: Float64Array, at: number, n: number, weights: Float64Array, r: number): void {
  const x = rows.subarray(at, at + n);
  const y = rows.subarray(at + n, at + 2 * n);
  const z = rows.subarray(at + 2 * n, at + 3 * n);
  const w = rows.subarray(at + 3 * n, at + 4 * n);
  for (let i = 0; i < n; i += 2) {
    const next = i + 1 < n ? i + 1 : i;
    const x0 = weights[r]! * x[i]!;
    const y0 = weights[r + 1]! * y[i]!;
    const z0 = weights[r + 2]! * z[i]!;
    const w0 = weights[r + 3]! * w[i]!;
    const x1 = weights[r]! * x[next]!;
    const y1 = weights[r + 1]! * y[next]!;
    const z1 = weights[r + 2]! * z[next]!;
    const w1 = weights[r + 3]! * w[next]!;
    const upper = gram.subarray(i * n, i * n + next + 1);
    const lower = gram.subarray(next * n, next * n + next + 1);
    for (let j = 0; j <= next; j++) {
      const xj = x[j]!;
      const yj = y[j]!;
      const zj = z[j]!;
      const wj = w[j]!;
      if (next > i) upper[j] = upper[j]! + x0 * xj + y0 * yj + (z0 * zj + w0 * wj);
      lower[j] = lower[j]! + x1 * xj + y1 * yj + (z1 * zj + w1 * wj);
    }
  }
}

function addOne(gram: Matrix, rows: Float64Array, at: number, n: number, weight: number): void {
  for (let i = 0; i < n; i++) {
    const scaled = weight * rows[at + i]!;
    for (let j = 0; j <= i; j++) gram[i * n + j] = gram[i * n + j]! + scaled * rows[at + j]!;
  }
}

/** rows · vector. */
export function timesVector(rows: Float64Array, count: number, n: number, vector: Float64Array): Float64Array {
  const product = new Float64Array(count);
  for (let r = 0; r < count; r++) {
    const at = r * n;
    let even = 0;
    let odd = 0;
    let j = 0;
    for (; j + 1 < n; j += 2) {
      even += rows[at + j]! * vector[j]!;
      odd += rows[at + j + 1]! * vector[j + 1]!;
    }
    if (j < n) even += rows[at + j]! * vector[j]!;
    product[r] = even + odd;
  }
  return product;
}

/** rowsᵀ · vector. */
export function transposedTimesVector(
  rows: Float64Array,
  count: number,
  n: number,
  vector: Float64Array,
): Float64Array {
  const product = new Float64Array(n);
  for (let r = 0; r < count; r++) {
    const at = r * n;
    const factor = vector[r]!;
    for (let j = 0; j < n; j++) product[j] = product[j]! + factor * rows[at + j]!;
  }
  return product;
}

/** Scalar product of two vectors of one length. */
export function dot(a: Float64Array | Float32Array, b: Float64Array | Float32Array): number {
  const n = a.length;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let i = 0;
  for (; i + 3 < n; i += 4) {
    s0 += a[i]! * b[i]!;
    s1 += a[i + 1]! * b[i + 1]!;
    s2 += a[i + 2]! * b[i + 2]!;
    s3 += a[i + 3]! * b[i + 3]!;
  }
  for (; i < n; i++) s0 += a[i]! * b[i]!;
  return s0 + s1 + (s2 + s3);
}
