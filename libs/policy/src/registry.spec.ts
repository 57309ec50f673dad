import { describe, expect, it } from 'vitest';
import { createPolicy, isGated, policyNames, policyRegistry, switchablePolicyNames } from './registry.js';
import { storePolicyNames } from './tiers/policy-config.js';

describe('the registry', () => {
  it('makes every policy by its name, with the capacity that was asked for', () => {
    for (const name of policyNames) {
      const policy = createPolicy(name, { capacity: 3, future: ['a', 'b', 'c', 'd'] });
      expect(policy.capacity).toBe(name === 'unlimited' ? Infinity : 3);
      policy.feedback({ requestId: 'r', used: [], delta: 1 });
      expect(policy.admit({ requestId: 'r', id: 'a', seed: 1 }).admitted).toBe(true);
      expect([...policy.ids()]).toEqual(['a']);
    }
  });

  it('offers for a namespace exactly the eleven policies with a twin in Redis', () => {
    const expected = ['arc', 'fifo', 'gds', 'gdsf', 'lfu', 'lru', 'solar', 'solar-a', 'solar-e', 'two-tier', 'value'];
    expect([...switchablePolicyNames].sort()).toEqual(expected);
    for (const name of switchablePolicyNames) expect(storePolicyNames).toContain(name);
  });

  it('knows who asks the gate', () => {
    expect(policyNames.filter(isGated)).toEqual(['solar', 'solar-a']);
  });

  it('refuses other names', () => {
    expect(() => createPolicy('random', { capacity: 3 })).toThrow('no policy named random');
    expect(() => createPolicy('toString', { capacity: 3 })).toThrow(RangeError);
  });

  it('claims flood resistance only for what has it', () => {
    for (const name of policyNames.filter((other) => other !== 'clairvoyant')) {
      const policy = createPolicy(name, { capacity: 20 });
      const used = ['a', 'b', 'c', 'd', 'e'];
      used.forEach((id) => policy.admit({ requestId: `a ${id}`, id, seed: 1, importance: 5 }));
      for (let n = 0; n < 40; n++) {
        used.forEach((id) => policy.feedback({ requestId: `u ${n} ${id}`, used: [id], delta: 0, importance: 5 }));
      }
      for (let n = 0; n < 100; n++) {
        policy.feedback({ requestId: `m ${n}`, used: [], delta: 0.1 });
        policy.admit({ requestId: `m ${n}`, id: `junk ${n}`, seed: n });
      }
      const kept = used.filter((id) => policy.has(id)).length;
      if (policyRegistry[name].resistsFloods) expect([name, kept]).toEqual([name, 5]);
    }
  });
});
