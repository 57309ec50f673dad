import { describe, expect, it } from 'vitest';
import { createRng, seedOf } from './rng.js';

describe('createRng', () => {
  it('gives the published numbers of the combined generator, so that another language can be checked against them', () => {
    const draw = (seed: number) => {
      const rng = createRng(seed);
      return [1, 2, 3].map(() => Math.round(rng.next() * 2147483563));
    };
    expect(draw(0)).toEqual(referenceDraws(0));
    expect(draw(42)).toEqual(referenceDraws(42));
    expect(draw(2147483647)).toEqual(referenceDraws(2147483647));
  });

  it('never leaves the exact integers of a double', () => {
    expect(40014 * 2147483563).toBeLessThan(Number.MAX_SAFE_INTEGER);
    expect(69621 * 2147483647 + 12345).toBeLessThan(Number.MAX_SAFE_INTEGER);
  });

  it('is uniform: mean, variance and a chi-square over 100 cells', () => {
    const rng = createRng(seedOf(['uniform']));
    const n = 200_000;
    const cells = new Array<number>(100).fill(0);
    let sum = 0;
    let squares = 0;
    let outside = 0;
    for (let i = 0; i < n; i++) {
      const u = rng.next();
      if (!(u > 0 && u < 1)) outside += 1;
      sum += u;
      squares += u * u;
      cells[Math.floor(u * 100)]! += 1;
    }
    expect(outside).toBe(0);
    expect(sum / n).toBeCloseTo(0.5, 2);
    expect(squares / n - (sum / n) ** 2).toBeCloseTo(1 / 12, 2);
    const expected = n / 100;
    const chi2 = cells.reduce((total, count) => total + (count - expected) ** 2 / expected, 0);
    expect(chi2).toBeLessThan(149); // 99.9 % quantile for 99 degrees of freedom: 148.2
    expect(chi2).toBeGreaterThan(56); // and not suspiciously even: 0.01 % quantile
  });

  it.each([-1, 0.5, 2147483648, Number.NaN])('refuses the seed %s', (seed) => {
    expect(() => createRng(seed)).toThrow(RangeError);
  });
});

describe('seedOf', () => {
  it('is a 31-bit integer that depends on every part and on where the parts are cut', () => {
    const seed = seedOf(['secret', 'ns', 'req-1']);
    expect(seed).toBe(seedOf(['secret', 'ns', 'req-1']));
    expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
    expect(new Set([seed, seedOf(['secret', 'ns', 'req-2']), seedOf(['secret', 'nsr', 'eq-1'])]).size).toBe(3);
  });
});

/** The same recurrences in exact big integers. */
function referenceDraws(seed: number): number[] {
  let x = 1n + (BigInt(seed) % 2147483562n);
  let y = 1n + ((BigInt(seed) * 69621n + 12345n) % 2147483398n);
  const draws: number[] = [];
  for (let i = 0; i < 11; i++) {
    x = (40014n * x) % 2147483563n;
    y = (40692n * y) % 2147483399n;
    let z = x - y;
    if (z < 1n) z += 2147483562n;
    if (i >= 8) draws.push(Number(z));
  }
  return draws;
}
