import type { PolicyStore } from './policy-store.js';
import { slots } from './policy-config.js';
import { provenOffset, type LiveEntry, type Tier } from './tier-set.js';

const tierNames: readonly Tier[] = ['planned', 'protected', 'recency'];

/** Walks a store and names every broken invariant: the twin of `rp_check`, empty when all is well. */
export function findFaults(store: PolicyStore): string[] {
  const faults: string[] = [];
  const live = [...store.ids()];
  const listed = tierNames.flatMap((tier) => store.idsOf(tier).map((id) => ({ id, tier })));
  if (store.size !== live.length) faults.push(`size ${store.size} but ${live.length} live ids`);
  if (store.size > store.capacity) faults.push(`size ${store.size} above the capacity ${store.capacity}`);
  if (new Set(listed.map(({ id }) => id)).size !== listed.length) faults.push('an id is in two tiers');
  if (listed.length !== live.length) faults.push(`${listed.length} ids in tiers but ${live.length} live ids`);
  for (const { id, tier } of listed) {
    const entry = store.entry(id);
    if (entry === undefined) faults.push(`${id} is in ${tier} but not live`);
    else faults.push(...entryFaults(store, entry, tier));
  }
  for (const tier of tierNames) faults.push(...orderFaults(store, tier));
  return [...faults, ...boundFaults(store)];
}

function entryFaults(store: PolicyStore, entry: Readonly<LiveEntry>, tier: Tier): string[] {
  const { id, key, record } = entry;
  const { priorAlpha, priorBeta } = store.policy.posterior;
  const faults: string[] = [];
  const expect = (condition: boolean, what: string) => {
    if (!condition) faults.push(`${id}: ${what}`);
  };
  expect(entry.tier === tier, `listed in ${tier}, says ${entry.tier}`);
  expect(Object.values(record).every(Number.isFinite), 'a field is not finite');
  expect(record.alpha >= priorAlpha && record.beta >= priorBeta, 'posterior below the prior');
  expect(record.tick <= store.moment.ticks, 'ticks from the future');
  expect(record.lastStep >= record.insertedStep, 'used before it was inserted');
  expect(record.importance >= 0, 'negative importance');
  if (tier === 'protected') expect(key === record.importance && key > 0, 'protected key is not its importance');
  if (tier === 'recency') expect(key >= provenOffset === record.uses > 0, 'in the wrong segment');
  return faults;
}

function orderFaults(store: PolicyStore, tier: Tier): string[] {
  const keys = store.idsOf(tier).map((id) => store.entry(id)?.key ?? Number.NaN);
  const sorted = keys.every((key, i) => i === 0 || key >= (keys[i - 1] as number));
  return sorted ? [] : [`${tier} is out of order`];
}

function boundFaults(store: PolicyStore): string[] {
  const bound = slots(store.policy, store.policy.capacity);
  const { c, tau } = store.gateState;
  const faults: string[] = [];
  if (store.idsOf('planned').length > bound.planned) faults.push('more planned entries than slots');
  // A cut is done in steps: what is still above the slots is told by the store.
  if (store.idsOf('protected').length > Math.max(bound.protected, store.protectedBound))
    faults.push('more protected entries than slots');
  if (!(c >= 0 && c <= Math.max(tau, store.policy.gate.ceiling) + 1)) faults.push(`c = ${c} is out of range`);
  if (!(tau >= store.policy.gate.floor && tau <= store.policy.gate.ceiling))
    faults.push(`tau = ${tau} is out of range`);
  return faults;
}
