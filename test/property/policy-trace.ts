import { createRng } from '@reprise/kernel';
import { type PolicyConfig, productPolicy, type StorePolicyName, storePolicyNames } from '@reprise/policy';
import fc from 'fast-check';

/** Policies that both languages have. */
export const sharedPolicies: readonly StorePolicyName[] = storePolicyNames.filter(
  (name) => name !== 'decay-blend' && name !== 'unlimited',
);

export type Step =
  | {
      readonly kind: 'offer';
      readonly content: number;
      readonly importance: number;
      readonly source: number;
      readonly size: number;
      readonly novelty: number;
      readonly explicit: boolean;
      readonly seed: number;
    }
  | {
      readonly kind: 'feedback';
      readonly contents: readonly number[];
      readonly delta: number;
      readonly importance: number;
      readonly source: number;
    }
  | {
      readonly kind: 'label';
      readonly content: number;
      readonly correct: boolean;
      readonly importance: number | undefined;
      readonly source: number;
    }
  | {
      readonly kind: 'install';
      readonly contents: readonly number[];
      readonly capacity: number | undefined;
      readonly maxTrim: number;
      readonly seed: number;
      readonly stale: boolean;
    }
  | { readonly kind: 'switch'; readonly policy: StorePolicyName; readonly gate: GateName }
  | { readonly kind: 'remove'; readonly content: number }
  | { readonly kind: 'repeat' };

export type GateName = 'fixed' | 'adaptive' | 'paper-literal';

export interface Trace {
  readonly policy: StorePolicyName;
  readonly gate: GateName;
  readonly capacity: number;
  readonly candidates: number;
  /** Different representatives of all contents; 20 when absent. */
  readonly representatives?: number;
  readonly steps: readonly Step[];
}

const seed = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const content = fc.integer({ min: 0, max: 39 });
const source = fc.constantFrom(0, 0, 7, 7, 8, 2 ** 31 - 1);
const delta = fc.oneof(fc.constantFrom(0, 0.3, 1), fc.double({ min: 0, max: 1, noNaN: true }));
const importance = fc.oneof(fc.constantFrom(0, 0, 1, 5, 5), fc.double({ min: 0, max: 100, noNaN: true }));
const gate = fc.constantFrom<GateName>('fixed', 'adaptive', 'paper-literal');
const policy = fc.constantFrom(...sharedPolicies);

const offer = fc.record({
  kind: fc.constant('offer' as const),
  content,
  importance,
  source,
  size: fc.constantFrom(1, 1, 1, 2, 0.25, 1000),
  novelty: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  explicit: fc.boolean(),
  seed,
});
const feedback = fc.record({
  kind: fc.constant('feedback' as const),
  contents: fc.array(content, { maxLength: 4 }),
  delta,
  importance,
  source,
});
const label = fc.record({
  kind: fc.constant('label' as const),
  content,
  correct: fc.boolean(),
  importance: fc.option(importance, { nil: undefined }),
  source,
});
const install = fc.record({
  kind: fc.constant('install' as const),
  contents: fc.uniqueArray(content, { maxLength: 6 }),
  capacity: fc.option(fc.integer({ min: 1, max: 24 }), { nil: undefined }),
  maxTrim: fc.integer({ min: 0, max: 6 }),
  seed,
  stale: fc.boolean(),
});
const steady: fc.WeightedArbitrary<Step>[] = [
  { weight: 12, arbitrary: offer },
  { weight: 8, arbitrary: feedback },
  { weight: 2, arbitrary: label },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), content }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'repeat' as const }) },
];
const changes: fc.WeightedArbitrary<Step>[] = [
  { weight: 1, arbitrary: install },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('switch' as const), policy, gate }) },
];

/** Small capacities, few contents and coarse numbers, so that ties, evictions and ghosts are the rule. */
function traces(
  policies: readonly StorePolicyName[],
  steps: fc.WeightedArbitrary<Step>[],
  length: number,
): fc.Arbitrary<Trace> {
  return fc.record({
    policy: fc.constantFrom(...policies),
    gate,
    capacity: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 24 })),
    candidates: fc.constantFrom(8, 64),
    steps: fc.array(fc.oneof(...steps), { minLength: length / 3, maxLength: length }),
  });
}

/** Policies and capacities change on the way. */
export const changingTrace = traces(sharedPolicies, [...steady, ...changes], 60);
/** One policy for the whole, longer trace, so that what it remembers comes to bear. */
export const steadyTrace = (policies: readonly StorePolicyName[]): fc.Arbitrary<Trace> => traces(policies, steady, 120);

/**
 * A trace of one policy with 400 entries, so that an eviction samples 64 of many, and then a cut of the capacity to 20 in many
 * steps, so that tiers and ghosts are above their bounds for a while.
 */
export function largeTrace(policy: StorePolicyName, seed: number): Trace {
  const rng = createRng(seed);
  const pick = (count: number): number => Math.floor(rng.next() * count);
  const offer = (content: number): Step => ({
    ...{ kind: 'offer', content, importance: pick(9), source: pick(4), size: 1 + pick(3), novelty: rng.next() },
    ...{ explicit: pick(8) === 0, seed: pick(2 ** 31) },
  });
  const use = (contents: number): Step => ({
    ...{ kind: 'feedback', contents: [pick(contents), pick(contents), pick(contents)], delta: rng.next() },
    ...{ importance: pick(20), source: pick(5) },
  });
  const mixed = (contents: number): Step => (pick(3) === 0 ? use(contents) : offer(pick(contents)));
  const cut = (capacity: number | undefined): Step => ({
    ...{ kind: 'install', contents: capacity === undefined ? [] : Array.from({ length: 30 }, (_, i) => i * 5) },
    ...{ capacity, maxTrim: 16, seed: pick(1000), stale: false },
  });
  const steps = [
    ...Array.from({ length: 400 }, (_, i) => offer(i)),
    ...Array.from({ length: 250 }, () => use(400)),
    ...Array.from({ length: 150 }, () => mixed(500)),
    cut(20),
    ...Array.from({ length: 72 }, (_, i) => (i % 4 === 3 ? mixed(500) : cut(undefined))),
  ];
  return { policy, gate: 'fixed', capacity: 400, candidates: 64, representatives: 500, steps };
}

const gates = {
  fixed: { mode: 'fixed', bootstrap: 'fill', lambda: 0.5, floor: 0.1, ceiling: 5 },
  adaptive: { mode: 'adaptive', bootstrap: 'paper', lambda: 5, floor: 0.1, ceiling: 5, window: 5 },
  'paper-literal': { mode: 'paper-literal', bootstrap: 'fill', tau0: 1.5, rate: 0.1, floor: 0.5, ceiling: 5 },
} as const;

/** The same policy for the specification and, as JSON, for the functions. */
export function policyOf(name: StorePolicyName, gateName: GateName, capacity: number, candidates: number) {
  const config: PolicyConfig = productPolicy(name, capacity, { gate: gates[gateName], candidates });
  const json = JSON.stringify({
    eviction: name,
    capacity,
    shares: { planned: 0.5, protected: 0.2, recency: 0.3 },
    gate: gates[gateName],
    evictionCandidates: candidates,
  });
  return { config, json };
}
