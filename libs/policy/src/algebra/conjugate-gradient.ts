import { dot } from './gram.js';

/**
 * Solves A x = b for a symmetric positive definite A, given as a product, with a preconditioner M ≈ A.
 *
 * `precondition` returns M⁻¹ r. Ends when the residual, measured in M⁻¹, has fallen by `tolerance`, or after `most` steps.
 */
export function conjugateGradient(
  product: (vector: Float64Array) => Float64Array,
  precondition: (vector: Float64Array) => Float64Array,
  right: Float64Array,
  tolerance: number,
  most: number,
): Float64Array {
  const n = right.length;
  const solution = new Float64Array(n);
  const residual = right.slice();
  let direction = precondition(residual);
  let size = dot(residual, direction);
  const enough = size * tolerance * tolerance;
  let search = direction.slice();
  for (let step = 0; step < most && size > enough && size > 0; step++) {
    const image = product(search);
    const length = size / dot(search, image);
    for (let i = 0; i < n; i++) {
      solution[i] = solution[i]! + length * search[i]!;
      residual[i] = residual[i]! - length * image[i]!;
    }
    direction = precondition(residual);
    const next = dot(residual, direction);
    const turn = next / size;
    size = next;
    search = search.map((value, i) => direction[i]! + turn * value);
  }
  return solution;
}
