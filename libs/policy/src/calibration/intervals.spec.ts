import { describe, expect, it } from 'vitest';
import { binomialAtMost, clopperPearson, clopperPearsonLower, clopperPearsonUpper, wilson } from './intervals.js';

/** P(X ≤ k) by summing the terms. */
function summed(k: number, n: number, p: number): number {
  let term = (1 - p) ** n;
  let sum = term;
  for (let i = 1; i <= k; i++) {
    term *= (((n - i + 1) / i) * p) / (1 - p);
    sum += term;
  }
  return sum;
}

describe('binomial intervals', () => {
  it.each([
    // Known values: Newcombe 1998, table I (Wilson and Clopper–Pearson, 95 %).
    [81, 263, 0.2553, 0.3662, 0.2527, 0.3676],
    [15, 148, 0.0624, 0.1605, 0.0578, 0.1617],
    [0, 20, 0, 0.1611, 0, 0.1684],
    [1, 29, 0.0061, 0.1718, 0.0009, 0.1776],
  ])('of %i in %i are the published ones', (events, trials, wilsonLow, wilsonHigh, exactLow, exactHigh) => {
    const score = wilson(events, trials);
    const exact = clopperPearson(events, trials);
    expect(score.low).toBeCloseTo(wilsonLow, 4);
    expect(score.high).toBeCloseTo(wilsonHigh, 4);
    expect(exact.low).toBeCloseTo(exactLow, 4);
    expect(exact.high).toBeCloseTo(exactHigh, 4);
  });

  it('has the closed forms at the ends', () => {
    expect(clopperPearsonUpper(0, 59)).toBeCloseTo(1 - 0.05 ** (1 / 59), 12);
    expect(clopperPearsonLower(59, 59)).toBeCloseTo(0.05 ** (1 / 59), 12);
    expect(clopperPearsonUpper(7, 7)).toBe(1);
    expect(clopperPearsonLower(0, 7)).toBe(0);
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
    expect(wilson(5, 5).high).toBe(1);
  });

  it('follows the sum of the binomial terms', () => {
    for (const [k, n, p] of [
      [0, 1, 0.5],
      [3, 100, 0.05],
      [40, 1000, 0.05],
      [290, 6000, 0.05],
      [90, 100, 0.9],
    ] as const) {
      expect(binomialAtMost(k, n, p)).toBeCloseTo(summed(k, n, p), 10);
    }
  });

  it('is the bound at which so few events have probability delta', () => {
    for (const delta of [0.01, 0.05, 0.1]) {
      expect(binomialAtMost(12, 300, clopperPearsonUpper(12, 300, delta))).toBeCloseTo(delta, 10);
    }
  });
});
