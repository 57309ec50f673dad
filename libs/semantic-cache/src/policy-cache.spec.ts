import type { NamespacePolicy } from '@reprise/policy';
import { describe, expect, it } from 'vitest';
import { PolicyCache } from './policy-cache.js';

/** Policies that are only the words that made them; counts what was merged. */
function cacheOf() {
  const merges: string[] = [];
  const policies = new PolicyCache({
    base: (tenant) => [tenant] as unknown as NamespacePolicy,
    merge: (stored, base) => {
      merges.push(String(base));
      return stored === 'broken'
        ? undefined
        : ([...(base as unknown as string[]), stored] as unknown as NamespacePolicy);
    },
    route: (policy, model) => [...(policy as unknown as string[]), model] as unknown as NamespacePolicy,
  });
  return { policies, merges };
}
const learn = (policies: PolicyCache, ns: string, policyVersion: number, policy: string): void =>
  policies.learn(ns, { policyVersion, policy } as Parameters<PolicyCache['learn']>[1]);

describe('PolicyCache', () => {
  it('merges the stored policy over that of each tenant, and a route over both', () => {
    const { policies } = cacheOf();
    expect(policies.resolve('n', 'a', 'm')).toEqual(['a', 'm']);
    learn(policies, 'n', 3, 'stored');
    expect([policies.version('n'), policies.version('other')]).toEqual([3, 0]);
    expect(policies.resolve('n', 'a', 'm')).toEqual(['a', 'stored', 'm']);
    expect(policies.resolve('n', 'b', 'm')).toEqual(['b', 'stored', 'm']);
    learn(policies, 'n', 4, 'broken');
    expect(policies.resolve('n', 'a', 'm')).toEqual(['a', 'm']);
  });

  it('keeps what is used, and of ever new tenants of one namespace only the newest', () => {
    const { policies, merges } = cacheOf();
    learn(policies, 'n', 1, 'stored');
    for (let at = 0; at < 1_000; at++) {
      policies.resolve('n', 'often', 'm');
      expect(policies.resolve('n', `t${at}`, 'm')).toEqual([`t${at}`, 'stored', 'm']);
    }
    expect(merges.filter((tenant) => tenant === 'often')).toHaveLength(1);
    merges.length = 0;
    for (let at = 999; at >= 0; at--) policies.resolve('n', `t${at}`, 'm');
    // Those that were still held are not merged again.
    expect(merges.length).toBeGreaterThanOrEqual(1_000 - 64);
    expect(merges.length).toBeLessThan(1_000);
  });
});
