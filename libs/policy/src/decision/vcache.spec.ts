import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { normalQuantile } from '../calibration/normal-quantile.js';
import { VcacheEntry } from './vcache.js';

describe('the quantile of the normal distribution', () => {
  it.each([
    [0.5, 0],
    [0.975, 1.959963984540054],
    [0.025, -1.959963984540054],
    [0.999, 3.090232306167813],
    [1e-6, -4.753424308822899],
  ])('%d', (p, z) => expect(normalQuantile(p)).toBeCloseTo(z, 7));
});

const observed = (observations: readonly (readonly [number, 0 | 1])[]): VcacheEntry => {
  const entry = new VcacheEntry();
  for (const [similarity, right] of observations) entry.observe(similarity, right);
  return entry;
};

describe('an entry of vCache', () => {
  it('is explored until four reuses were judged', () => {
    const entry = observed([0.9, 0.92, 0.94].map((similarity) => [similarity, 1]));
    expect(entry.exploitProbability(1, 0.05)).toBe(0);
    entry.observe(0.96, 1);
    expect(entry.exploitProbability(1, 0.05)).toBeGreaterThan(0);
  });

  it('is served the more surely, the more similar the request and the larger the error rate', () => {
    const rng = createRng(4);
    const entry = observed(
      Array.from({ length: 60 }, () => {
        const similarity = rng.next();
        return [similarity, rng.next() < 1 / (1 + Math.exp(-20 * (similarity - 0.6))) ? 1 : 0] as const;
      }),
    );
    const at = (similarity: number) => entry.exploitProbability(similarity, 0.02);
    expect(at(0.3)).toBeLessThan(0.03);
    expect(at(0.7)).toBeGreaterThan(at(0.6));
    expect(at(0.98)).toBeGreaterThan(0.3);
    expect(entry.exploitProbability(0.6, 0.1)).toBeGreaterThan(at(0.6));
  });

  it('keeps its error rate where the curve is what it assumes', () => {
    const rng = createRng(9);
    const rightAt = (similarity: number) => 1 / (1 + Math.exp(-25 * (similarity - 0.7)));
    let [served, wrong, asked] = [0, 0, 0];
    for (let e = 0; e < 40; e++) {
      const entry = new VcacheEntry();
      for (let i = 0; i < 100; i++) {
        const similarity = 0.4 + 0.6 * rng.next();
        const right = rng.next() < rightAt(similarity) ? 1 : 0;
        asked += 1;
        if (rng.next() >= entry.exploitProbability(similarity, 0.05)) entry.observe(similarity, right);
        else {
          served += 1;
          wrong += 1 - right;
        }
      }
    }
    expect(served / asked).toBeGreaterThan(0.05);
    expect(wrong / asked).toBeLessThan(0.05);
  });

  it('takes no harm from reuses that are all wrong, or all alike', () => {
    const wrong = observed(Array.from({ length: 20 }, () => [0.95, 0] as const));
    expect(wrong.exploitProbability(0.95, 0.05)).toBeLessThan(0.1);
    const right = observed(Array.from({ length: 20 }, () => [1, 1] as const));
    expect(right.exploitProbability(1, 0.05)).toBeGreaterThan(0.5);
  });
});
