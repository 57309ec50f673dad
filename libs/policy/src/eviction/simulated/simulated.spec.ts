import { createRng, seedOf } from '@reprise/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPolicy, type PolicyName } from '../../registry.js';
import type { CachePolicy } from '../cache-policy.js';
import { FrequencySketch } from './frequency-sketch.js';

/** Asks for every id of a trace in turn; returns what was hit. */
function hitsOf(policy: CachePolicy, trace: readonly string[]): boolean[] {
  return trace.map((id, n) => {
    const hit = policy.has(id);
    policy.feedback({ requestId: `r${n}`, used: hit ? [id] : [], delta: hit ? 0 : 1 });
    if (!hit) policy.admit({ requestId: `r${n}`, id, seed: n });
    return hit;
  });
}

const count = (hits: readonly boolean[]) => hits.filter(Boolean).length;

function zipf(length: number, items: number, seed: string): string[] {
  const rng = createRng(seedOf([seed]));
  const weights = Array.from({ length: items }, (_, i) => 1 / (i + 1));
  const total = weights.reduce((a, b) => a + b);
  return Array.from({ length }, () => {
    let left = rng.next() * total;
    return String(weights.findIndex((weight) => (left -= weight) < 0));
  });
}

const simulated = ['w-tinylfu', 's3-fifo', 'sieve', 'clairvoyant'] as const satisfies readonly PolicyName[];
const traces = fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 200, size: 'max' });

describe.each(simulated)('%s', (name) => {
  it('never holds more than its capacity and reports what it holds and evicts', () => {
    fc.assert(
      fc.property(traces, fc.integer({ min: 1, max: 6 }), (trace, capacity) => {
        const policy = createPolicy(name, { capacity, future: trace });
        let held = new Set<string>();
        trace.forEach((id, n) => {
          const hit = policy.has(id);
          expect(hit).toBe(held.has(id));
          policy.feedback({ requestId: `r${n}`, used: hit ? [id] : [], delta: 0 });
          if (hit) return;
          const { admitted, evicted } = policy.admit({ requestId: `r${n}`, id, seed: n });
          held = new Set([...held, ...(admitted ? [id] : [])].filter((other) => !evicted.includes(other)));
          expect([...policy.ids()].sort()).toEqual([...held].sort());
          expect(policy.size).toBe(held.size);
          expect(policy.size).toBeLessThanOrEqual(capacity);
        });
      }),
      { numRuns: 150 },
    );
  });

  it.each([0, 1.5, Number.NaN])('refuses the capacity %s', (capacity) => {
    expect(() => createPolicy(name, { capacity })).toThrow(RangeError);
  });
});

describe('clairvoyant', () => {
  it('reaches the most hits that any choice of victims can (brute force on short traces)', () => {
    const best = (trace: readonly string[], capacity: number, held: ReadonlySet<string> = new Set()): number => {
      const [id, ...rest] = trace;
      if (id === undefined) return 0;
      if (held.has(id)) return 1 + best(rest, capacity, held);
      const without = best(rest, capacity, held);
      if (held.size < capacity) return Math.max(without, best(rest, capacity, new Set([...held, id])));
      const swaps = [...held].map((out) => best(rest, capacity, new Set([...held, id].filter((x) => x !== out))));
      return Math.max(without, ...swaps);
    };
    const short = fc.array(fc.constantFrom(...'abcd'), { maxLength: 9 });
    fc.assert(
      fc.property(short, fc.integer({ min: 1, max: 3 }), (trace, capacity) => {
        expect(count(hitsOf(createPolicy('clairvoyant', { capacity, future: trace }), trace))).toBe(
          best(trace, capacity),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('bounds every other policy', () => {
    const trace = zipf(4000, 400, 'bound');
    const hits = (name: PolicyName) => count(hitsOf(createPolicy(name, { capacity: 40, future: trace }), trace));
    const bound = hits('clairvoyant');
    for (const name of ['fifo', 'lru', 'lfu', 'arc', 'w-tinylfu', 's3-fifo', 'sieve', 'solar-e'] as const) {
      expect(hits(name)).toBeLessThan(bound);
    }
  });
});

describe('the frequency rules', () => {
  it('beat FIFO on a skewed trace: SIEVE, S3-FIFO and W-TinyLFU', () => {
    const trace = zipf(20_000, 1000, 'skew');
    const hits = (name: PolicyName) => count(hitsOf(createPolicy(name, { capacity: 50 }), trace));
    const fifo = hits('fifo');
    for (const name of ['sieve', 's3-fifo', 'w-tinylfu'] as const) expect(hits(name)).toBeGreaterThan(1.1 * fifo);
  });

  it('survive a scan: the protected part of W-TinyLFU is still there after 1,000 new ids, where LRU has nothing left', () => {
    const warm = Array.from({ length: 40 }, () => ['a', 'b', 'c', 'd', 'e']).flat();
    const scan = Array.from({ length: 1000 }, (_, i) => `scan ${i}`);
    const kept = (name: PolicyName) => {
      const policy = createPolicy(name, { capacity: 20 });
      hitsOf(policy, [...warm, ...scan]);
      return ['a', 'b', 'c', 'd', 'e'].filter((id) => policy.has(id)).length;
    };
    expect(kept('w-tinylfu')).toBeGreaterThanOrEqual(4);
    expect(kept('lru')).toBe(0);
  });
});

describe('SIEVE', () => {
  it('evicts the first unvisited entry under the hand, clears the bits it passes and starts again from the oldest', () => {
    const policy = createPolicy('sieve', { capacity: 3 });
    hitsOf(policy, ['a', 'b', 'c', 'a', 'b']);
    expect(policy.admit({ requestId: 'x', id: 'd', seed: 0 }).evicted).toEqual(['c']);
    expect(policy.admit({ requestId: 'y', id: 'e', seed: 0 }).evicted).toEqual(['a']);
    expect(policy.admit({ requestId: 'z', id: 'f', seed: 0 }).evicted).toEqual(['b']);
  });
});

describe('S3-FIFO', () => {
  it('sends what was used twice to main, what was not to the ghosts, and a ghost that returns to main', () => {
    const policy = createPolicy('s3-fifo', { capacity: 10 });
    const ids = Array.from({ length: 10 }, (_, i) => `e${i}`);
    hitsOf(policy, [...ids, 'e0', 'e0']);
    hitsOf(policy, ['n1']);
    expect(policy.has('e0')).toBe(true);
    expect(policy.has('e1')).toBe(false);
    hitsOf(policy, ['e1']);
    const more = Array.from({ length: 9 }, (_, i) => `m${i}`);
    hitsOf(policy, more);
    expect(policy.has('e1')).toBe(true);
  });
});

describe('FrequencySketch', () => {
  it('counts up to 15, never too low before it is halved, and halves', () => {
    const sketch = new FrequencySketch(100);
    for (let i = 0; i < 40; i++) sketch.add('hot');
    sketch.add('cold');
    expect(sketch.estimate('hot')).toBe(15);
    expect(sketch.estimate('cold')).toBeGreaterThanOrEqual(1);
    for (let i = 0; i < 959; i++) sketch.add(`other ${i}`);
    expect(sketch.estimate('hot')).toBe(7);
  });
});
