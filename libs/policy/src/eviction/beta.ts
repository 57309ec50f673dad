import type { Rng } from '@reprise/kernel';

/** A standard normal draw by Marsaglia's polar method; the second normal of the pair is thrown away, so the only state is the generator's. */
export function drawNormal(rng: Rng): number {
  for (;;) {
    const u = 2 * rng.next() - 1;
    const v = 2 * rng.next() - 1;
    const s = u * u + v * v;
    if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
  }
}

/**
 * A Gamma(shape, 1) draw, Marsaglia and Tsang (ACM TOMS 26(3), 2000).
 *
 * A shape below 1 is drawn at shape + 1 and boosted; the Redis functions never need that case, since every prior is at least 1.
 */
export function drawGamma(shape: number, rng: Rng): number {
  if (!(shape > 0 && shape < Infinity)) throw new RangeError('A gamma shape must be positive and finite.');
  if (shape < 1) return drawGamma(shape + 1, rng) * Math.pow(rng.next(), 1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(rng);
    const t = 1 + c * x;
    if (t <= 0) continue;
    const v = t * t * t;
    const u = rng.next();
    const x2 = x * x;
    if (u < 1 - 0.0331 * x2 * x2) return d * v;
    if (Math.log(u) < 0.5 * x2 + d * (1 - v + Math.log(v))) return d * v;
  }
}

/**
 * A Beta(alpha, beta) draw: by inversion at alpha = 1, where most entries stand, since few are ever used; else the alpha gamma
 * first, then the beta gamma.
 */
export function drawBeta(alpha: number, beta: number, rng: Rng): number {
  if (alpha === 1) return 1 - Math.pow(rng.next(), 1 / beta);
  const x = drawGamma(alpha, rng);
  const y = drawGamma(beta, rng);
  return x / (x + y);
}

/**
 * A score on the grid of 1e-9, as an integer.
 *
 * `log` and `exp` may differ in the last bit between JavaScript and Lua; scores that are mathematically equal stay equal on this
 * grid, and two different draws are never told apart by such a bit (docs/concepts/policies.md, "Equal numbers in two languages").
 */
export function onScoreGrid(score: number): number {
  return Math.floor(score * 1e9 + 0.5);
}
