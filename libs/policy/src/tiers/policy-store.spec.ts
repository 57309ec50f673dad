import { createRng, seedOf } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { drawBeta } from '../eviction/beta.js';
import { PolicyInputError } from './policy-calls.js';
import { plainPolicy, productPolicy, type PolicyConfig, type StorePolicyName } from './policy-config.js';
import { PolicyStore } from './policy-store.js';
import { findFaults } from './store-check.js';

let requests = 0;
const next = () => `req-${(requests += 1)}`;

function storeOf(name: StorePolicyName, capacity: number, change: Partial<PolicyConfig> = {}) {
  const store = new PolicyStore(plainPolicy(name, capacity, change));
  return {
    store,
    offer: (id: string, importance = 0, source = 0) =>
      store.admit({ requestId: next(), id, importance, source, seed: seedOf([id]) }),
    use: (...used: string[]) => store.feedback({ requestId: next(), used, delta: 0 }),
    claim: (id: string, importance: number, source = 0) =>
      store.feedback({ requestId: next(), used: [id], delta: 0, importance, source }),
    miss: (delta = 1) => store.feedback({ requestId: next(), used: [], delta }),
  };
}

describe('victims', () => {
  it('of FIFO are the oldest, used or not', () => {
    const { offer, use } = storeOf('fifo', 2);
    offer('a');
    offer('b');
    use('a');
    expect(offer('c').evicted).toEqual(['a']);
    expect(offer('d').evicted).toEqual(['b']);
  });

  it('of LRU are the least recently used', () => {
    const { offer, use } = storeOf('lru', 2);
    offer('a');
    offer('b');
    use('a');
    expect(offer('c').evicted).toEqual(['b']);
    expect(offer('d').evicted).toEqual(['a']);
  });

  it('of LFU are the least used, then the oldest', () => {
    const { offer, use } = storeOf('lfu', 3);
    ['a', 'b', 'c'].forEach((id) => offer(id));
    use('a');
    expect(offer('d').evicted).toEqual(['b']);
    expect(offer('e').evicted).toEqual(['c']);
  });

  it('of GreedyDual age by the clock: what is never used goes once the clock has passed its value', () => {
    const { store, offer } = storeOf('gds', 2, { corroboration: 1 });
    offer('dear', 3);
    const junk = Array.from({ length: 6 }, (_, i) => offer(`junk ${i}`, 1).evicted).flat();
    expect(junk).toContain('dear');
    expect(junk.indexOf('dear')).toBeGreaterThanOrEqual(2);
    expect(store.size).toBe(2);
  });

  it('are chosen among at most the given number of candidates, the same ones for the same seed', () => {
    const fill = () => {
      const { store, offer } = storeOf('solar-e', 500, { candidates: 8 });
      for (let i = 0; i < 500; i++) offer(`e${i}`);
      return store;
    };
    const victim = (seed: number) => fill().admit({ requestId: 'r', id: 'new', seed }).evicted;
    expect(victim(12345)).toEqual(victim(12345));
    expect(new Set([1, 2, 3, 4, 5, 6].map((n) => victim(seedOf([String(n)]))[0])).size).toBeGreaterThan(3);
  });
});

describe('Thompson victims', () => {
  it('go as often as a Monte Carlo of argmin says (chi-square)', () => {
    const uses = [0, 1, 2, 4, 8];
    const build = () => {
      const { store, offer, use } = storeOf('solar-e', 5, { bonus: { kind: 'age', weight: 0, scale: 20 } });
      uses.forEach((_, i) => offer(`e${i}`));
      uses.forEach((count, i) => Array.from({ length: count }, () => use(`e${i}`)));
      return store;
    };
    const runs = 2000;
    const seen = uses.map(() => 0);
    for (let n = 0; n < runs; n++) {
      const [victim] = build().admit({ requestId: 'r', id: 'new', seed: seedOf(['chi', String(n)]) }).evicted;
      seen[Number(victim?.slice(1))]! += 1;
    }
    const store = build();
    const rng = createRng(seedOf(['monte carlo']));
    const trials = 60_000;
    const expected = uses.map(() => 0);
    for (let n = 0; n < trials; n++) {
      const draws = uses.map((_, i) => {
        const { alpha, beta, tick } = store.entry(`e${i}`)!.record;
        return drawBeta(alpha, beta + 0.05 * (store.moment.ticks - tick), rng);
      });
      expected[draws.indexOf(Math.min(...draws))]! += 1;
    }
    const pooled = (counts: number[]) => [counts[0]!, counts[1]!, counts[2]!, counts[3]! + counts[4]!];
    const model = pooled(expected).map((count) => (count / trials) * runs);
    const chi2 = pooled(seen).reduce((sum, count, i) => sum + (count - model[i]!) ** 2 / model[i]!, 0);
    expect(Math.min(...model)).toBeGreaterThan(5);
    expect(chi2).toBeLessThan(16.3); // 99.9 % quantile for 3 degrees of freedom
  });
});

