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

function addFour(gram: Matrix, rows: Float64Array, at: number, n: number, weights: Float64Array, r: number): void {
  const row0 = at;
  const row1 = at + n;
  const row2 = row1 + n;
  const row3 = row2 + n;
  for (let i = 0; i < n; i++) {
    const a = weights[r]! * rows[row0 + i]!;
    const b = weights[r + 1]! * rows[row1 + i]!;
    const c = weights[r + 2]! * rows[row2 + i]!;
    const d = weights[r + 3]! * rows[row3 + i]!;
    const out = i * n;
    for (let j = 0; j <= i; j++) {
      gram[out + j] =
        gram[out + j]! + a * rows[row0 + j]! + b * rows[row1 + j]! + (c * rows[row2 + j]! + d * rows[row3 + j]!);
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
