import { literalGate, plainPolicy, productPolicy, referencePolicy, type StorePolicyName } from '@reprise/policy';
import { describe, expect, it } from 'vitest';
import { dataDir, loadSynthetic, seeds } from './support/synthetic-data.js';
import { replay, type PolicyOf, type ReplayOptions, type ReplayResult } from './support/synthetic-replay.js';

/**
 * The synthetic tables of the SOLAR paper through the product's policy code (algorithms.md §1.9). Policies without a draw give every
 * printed digit. Those with one use another generator than the paper's numpy, so they are averaged over several policy seeds.
 */
const available = dataDir('solar-synthetic') !== undefined;

type Variant = { readonly tag?: string; readonly K?: number };

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function measure(
  experiment: string,
  variant: Variant,
  policy: PolicyOf,
  options: ReplayOptions,
  draws = 1,
): Pick<ReplayResult, 'hitRate' | 'precision' | 'storeRate' | 'size'> {
  const results = seeds.flatMap((seed) => {
    const workload = loadSynthetic(experiment, seed, variant);
    return Array.from({ length: draws }, (_, draw) => replay(workload, policy, options, seed * 1000 + draw));
  });
  const over = (field: 'hitRate' | 'precision' | 'storeRate' | 'size') => mean(results.map((result) => result[field]));
  return { hitRate: over('hitRate'), precision: over('precision'), storeRate: over('storeRate'), size: over('size') };
}

/** The reference mode: gate on novelty, retrieved entries counted as used in the order that the reference uses. */
function reference(name: StorePolicyName, experiment: string, capacity: number, variant: Variant = {}, draws = 1) {
  const gated = name === 'solar' || name === 'solar-a';
  const options = {
    regret: gated ? 'novelty' : 'miss',
    usedOrder: name === 'arc' ? 'rank' : 'inserted',
    depth: 3,
  } as const;
  return measure(experiment, variant, (views) => referencePolicy(name, capacity, views.novelty), options, draws);
}

const digits = (value: number) => Number(value.toFixed(3));
const cycles = [10, 15, 20, 30, 50] as const;
const sampled = 10;

describe.skipIf(!available)('SOLAR tables 8 and 9 and topic drift (needs shared/data/solar-synthetic)', () => {
  it.each<[StorePolicyName, number[]]>([
    ['fifo', [0.9, 0, 0, 0, 0]],
    ['lru', [0.377, 0.169, 0.077, 0.019, 0.001]],
    ['lfu', [0.597, 0.52, 0.405, 0.269, 0.162]],
    ['arc', [0.487, 0.349, 0.238, 0.159, 0.059]],
    ['solar-a', [0.703, 0.544, 0.4, 0.269, 0.161]],
  ])('table 8, cycling, K = 10: %s to every digit', (name, published) => {
    expect(cycles.map((m) => digits(reference(name, 'cycling', 10, { tag: `m${m}` }).hitRate))).toEqual(published);
  });

  it('table 8: store rate of SOLAR-A', () => {
    const rates = cycles.map((m) => digits(reference('solar-a', 'cycling', 10, { tag: `m${m}` }).storeRate));
    expect(rates).toEqual([0.12, 0.111, 0.107, 0.103, 0.099]);
  });

  it.each<[StorePolicyName, number[]]>([
    ['solar', [0.687, 0.538, 0.402, 0.257, 0.157]],
    ['solar-e', [0.553, 0.387, 0.29, 0.197, 0.114]],
  ])('table 8: %s within .02', (name, published) => {
    cycles.forEach((m, i) => {
      const { hitRate } = reference(name, 'cycling', 10, { tag: `m${m}` }, sampled);
      expect(Math.abs(hitRate - (published[i] as number)), `m = ${m}: ${hitRate}`).toBeLessThanOrEqual(0.02);
    });
  });

  const capacities = [5, 10, 15, 20, 30, 50, 100, 200] as const;

  it('table 9, working set: FIFO to every digit', () => {
    const rates = capacities.map((K) => digits(reference('fifo', 'working_set', K).hitRate));
    expect(rates).toEqual([0.306, 0.493, 0.616, 0.727, 0.859, 0.944, 0.969, 0.97]);
  });

  it('table 9: SOLAR within .02, and from K = 50 on to the digit, because it never evicts', () => {
    const published = [0.327, 0.577, 0.713, 0.808, 0.845, 0.951, 0.951, 0.951];
    capacities.forEach((K, i) => {
      const { hitRate, size } = reference('solar', 'working_set', K, {}, K < 50 ? 2 * sampled : 1);
      expect(Math.abs(hitRate - (published[i] as number)), `K = ${K}: ${hitRate}`).toBeLessThanOrEqual(0.02);
      if (K >= 50) expect([digits(hitRate), Math.round(size)]).toEqual([0.951, 41]);
    });
  });

  it.each<[StorePolicyName, number]>([
    ['solar-a', 0.815],
    ['lfu', 0.616],
    ['lru', 0.574],
    ['arc', 0.567],
  ])('table 9, K = 15: %s to every digit', (name, published) => {
    expect(digits(reference(name, 'working_set', 15).hitRate)).toBe(published);
  });

  it.each<[StorePolicyName, number]>([
    ['fifo', 0.95],
    ['lru', 0.918],
    ['arc', 0.907],
    ['lfu', 0.371],
    ['solar-a', 0.677],
  ])('topic drift, K = 20: %s to every digit', (name, published) => {
    expect(digits(reference(name, 'topic_drift', 20).hitRate)).toBe(published);
  });

  it.each<[StorePolicyName, number]>([
    ['solar', 0.616],
    ['solar-e', 0.825],
  ])('topic drift: %s within .02', (name, published) => {
    expect(Math.abs(reference(name, 'topic_drift', 20, {}, 5).hitRate - published)).toBeLessThanOrEqual(0.02);
  });
});

describe.skipIf(!available)('the product on the same workloads (needs shared/data/solar-synthetic)', () => {
  const misses = { regret: 'miss', usedOrder: 'rank', depth: 3 } as const;
  const shipped = (experiment: string, capacity: number, variant: Variant = {}) =>
    measure(experiment, variant, () => productPolicy('solar', capacity), misses, sampled).hitRate;

  it('keeps drift at .88 or more and cycling with m/K = 2 at .35 or more', () => {
    expect(shipped('topic_drift', 20)).toBeGreaterThanOrEqual(0.88);
    expect(shipped('cycling', 10, { tag: 'm20' })).toBeGreaterThanOrEqual(0.35);
  });

  it('beats the gate on novelty, which the paper ran, wherever there is something to follow', () => {
    expect(shipped('working_set', 15)).toBeGreaterThan(reference('solar', 'working_set', 15).hitRate + 0.1);
    expect(shipped('topic_drift', 20)).toBeGreaterThan(reference('solar', 'topic_drift', 20).hitRate + 0.2);
  });

  it('has no gate left when τ is one miss and the test is not strict, as in Algorithm 1 with τ₀ = 1', () => {
    const admitAll = measure(
      'cycling',
      { tag: 'm20' },
      () => plainPolicy('solar', 10, { gate: { ...literalGate, tau0: 1 } }),
      misses,
    );
    const strict = measure('cycling', { tag: 'm20' }, () => productPolicy('solar', 10), misses);
    expect(admitAll.storeRate).toBeGreaterThan(1.7 * strict.storeRate);
  });
});
