import type { Matrix } from './cholesky.js';

const CHUNK = 256;
const TILE = 4;

/**
 * Σ_r w_r · row_r · row_rᵀ (both halves).
 *
 * `rows`: count × n; `weights`: count. A few hundred rows at a time are turned on their side, so that each entry of the
 * result is a scalar product along memory, and two by four entries are summed in registers.
 */
export function weightedGram(rows: Float64Array, count: number, n: number, weights: Float64Array): Matrix {
  const padded = Math.ceil(n / TILE) * TILE;
  const sums = new Float64Array(padded * padded);
  const plain = new Float64Array(padded * CHUNK);
  const scaled = new Float64Array(padded * CHUNK);
  for (let from = 0; from < count; from += CHUNK) {
    const height = Math.min(CHUNK, count - from);
    for (let r = 0; r < height; r++) {
      const weight = weights[from + r]!;
      const at = (from + r) * n;
      for (let j = 0; j < n; j++) {
        plain[j * CHUNK + r] = rows[at + j]!;
        scaled[j * CHUNK + r] = weight * rows[at + j]!;
      }
    }
    for (let i = 0; i < padded; i += 2) {
      for (let j = 0; j <= i + 1; j += TILE) addTile(sums, padded, scaled, plain, i, j, height);
    }
  }
  const gram = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) gram[i * n + j] = gram[j * n + i] = sums[i * padded + j]!;
  }
  return gram;
}

/** Adds the products of columns i, i + 1 with columns j … j + 3 over one chunk. */
function addTile(
  sums: Matrix,
  width: number,
  scaled: Float64Array,
  plain: Float64Array,
  i: number,
  j: number,
  height: number,
): void {
  const a = i * CHUNK;
  const b = a + CHUNK;
  const c = j * CHUNK;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let t0 = 0;
  let t1 = 0;
  let t2 = 0;
  let t3 = 0;
  for (let r = 0; r < height; r++) {
    const x = scaled[a + r]!;
    const y = scaled[b + r]!;
    const p0 = plain[c + r]!;
    const p1 = plain[c + CHUNK + r]!;
    const p2 = plain[c + 2 * CHUNK + r]!;
    const p3 = plain[c + 3 * CHUNK + r]!;
    s0 += x * p0;
    s1 += x * p1;
    s2 += x * p2;
    s3 += x * p3;
    t0 += y * p0;
    t1 += y * p1;
    t2 += y * p2;
    t3 += y * p3;
  }
  const upper = i * width + j;
  const lower = upper + width;
  sums[upper] = sums[upper]! + s0;
  sums[upper + 1] = sums[upper + 1]! + s1;
  sums[upper + 2] = sums[upper + 2]! + s2;
  sums[upper + 3] = sums[upper + 3]! + s3;
  sums[lower] = sums[lower]! + t0;
  sums[lower + 1] = sums[lower + 1]! + t1;
  sums[lower + 2] = sums[lower + 2]! + t2;
  sums[lower + 3] = sums[lower + 3]! + t3;
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
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
