import { createRng, seedOf } from '@reprise/kernel';
import { plainPolicy, referencePolicy, type StorePolicyName } from '@reprise/policy';
import { describe, expect, it } from 'vitest';
import { dataDir, loadSynthetic, seeds, type SyntheticWorkload } from './support/synthetic-data.js';
import { replay, type ReplayResult } from './support/synthetic-replay.js';

const available = dataDir('solar-synthetic') !== undefined;
const poolSizes = [50, 200, 500, 1000, 2000, 5000] as const;
const options = { regret: 'miss', usedOrder: 'inserted', depth: 3 } as const;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const digits = (values: readonly number[]) => Number(mean(values).toFixed(3));

/** The frozen pool: prefilled, nothing offered. */
function frozen(workload: SyntheticWorkload): ReplayResult {
  const nothing = workload.relevant.map(() => null);
  return replay({ ...workload, stream: nothing }, () => plainPolicy('fifo', 5000), options);
}

describe.skipIf(!available)('SOLAR table 10, static retrieval noise (needs shared/data/solar-synthetic)', () => {
  it('hit rate and precision of every pool to every digit', () => {
    const rows = poolSizes.map((K) =>
      seeds.map((seed) => frozen(loadSynthetic('retrieval_noise_static', seed, { K }))),
    );
    expect(rows.map((row) => digits(row.map(({ hitRate }) => hitRate)))).toEqual([
      0.067, 0.17, 0.186, 0.201, 0.195, 0.09,
    ]);
    const precision = rows.map((row) => digits(row.map((result) => result.precision)));
    expect(precision).toEqual([0.022, 0.058, 0.065, 0.07, 0.068, 0.03]);
  });

  it('has no inverted U when the pool is drawn uniformly, as the paper says it is', () => {
    const rates = ([50, 500, 1000] as const).map((K) =>
      digits(
        seeds.map((seed) => {
          const workload = loadSynthetic('retrieval_noise_static', seed, { K });
          return frozen({ ...workload, prefill: uniformPool(K, seed) }).hitRate;
        }),
      ),
    );
    [0.026, 0.091, 0.1].forEach((published, i) => {
      expect(Math.abs((rates[i] as number) - published), rates.join(' ')).toBeLessThan(0.03);
    });
  });
});

describe.skipIf(!available)('SOLAR table 11, stream retrieval noise (needs shared/data/solar-synthetic)', () => {
  const run = (name: StorePolicyName, K: number) =>
    seeds.map((seed) => {
      const workload = loadSynthetic('retrieval_noise_stream', seed);
      const fifo = name === 'fifo';
      const mode = { ...options, regret: fifo ? 'miss' : 'novelty', scoredOnly: fifo } as const;
      return replay(workload, (views) => referencePolicy(name, K, views.novelty), mode);
    });
  const hits = (results: readonly ReplayResult[]) => digits(results.map(({ hitRate }) => hitRate));

  it('FIFO to every digit', () => {
    expect([200, 500, 1000, 5000].map((K) => hits(run('fifo', K)))).toEqual([0.075, 0.089, 0.087, 0.09]);
  });

  it('SOLAR: at K = 200 within .02, above to every digit, because it stores 324 to 328 items and never evicts', () => {
    expect(Math.abs(hits(run('solar', 200)) - 0.083)).toBeLessThanOrEqual(0.02);
    const roomy = run('solar', 500);
    expect(hits(roomy)).toBe(0.094);
    for (const { size, storeRate } of roomy) {
      expect(size).toBeGreaterThanOrEqual(324);
      expect(size).toBeLessThanOrEqual(328);
      expect(Math.abs(storeRate - 0.065)).toBeLessThan(0.001);
    }
  });

  it('SOLAR-A at K = 200 to every digit', () => {
    expect(hits(run('solar-a', 200))).toBe(0.09);
  });
});

function uniformPool(size: number, seed: number): number[] {
  const rng = createRng(seedOf(['uniform pool', String(seed)]));
  const items = Array.from({ length: 5000 }, (_, i) => i);
  for (let i = 0; i < size; i++) {
    const j = i + Math.floor(rng.next() * (items.length - i));
    [items[i], items[j]] = [items[j] as number, items[i] as number];
  }
  return items.slice(0, size);
}
