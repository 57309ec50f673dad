import { literalGate } from '@reprise/policy';
import { dataRoot, hasDataSet, solarRuns, type SolarTask } from '@reprise/simulator';
import { describe, expect, it } from 'vitest';

const root = dataRoot(process.env);
const available = hasDataSet(root, 'solar-synthetic');
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

type Setting = Pick<SolarTask, 'experiment' | 'capacity'> & Partial<SolarTask>;

const run = (setting: Setting) => solarRuns({ policy: 'solar', mode: 'product', draws: 10, ...setting }, root);
const hits = (setting: Setting) => mean(run(setting).map(({ hitRate }) => hitRate));
const stored = (setting: Setting) => mean(run(setting).map(({ storeRate }) => storeRate));

const drift = { experiment: 'topic_drift', capacity: 20 } as const;
const cycling = { experiment: 'cycling', tag: 'm20', capacity: 10 } as const;
const workingSet = { experiment: 'working_set', capacity: 15 } as const;

describe.skipIf(!available)('the product on SOLAR’s workloads (needs shared/data/solar-synthetic)', () => {
  it('keeps drift at .88 or more and cycling with m/K = 2 at .35 or more', () => {
    expect(hits(drift)).toBeGreaterThanOrEqual(0.88);
    expect(hits(cycling)).toBeGreaterThanOrEqual(0.35);
  });

  it('beats the gate on novelty, which the paper ran, wherever there is something to follow', () => {
    const reference = { mode: 'reference', draws: 1 } as const;
    expect(hits(workingSet)).toBeGreaterThan(hits({ ...workingSet, ...reference }) + 0.1);
    expect(hits(drift)).toBeGreaterThan(hits({ ...drift, ...reference }) + 0.2);
  });

  it('has no gate left when τ is one miss and the test is not strict, as in Algorithm 1 with τ₀ = 1', () => {
    const admitAll = stored({ ...cycling, mode: 'plain', change: { gate: { ...literalGate, tau0: 1 } } });
    expect(admitAll).toBeGreaterThan(1.7 * stored(cycling));
  });
});

describe.skipIf(!available)('SOLAR in its published form (needs shared/data/solar-synthetic)', () => {
  it('stores 41 items of the working set from K = 50 on', () => {
    const sizes = run({ experiment: 'working_set', capacity: 50, mode: 'reference', draws: 1 }).map(({ size }) => size);
    expect(Math.round(mean(sizes))).toBe(41);
  });

  it('stores 324 to 328 items of the noise stream from K = 500 on', () => {
    const runs = run({ experiment: 'retrieval_noise_stream', capacity: 500, mode: 'reference', draws: 1 });
    for (const { size, storeRate } of runs) {
      expect(size).toBeGreaterThanOrEqual(324);
      expect(size).toBeLessThanOrEqual(328);
      expect(Math.abs(storeRate - 0.065)).toBeLessThan(0.001);
    }
  });
});
