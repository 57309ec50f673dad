import { createPolicy, policyNames } from '@reprise/policy';
import { describe, expect, it } from 'vitest';
import { runPolicyTask } from '../sweep/policy-task.js';
import { defaultGenerator, generate, type GeneratorOptions } from '../workloads/generator.js';
import { replayItems } from './item-replay.js';

const options: GeneratorOptions = { ...defaultGenerator, requests: 3000, items: 200, seed: 3 };
const source = { from: 'generator', options } as const;
const capacity = 40;
const hitsOf = (policy: Parameters<typeof runPolicyTask>[0]['policy']) =>
  runPolicyTask({ kind: 'policy', source, policy, capacity, seed: 1 }).hits;

describe('a replay of items', () => {
  it('counts a request as served when its item was there before it', () => {
    const request = (item: string, weight = 1) => ({ item, weight, claim: weight, real: true });
    const trace = [
      request('a'),
      request('b', 5),
      request('a'),
      request('c'),
      request('b', 5),
      { ...request('a'), real: false },
    ];
    const outcome = replayItems(trace, createPolicy('fifo', { capacity: 2, change: { rememberedRequests: 0 } }));
    // c pushes a out, b stays; the last request is not scored.
    expect(outcome).toEqual({ requests: 5, hits: 2, served: 6, total: 13 });
  });

  it('gives every policy a place between no cache and its bounds', () => {
    const [unlimited, best] = [hitsOf('unlimited'), hitsOf('clairvoyant')];
    const distinct = new Set(Array.from(generate(options), ({ item }) => item)).size;
    expect(unlimited).toBe(options.requests - distinct);
    for (const name of policyNames.filter((other) => other !== 'unlimited')) {
      const hits = hitsOf(name);
      expect(hits, name).toBeGreaterThan(0);
      expect(hits, name).toBeLessThanOrEqual(best);
    }
    expect(best).toBeLessThan(unlimited);
    expect(hitsOf('exact')).toBeLessThan(unlimited);
  });
});

describe('generated traces', () => {
  it('are the same for the same seed and others for another', () => {
    const ids = (seed: number) => Array.from(generate({ ...options, requests: 50, seed }), ({ item }) => item).join();
    expect(ids(1)).toBe(ids(1));
    expect(ids(1)).not.toBe(ids(2));
  });

  it('cycle, drift, or keep to their popularity', () => {
    const items = (workload: GeneratorOptions['workload']) =>
      Array.from(generate({ ...options, workload }), ({ item }) => Number(item));
    expect(items('cycling').slice(198, 203)).toEqual([198, 199, 0, 1, 2]);
    const zipf = items('zipf');
    const times = (item: number) => zipf.filter((other) => other === item).length;
    expect(times(0)).toBeGreaterThan(times(50));
    expect(Math.max(...zipf)).toBeLessThan(200);
    expect(Math.max(...items('drift'))).toBeGreaterThanOrEqual(200);
  });
});