describe('the gate in the store', () => {
  it('admits all while there is room, then every second miss, and says why', () => {
    const { offer, miss } = storeOf('solar', 2);
    const reasons = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => {
      miss();
      return offer(id).reason;
    });
    expect(reasons).toEqual(['bootstrap', 'bootstrap', 'below-threshold', 'regret', 'below-threshold', 'regret']);
  });

  it('is not asked by explicit writes, and they count as steps', () => {
    const { store, offer, miss } = storeOf('solar', 1);
    miss(0);
    offer('a');
    const reply = store.admit({ requestId: next(), id: 'b', explicit: true, seed: 1 });
    expect(reply).toMatchObject({ admitted: true, reason: 'open', evicted: ['a'] });
    expect(store.moment.step).toBe(2);
  });

  it('never opens for reuses without loss', () => {
    const { store, offer, use } = storeOf('solar', 1);
    offer('a');
    for (let i = 0; i < 100; i++) {
      use('a');
      offer(`new ${i}`);
    }
    expect([...store.ids()]).toEqual(['a']);
  });
});

describe('offers of what is there', () => {
  it('refresh the live entry, by id or by the duplicate that the caller found', () => {
    const { store, offer } = storeOf('lru', 2);
    offer('a');
    offer('b');
    const same = store.admit({ requestId: next(), id: 'fresh', duplicateOf: 'a', seed: 1 });
    expect(same).toMatchObject({ admitted: false, reason: 'duplicate', refreshed: 'a' });
    expect(offer('c').evicted).toEqual(['b']);
    expect(store.has('fresh')).toBe(false);
  });

  it('are admitted when the duplicate is gone', () => {
    const { store, offer } = storeOf('lru', 2);
    offer('a');
    store.remove('a');
    expect(store.admit({ requestId: next(), id: 'fresh', duplicateOf: 'a', seed: 1 }).admitted).toBe(true);
  });
});

describe('importance', () => {
  it('counts from the second independent use, as a running maximum, never the first claim', () => {
    const { store, offer, claim } = storeOf('two-tier', 10);
    offer('a', 99);
    expect(store.entry('a')).toMatchObject({ tier: 'recency', record: { importance: 0 } });
    claim('a', 5);
    expect(store.entry('a')).toMatchObject({ tier: 'protected', record: { importance: 5 } });
    claim('a', 3);
    expect(store.entry('a')?.record.importance).toBe(5);
  });

  it('of one source alone never counts, however often it asks', () => {
    const { store, offer, claim } = storeOf('two-tier', 10);
    offer('a', 99, 7);
    for (let i = 0; i < 50; i++) claim('a', 99, 7);
    expect(store.entry('a')?.tier).toBe('recency');
    claim('a', 4, 8);
    expect(store.entry('a')).toMatchObject({ tier: 'protected', record: { importance: 4 } });
  });

  it('is corroborated by a second request even when the first one left no entry', () => {
    const { store, offer } = storeOf('two-tier', 10);
    offer('a', 99);
    store.remove('a');
    expect(offer('a', 6)).toMatchObject({ reason: 'protected', tier: 'protected' });
  });

  it('of an accepted label promotes', () => {
    const { store, offer } = storeOf('two-tier', 10);
    offer('a');
    const label = { requestId: next(), id: 'a', verdict: 'correct', importance: 2 } as const;
    expect(store.label(label)).toEqual({ applied: true, promoted: ['a'], demoted: [] });
  });
});

describe('the protected tier', () => {
  it('gives a slot only to strictly more importance, and the loser becomes the most recent', () => {
    const { store, offer, claim } = storeOf('two-tier', 4);
    ['a', 'b', 'c'].forEach((id) => offer(id));
    claim('a', 5);
    expect(claim('b', 5)).toMatchObject({ promoted: [], demoted: [] });
    expect(claim('c', 6)).toMatchObject({ promoted: ['c'], demoted: ['a'] });
    expect(store.idsOf('recency').at(-1)).toBe('a');
  });

  it('survives 100,000 unique junk offers, and as many that claim the highest importance (invariant 10)', () => {
    for (const importance of [0, 1000]) {
      const { store, offer, claim, miss } = storeOf('solar', 150, { protectedShare: 0.2, candidates: 16 });
      const proven = Array.from({ length: 30 }, (_, i) => `proven ${i}`);
      for (const id of proven) {
        offer(id, 10);
        claim(id, 10);
      }
      for (let i = 0; i < 100_000; i++) {
        miss();
        offer(`junk ${i}`, importance);
      }
      expect(store.idsOf('protected')).toEqual([...proven].sort());
      expect(store.counters.gated).toBeGreaterThan(49_000);
      expect(findFaults(store)).toEqual([]);
    }
  });
});

