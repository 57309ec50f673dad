import type { PolicyConfig, StorePolicyName } from '@reprise/policy';
import { type ArticleStream, runCell } from '@reprise/simulator';
import { describe, expect, it } from 'vitest';

type Shares = readonly [locality: number, rareCritical: number, flood: number];

function share(stream: ArticleStream, seeds: number, policy: StorePolicyName, change: Partial<PolicyConfig>): number {
  return runCell({ kind: 'article', stream, policy, change, tag: 'running-max', seeds }, '');
}

const known = new Map<string, Shares>();

function shares(policy: StorePolicyName, change: Partial<PolicyConfig>): Shares {
  const key = JSON.stringify([policy, change]);
  const row = known.get(key) ?? [
    share({ name: 'locality' }, 15, policy, change),
    share({ name: 'rare-critical' }, 15, policy, change),
    share({ name: 'flood', width: 220 }, 1, policy, change),
  ];
  known.set(key, row);
  return row;
}

describe('the falsifiers of the article, restated (algorithms.md §3.5)', () => {
  const all = (name: StorePolicyName, change: Partial<PolicyConfig> = {}) => shares(name, change);

  it('(a) rules by access pattern win at most locality', () => {
    for (const name of ['lru', 'lfu', 'arc'] as const) {
      const [, critical, flooded] = all(name);
      expect(critical).toBeLessThanOrEqual(0.15);
      expect(flooded).toBeLessThanOrEqual(0.01);
    }
  });

  it('(b) value with an estimate made at write time wins where they fail', () => {
    const [, critical, flooded] = all('value');
    expect(critical).toBeGreaterThanOrEqual(0.6);
    expect(flooded).toBeGreaterThanOrEqual(0.55);
  });

  it('(c, d) two tiers match the best single rule everywhere, if and only if the critical items fit', () => {
    const singles = (['lru', 'lfu', 'arc', 'value', 'gds', 'gdsf'] as const).map((name) => all(name));
    const best = [0, 1, 2].map((i) => Math.max(...singles.map((row) => row[i] as number)));
    const behind = (row: Shares) => Math.max(...best.map((value, i) => value - (row[i] as number)));
    expect(behind(all('two-tier', { protectedShare: 0.27 }))).toBeLessThanOrEqual(0.02);
    expect(behind(all('two-tier', { protectedShare: 0.15 }))).toBeGreaterThan(0.1);
  });

  it('(e) in a flood ten times as wide as the capacity two tiers still serve what is critical, GDS nothing', () => {
    const wide = (name: StorePolicyName, change: Partial<PolicyConfig> = {}) =>
      share({ name: 'flood', width: 1_500 }, 1, name, change);
    expect(wide('two-tier', { protectedShare: 0.27 })).toBeGreaterThanOrEqual(0.14);
    expect(wide('gds')).toBeLessThanOrEqual(0.01);
  });

  it('(f) claims of importance capture the tier, unless they have to be corroborated by a second use', () => {
    const served = (claim: number, change: Partial<PolicyConfig> = {}) =>
      share({ name: 'poisoned', claim }, 4, 'two-tier', change);
    expect(served(0)).toBeGreaterThan(0.7);
    expect(served(21)).toBeLessThan(0.2);
    for (const claim of [0, 5, 21, 1000]) {
      expect(served(claim, { corroboration: 2 })).toBeGreaterThanOrEqual(0.65);
    }
  });
});
