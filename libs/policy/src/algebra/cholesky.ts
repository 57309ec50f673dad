/** A square matrix, row by row. */
export type Matrix = Float64Array;

/**
 * Lower Cholesky factor of a symmetric positive definite matrix (its lower half is read).
 *
 * `matrix`: n × n, not changed. Throws RangeError when a pivot is not positive.
 */
export function cholesky(matrix: Matrix, n: number): Matrix {
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j <= i; j++) {
      const rest = matrix[row + j]! - dotRows(factor, row, j * n, j);
      if (j < i) {
        factor[row + j] = rest / factor[j * n + j]!;
      } else {
        if (!(rest > 0)) throw new RangeError(`The matrix is not positive definite (pivot ${i}).`);
        factor[row + i] = Math.sqrt(rest);
      }
    }
  }
  return factor;
}

/** Scalar product of the first `count` numbers of two rows of one matrix; four sums, so that the processor need not wait. */
function dotRows(values: Matrix, a: number, b: number, count: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let k = 0;
  for (; k + 3 < count; k += 4) {
    s0 += values[a + k]! * values[b + k]!;
    s1 += values[a + k + 1]! * values[b + k + 1]!;
    s2 += values[a + k + 2]! * values[b + k + 2]!;
    s3 += values[a + k + 3]! * values[b + k + 3]!;
  }
  for (; k < count; k++) s0 += values[a + k]! * values[b + k]!;
  return s0 + s1 + (s2 + s3);
}

/** Solves L y = b for the lower factor L. */
export function solveLower(factor: Matrix, n: number, right: Float64Array): Float64Array {
  const solution = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let rest = right[i]!;
    const row = i * n;
    for (let k = 0; k < i; k++) rest -= factor[row + k]! * solution[k]!;
    solution[i] = rest / factor[row + i]!;
  }
  return solution;
}

/**
 * Solves L y = b for four right sides at once; number i of side j is at 4 · i + j.
 *
 * Each side is summed in the order of `solveLower`, so that its digits are the same; four sums that do not wait for each other take little more
 * time than one.
 */
export function solveLowerFour(factor: Matrix, n: number, rights: readonly Float64Array[]): Float64Array {
  const [a, b, c, d] = rights as [Float64Array, Float64Array, Float64Array, Float64Array];
  const solution = new Float64Array(4 * n);
  for (let i = 0; i < n; i++) {
    let restA = a[i]!;
    let restB = b[i]!;
    let restC = c[i]!;
    let restD = d[i]!;
    const row = i * n;
    for (let k = 0; k < i; k++) {
      const entry = factor[row + k]!;
      restA -= entry * solution[4 * k]!;
      restB -= entry * solution[4 * k + 1]!;
      restC -= entry * solution[4 * k + 2]!;
      restD -= entry * solution[4 * k + 3]!;
    }
    const pivot = factor[row + i]!;
    solution[4 * i] = restA / pivot;
    solution[4 * i + 1] = restB / pivot;
    solution[4 * i + 2] = restC / pivot;
    solution[4 * i + 3] = restD / pivot;
  }
  return solution;
}

/** Solves L Lᵀ x = b for the lower factor L. */
export function solveCholesky(factor: Matrix, n: number, right: Float64Array): Float64Array {
  const solution = solveLower(factor, n, right);
  for (let i = n - 1; i >= 0; i--) {
    const value = solution[i]! / factor[i * n + i]!;
    solution[i] = value;
    const row = i * n;
    for (let k = 0; k < i; k++) solution[k] = solution[k]! - factor[row + k]! * value;
  }
  return solution;
}

/** ln det of the matrix whose lower Cholesky factor is given. */
export function logDet(factor: Matrix, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.log(factor[i * n + i]!);
  return 2 * sum;
}
