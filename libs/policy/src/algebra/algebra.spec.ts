import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { cholesky, logDet, solveCholesky } from './cholesky.js';
import { conjugateGradient } from './conjugate-gradient.js';
import { dot, timesVector, transposedTimesVector, weightedGram } from './gram.js';

const rng = createRng(1);
const draw = (count: number): Float64Array => Float64Array.from({ length: count }, () => rng.next() * 2 - 1);

/** Σ w·x·xᵀ, entry by entry. */
function slowGram(rows: Float64Array, count: number, n: number, weights: Float64Array): Float64Array {
  return Float64Array.from({ length: n * n }, (_, at) => {
    let sum = 0;
    for (let r = 0; r < count; r++) sum += weights[r]! * rows[r * n + Math.floor(at / n)]! * rows[r * n + (at % n)]!;
    return sum;
  });
}

const closeTo = (a: Float64Array, b: Float64Array): void => {
  expect(a.length).toBe(b.length);
  a.forEach((value, i) => expect(value).toBeCloseTo(b[i]!, 9));
};

function positive(n: number): Float64Array {
  const matrix = weightedGram(draw(2 * n * n), 2 * n, n, new Float64Array(2 * n).fill(1));
  for (let i = 0; i < n; i++) matrix[i * n + i] = matrix[i * n + i]! + 0.1;
  return matrix;
}

describe('linear algebra', () => {
  it.each([
    [1, 1],
    [3, 5],
    [4, 4],
    [9, 6],
    [10, 7],
  ])('sums %i weighted rows of %i', (count, n) => {
    const rows = draw(count * n);
    const weights = draw(count).map(Math.abs);
    closeTo(weightedGram(rows, count, n, weights), slowGram(rows, count, n, weights));
  });

  it('multiplies by vectors', () => {
    const rows = Float64Array.of(1, 2, 3, 4, 5, 6);
    closeTo(timesVector(rows, 2, 3, Float64Array.of(1, 0, 2)), Float64Array.of(7, 16));
    closeTo(transposedTimesVector(rows, 2, 3, Float64Array.of(1, 2)), Float64Array.of(9, 12, 15));
    expect(dot(Float64Array.of(1, 2, 3, 4, 5), Float64Array.of(1, 1, 1, 1, 2))).toBe(20);
  });

  it.each([1, 2, 7, 30])('factors, solves and takes the determinant at size %i', (n) => {
    const matrix = positive(n);
    const factor = cholesky(matrix, n);
    const right = draw(n);
    closeTo(timesVector(matrix, n, n, solveCholesky(factor, n, right)), right);
    if (n === 2) expect(logDet(factor, 2)).toBeCloseTo(Math.log(matrix[0]! * matrix[3]! - matrix[1]! ** 2), 9);
  });

  it('refuses a matrix that is not positive definite', () => {
    expect(() => cholesky(Float64Array.of(1, 2, 2, 1), 2)).toThrow(RangeError);
    expect(() => cholesky(Float64Array.of(Number.NaN), 1)).toThrow(RangeError);
  });

  it('solves by conjugate gradients, in one step with the exact preconditioner', () => {
    const n = 20;
    const matrix = positive(n);
    const right = draw(n);
    const product = (v: Float64Array): Float64Array => timesVector(matrix, n, n, v);
    const exact = solveCholesky(cholesky(matrix, n), n, right);
    closeTo(
      conjugateGradient(product, (v) => v.slice(), right, 1e-12, 200),
      exact,
    );
    closeTo(
      conjugateGradient(product, (v) => solveCholesky(cholesky(matrix, n), n, v), right, 1e-9, 1),
      exact,
    );
  });
});
