import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultGate, literalGate, referenceGate } from '../admission/gate.js';
import { plainPolicy, storePolicyNames, type PolicyConfig } from './policy-config.js';
import { PolicyStore } from './policy-store.js';
import { findFaults } from './store-check.js';

const ids = 'abcdefghijklmnop'.split('');
const id = fc.constantFrom(...ids);
const seed = fc.nat(2 ** 31 - 1);
const unit = fc.double({ min: 0, max: 1, noNaN: true });
const claim = { importance: fc.nat(6), source: fc.nat(3) };

/** A bounded configuration of any store policy; `unlimited` is a store policy with a bound here. */
const config: fc.Arbitrary<PolicyConfig> = fc
  .record({
    name: fc.constantFrom(...storePolicyNames),
    capacity: fc.integer({ min: 1, max: 40 }),
    plannedShare: fc.constantFrom(0, 0.3, 0.5),
    protectedShare: fc.constantFrom(0, 0.2, 0.5),
    gate: fc.constantFrom(defaultGate, referenceGate, literalGate),
    corroboration: fc.integer({ min: 1, max: 3 }),
    candidates: fc.constantFrom(8, 16, 64, Infinity),
    agingEvery: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ name, capacity, agingEvery, ...change }) => {
    const plain = plainPolicy(name, capacity);
    return { ...plain, ...change, posterior: { ...plain.posterior, cap: 12, agingEvery } };
  });

const call = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('feedback' as const),
      used: fc.array(id, { maxLength: 4 }),
      delta: unit,
      ...claim,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('admit' as const),
      id,
      representative: fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r5', 'r6'),
      novelty: unit,
      explicit: fc.boolean(),
      seed,
      ...claim,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('label' as const),
      id,
      verdict: fc.constantFrom('correct' as const, 'incorrect' as const),
      ...claim,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('install' as const),
      planned: fc.uniqueArray(id, { maxLength: 6 }),
      capacity: fc.integer({ min: 1, max: 40 }),
      maxTrim: fc.nat(3),
      seed,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('switch' as const), config }) },
);
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;
const calls = fc.array(call, { maxLength: 120, size: 'max' });

/** Makes one call; `n` makes the request id. */
function apply(store: PolicyStore, step: Call, n: number): unknown {
  const requestId = `req-${n}`;
  switch (step.kind) {
    case 'feedback':
      return store.feedback({ requestId, ...step });
    case 'admit':
      return store.admit({ requestId, ...step });
    case 'label':
      return store.label({ requestId, ...step });
    case 'remove':
      return store.remove(step.id);
    case 'switch':
      return store.switchPolicy(step.config);
    case 'install': {
      const slots = Math.min(step.capacity - 1, Math.floor(store.policy.plannedShare * step.capacity));
      const planned = step.planned.slice(0, Math.max(0, slots - 1));
      return store.install({ ...step, planned, expectedVersion: store.version, version: store.version + 1 });
    }
  }
}

describe('any sequence of calls', () => {
  it('leaves every id in exactly one tier, within the capacity, with sound records (invariants 1, 2, 4, 5, 8)', () => {
    fc.assert(
      fc.property(config, calls, (policy, steps) => {
        const store = new PolicyStore(policy);
        steps.forEach((step, n) => {
          apply(store, step, n);
          expect(findFaults(store)).toEqual([]);
        });
      }),
      { numRuns: 400 },
    );
  });

  it('gives equal replies and equal entries when it is made again (invariant 9)', () => {
    fc.assert(
      fc.property(config, calls, (policy, steps) => {
        const [one, two] = [new PolicyStore(policy), new PolicyStore(policy)];
        steps.forEach((step, n) => expect(apply(one, step, n)).toEqual(apply(two, step, n)));
        expect(describeStore(one)).toEqual(describeStore(two));
      }),
      { numRuns: 150 },
    );
  });

  it('changes nothing when any part of it is repeated with the same request ids (invariant 8)', () => {
    const idempotent = fc.array(
      call.filter(({ kind }) => kind === 'feedback' || kind === 'admit' || kind === 'label'),
      { maxLength: 80, size: 'max' },
    );
    fc.assert(
      fc.property(config, idempotent, fc.nat(80), (policy, steps, until) => {
        const store = new PolicyStore(policy);
        const replies = steps.map((step, n) => apply(store, step, n));
        const before = describeStore(store);
        steps.slice(0, until).forEach((step, n) => expect(apply(store, step, n)).toEqual(replies[n]));
        expect(describeStore(store)).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });

  it('evicts only recency entries, demotes only for more importance, and never lowers an importance (invariant 10)', () => {
    fc.assert(
      fc.property(
        config,
        fc.array(
          call.filter(({ kind }) => kind === 'feedback' || kind === 'admit'),
          { maxLength: 120, size: 'max' },
        ),
        (policy, steps) => {
          const store = new PolicyStore(policy);
          steps.forEach((step, n) => {
            const before = describeStore(store);
            const kept = new Map(before.entries.map((entry) => [entry.id, entry]));
            apply(store, step, n);
            const newcomers = store.idsOf('protected').filter((held) => kept.get(held)?.tier !== 'protected');
            const strongest = Math.max(0, ...newcomers.map((held) => store.entry(held)!.record.importance));
            for (const { id: held, tier, importance } of kept.values()) {
              const now = store.entry(held);
              if (tier !== 'recency') expect(now).toBeDefined();
              if (tier === 'protected' && now?.tier !== 'protected') expect(strongest).toBeGreaterThan(importance);
              if (now && kept.get(held)?.insertedSeq === now.record.insertedSeq) {
                expect(now.record.importance).toBeGreaterThanOrEqual(importance);
              }
            }
          });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('loses no entry when the policy is switched', () => {
    fc.assert(
      fc.property(config, config, calls, (first, second, steps) => {
        const store = new PolicyStore(first);
        steps.filter(({ kind }) => kind !== 'switch').forEach((step, n) => apply(store, step, n));
        const before = [...store.ids()].sort();
        store.switchPolicy(second);
        expect([...store.ids()].sort()).toEqual(before);
        expect(store.policy.name).toBe(second.name);
      }),
      { numRuns: 100 },
    );
  });
});

function describeStore(store: PolicyStore) {
  return {
    moment: store.moment,
    gate: structuredClone(store.gateState),
    counters: structuredClone(store.counters),
    entries: [...store.ids()].map((held) => {
      const { tier, key, representative, record } = store.entry(held)!;
      return { id: held, tier, key, representative, ...record };
    }),
  };
}
