import type { NewEntry, PurgeFilter } from '@reprise/semantic-cache';
import { hourMs, newEntry, unitVector } from '@reprise/testing/contracts';
import fc from 'fast-check';

export type StoreStep =
  | { readonly kind: 'admit'; readonly n: number; readonly answer: number; readonly change: Partial<NewEntry> }
  | { readonly kind: 'exact'; readonly n: number; readonly maxAgeMs: number }
  | { readonly kind: 'lookup'; readonly n: number; readonly count: number; readonly maxAgeMs: number }
  | { readonly kind: 'serve'; readonly n: number; readonly maxAgeMs: number }
  | { readonly kind: 'quarantine'; readonly n: number }
  | { readonly kind: 'purge'; readonly filter: PurgeFilter; readonly dryRun: boolean }
  | { readonly kind: 'pause'; readonly paused: boolean }
  | { readonly kind: 'policy'; readonly capacity: number; readonly eviction: string }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'sweep' };

const n = fc.integer({ min: 0, max: 19 });
/** Redis ends lives by its own clock besides: the shorter one is longer than any trace takes, on a slow machine too. */
const shortMs = 20_000;
const age = fc.constantFrom(1, shortMs / 2, 60_000, 24 * hourMs);
const ttl = fc.constantFrom(0, shortMs, hourMs, hourMs);

const admit = fc.record({
  kind: fc.constant('admit' as const),
  n,
  answer: fc.integer({ min: 0, max: 2 }),
  change: fc.record({
    semantic: fc.boolean(),
    exactTtlMs: ttl,
    semanticTtlMs: ttl,
    firstTurn: fc.boolean(),
    importance: fc.constantFrom(0, 0, 3),
    tags: fc.subarray(['a b', 'é', '"', ',']),
    user: fc.constantFrom('', 'u1'),
    model: fc.constantFrom('m1', 'm2'),
    seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  }),
});
const filter: fc.Arbitrary<PurgeFilter> = fc.oneof(
  fc.record({ tag: fc.constantFrom('a b', 'é', '"', ',', 'none') }),
  fc.record({ user: fc.constant('u1') }),
  fc.record({ model: fc.constantFrom('m1', 'm2') }),
  fc.record({ entryId: n.map((value) => `entry-${value}-0`) }),
  fc.record({ exactKey: n.map((value) => `exact-${value}`) }),
  fc.record({ conversation: n.map((value) => `conversation-${value}`) }),
  fc.record({ olderThanMs: fc.constantFrom(0, shortMs, hourMs), model: fc.constant('m1') }),
);
/** Policies whose victims do not depend on the quantised index (a novelty score would). */
const evictions = ['lru', 'fifo', 'lfu', 'arc', 'solar', 'solar-e', 'gdsf', 'value', 'two-tier'];

const step: fc.Arbitrary<StoreStep> = fc.oneof(
  { weight: 12, arbitrary: admit as unknown as fc.Arbitrary<StoreStep> },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('exact' as const), n, maxAgeMs: age }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('lookup' as const), n, count: fc.constantFrom(1, 4, 64), maxAgeMs: age }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('serve' as const), n, maxAgeMs: age }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('quarantine' as const), n }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('purge' as const), filter, dryRun: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pause' as const), paused: fc.constantFrom(true, false, false) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('policy' as const),
      capacity: fc.integer({ min: 1, max: 14 }),
      eviction: fc.constantFrom(...evictions),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, (3 * shortMs) / 5, 30_000) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'sweep' as const }) },
);

/** Few contents, so that replacing, refreshing, evicting and expiring are the rule. */
export const storeTrace = fc.array(step, { minLength: 15, maxLength: 60 });

/** The entry that an `admit` step offers; the same content with another answer replaces, with the same refreshes. */
export function offered(step: StoreStep & { kind: 'admit' }, call: number, nowMs: number): NewEntry {
  const { semantic = true, ...change } = step.change as Partial<NewEntry> & { semantic?: boolean };
  const {
    stratum,
    vector: _vector,
    ...plain
  } = newEntry(step.n, {
    ...change,
    id: `entry-${step.n}-${step.answer}`,
    requestId: `request-${call}`,
    answer: JSON.stringify({ n: step.n, answer: step.answer }),
    createdMs: nowMs,
  });
  if (!semantic || stratum === undefined) return plain;
  // Contents 0 and 10, 1 and 11 … share their vector and differ in the fingerprint.
  return { ...plain, stratum, vector: unitVector(32, step.n % 10) };
}
