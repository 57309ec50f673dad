import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { cholesky, logDet, solveCholesky } from '../algebra/cholesky.js';
import { rbfKernel } from '../risk/rbf-kernel.js';
import { costBounds, InformationTrigger, reuseBounds } from './bounds.js';
import { OnlineKrr } from './online-krr.js';

const SIZE = 3;
const RIDGE = 0.7;

function points(count: number, seed: number): Float64Array[] {
  const rng = createRng(seed);
  return Array.from({ length: count }, () => Float64Array.from({ length: SIZE }, () => rng.next() * 2));
}

const flat = (rows: readonly Float64Array[]): Float64Array => Float64Array.from(rows.flatMap((row) => [...row]));
const createKrr = (landmarks: readonly Float64Array[]): OnlineKrr =>
  new OnlineKrr({ landmarks: flat(landmarks), size: SIZE, bandwidth: 1, ridge: RIDGE, centre: 0.5 });
const target = (point: Float64Array): number => 0.5 + 0.4 * Math.sin(3 * point[0]!);

describe('online KRR', () => {
  it('equals kernel ridge regression when every observed point is a landmark', () => {
    const seen = points(25, 1);
    const krr = createKrr(seen);
    for (const point of seen) krr.observe(point, target(point));
    const n = seen.length;
    const gram = rbfKernel(flat(seen), n, SIZE, flat(seen), 1);
    for (let i = 0; i < n; i++) gram[i * n + i] = gram[i * n + i]! + RIDGE;
    const factor = cholesky(gram, n);
    const known = solveCholesky(
      factor,
      n,
      Float64Array.from(seen, (point) => target(point) - 0.5),
    );
    // At an observed point the Nyström features are exact, so mean and width are those of the whole kernel.
    for (const point of seen.slice(0, 10)) {
      const kernel = rbfKernel(flat(seen), n, SIZE, point, 1);
      const solved = solveCholesky(factor, n, kernel);
      const mean = 0.5 + kernel.reduce((sum, value, i) => sum + value * known[i]!, 0);
      const variance = 1 - kernel.reduce((sum, value, i) => sum + value * solved[i]!, 0);
      expect(krr.predict(point).mean).toBeCloseTo(mean, 6);
      expect(krr.predict(point).width ** 2).toBeCloseTo(variance, 6);
    }
  });

  it('grows its log-determinant by exactly ln(1 + σ²/λ), and the sum equals the direct one', () => {
    const krr = createKrr(points(40, 2));
    for (const point of points(600, 3)) {
      const { width } = krr.predict(point);
      expect(krr.observe(point, target(point))).toBeCloseTo(Math.log1p(width ** 2 / RIDGE), 10);
    }
    expect(Math.abs(krr.logDeterminant - krr.directLogDeterminant())).toBeLessThan(1e-8);
  });

  it('has the log-determinant of I + K/λ', () => {
    const landmarks = points(20, 4);
    const krr = createKrr(landmarks);
    for (const point of landmarks) krr.observe(point, 0);
    const n = landmarks.length;
    const matrix = rbfKernel(flat(landmarks), n, SIZE, flat(landmarks), 1).map((value) => value / RIDGE);
    for (let i = 0; i < n; i++) matrix[i * n + i] = matrix[i * n + i]! + 1;
    expect(krr.logDeterminant).toBeCloseTo(logDet(cholesky(matrix, n), n), 5);
  });

  it('knows more wherever it has looked', () => {
    const krr = createKrr(points(40, 5));
    for (const point of points(100, 6)) {
      const before = krr.predict(point).width;
      krr.observe(point, 1);
      expect(krr.predict(point).width).toBeLessThan(before);
    }
  });

  it('believes of many points, four at a time, digit for digit what it believes of each', () => {
    const krr = createKrr(points(20, 5));
    for (const point of points(60, 6)) krr.observe(point, target(point));
    for (const count of [0, 3, 4, 11]) {
      const all = points(count, 7).map((point) => krr.features(point));
      expect(krr.believeAll(all)).toEqual(all.map((features) => krr.believe(features)));
    }
  });

  it('fires the information trigger at most (log-determinant / ln 2) times', () => {
    const krr = createKrr(points(40, 7));
    const trigger = new InformationTrigger();
    let fired = 0;
    for (const point of points(400, 8)) {
      krr.observe(point, 0);
      if (trigger.due(krr.logDeterminant)) fired += 1;
    }
    expect(fired).toBeGreaterThan(3);
    expect(fired).toBeLessThanOrEqual(krr.logDeterminant / Math.LN2);
  });
});

describe('bounds', () => {
  it('are ordered and in [0, 1] for any belief', () => {
    const rng = createRng(9);
    for (let i = 0; i < 2000; i++) {
      const belief = { mean: rng.next() * 4 - 2, width: rng.next() };
      const multiplier = rng.next() * 5;
      for (const { low, high } of [
        costBounds(rng.next(), belief, multiplier),
        reuseBounds(true, belief, multiplier, rng.next() * 2),
      ]) {
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(high);
        expect(high).toBeLessThanOrEqual(1);
      }
    }
  });

  it('lose everything on a pair of different keys, whatever was believed', () => {
    expect(reuseBounds(false, { mean: 0, width: 0 }, 1)).toEqual({ low: 1, high: 1 });
  });
});