describe('label', () => {
  it('adds evidence, and is counted without effect when the entry is gone', () => {
    const { store, offer } = storeOf('solar', 2);
    offer('a');
    store.label({ requestId: 'x', id: 'a', verdict: 'incorrect' });
    store.label({ requestId: 'x', id: 'a', verdict: 'incorrect' });
    expect(store.entry('a')?.record).toMatchObject({ alpha: 1, beta: 2 });
    expect(store.label({ requestId: 'y', id: 'gone', verdict: 'correct' }).applied).toBe(false);
    expect(store.counters).toMatchObject({ labelsCorrect: 1, labelsIncorrect: 1, labelsLate: 1 });
  });
});

describe('install', () => {
  const filled = () => {
    const store = new PolicyStore(productPolicy('lru', 10));
    for (const id of 'abcdefghij') store.admit({ requestId: next(), id, seed: 1 });
    return store;
  };
  const install = (store: PolicyStore, planned: string[], change: { capacity?: number; maxTrim?: number } = {}) =>
    store.install({
      expectedVersion: store.version,
      version: store.version + 1,
      planned,
      maxTrim: 100,
      seed: 1,
      ...change,
    });

  it('does nothing on another version', () => {
    const store = filled();
    const reply = store.install({ expectedVersion: 3, version: 4, planned: ['a'], maxTrim: 9, seed: 1 });
    expect(reply).toMatchObject({ installed: false, version: 0 });
    expect(store.idsOf('planned')).toEqual([]);
  });

  it('moves the chosen in and the others back as most recent, and names the dead', () => {
    const store = filled();
    install(store, ['c', 'a']);
    expect(store.idsOf('planned')).toEqual(['c', 'a']);
    expect(install(store, ['b', 'dead'])).toMatchObject({ dropped: ['dead'], demoted: ['c', 'a'] });
    expect(store.idsOf('recency').slice(-2)).toEqual(['c', 'a']);
  });

  it('keeps planned entries from eviction', () => {
    const store = filled();
    install(store, ['a', 'b', 'c', 'd', 'e']);
    for (let i = 0; i < 100; i++) store.admit({ requestId: next(), id: `new ${i}`, seed: 1 });
    expect(store.idsOf('planned')).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(store.size).toBe(10);
  });

  it('shrinks in bounded calls, and never grows meanwhile', () => {
    const store = filled();
    const first = install(store, [], { capacity: 4, maxTrim: 2 });
    expect(first).toMatchObject({ evicted: ['a', 'b'], remaining: 4 });
    store.admit({ requestId: next(), id: 'new', seed: 1 });
    expect(store.size).toBe(8);
    expect(install(store, [], { capacity: 4 })).toMatchObject({ remaining: 0 });
    expect([...store.ids()]).toHaveLength(4);
    expect(store.capacity).toBe(4);
  });

  it('protects a released planned entry whose importance qualifies', () => {
    const store = filled();
    install(store, ['a']);
    store.feedback({ requestId: next(), used: ['a'], delta: 0, importance: 3 });
    expect(install(store, [])).toMatchObject({ promoted: ['a'] });
    expect(store.entry('a')?.tier).toBe('protected');
  });

  it.each([
    ['more planned entries than slots', { planned: ['a', 'b', 'c', 'd', 'e', 'f'] }],
    ['an id twice', { planned: ['a', 'a'] }],
    ['a version that is not new', { version: 0 }],
    ['a capacity below one', { capacity: 0 }],
  ])('refuses %s', (_, change) => {
    const store = filled();
    const call = { expectedVersion: 0, version: 1, planned: [], maxTrim: 1, seed: 1, ...change };
    expect(() => store.install(call)).toThrow(PolicyInputError);
    expect(store.version).toBe(0);
  });
});

describe('input', () => {
  const store = new PolicyStore(plainPolicy('solar', 4));

  it.each([-0.1, 1.1, Number.NaN, Infinity])('refuses the loss %s', (delta) => {
    expect(() => store.feedback({ requestId: next(), used: [], delta })).toThrow(PolicyInputError);
    expect(store.moment.step).toBe(0);
  });

  it.each([
    { importance: -1 },
    { importance: Number.NaN },
    { size: 0 },
    { novelty: 2 },
    { seed: -1 },
    { seed: 0.5 },
    { source: 2 ** 31 },
    { id: '' },
  ])('refuses the offer %o', (change) => {
    expect(() => store.admit({ requestId: next(), id: 'a', seed: 1, ...change })).toThrow(PolicyInputError);
    expect(store.size).toBe(0);
  });

  it.each([0, -1, 2.5, Number.NaN])('refuses the capacity %s', (capacity) => {
    expect(() => new PolicyStore(plainPolicy('lru', capacity))).toThrow(PolicyInputError);
  });
});
