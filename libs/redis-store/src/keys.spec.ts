import { describe, expect, it } from 'vitest';
import { baseKey } from './keys.js';
import calculateSlot from 'cluster-key-slot';

describe('base keys', () => {
  it('put all keys of a namespace on one slot', () => {
    const base = baseKey('tenant/größe 1');
    expect(base).toBe('rp:{tenant/größe 1}');
    expect(calculateSlot(`${base}:e:id}x{y`)).toBe(calculateSlot(base));
  });

  it.each(['', '{', 'a}b', 'a\u0000b', 'a\nb', 'x'.repeat(201)])('refuse %j', (ns) => {
    expect(() => baseKey(ns)).toThrow(expect.objectContaining({ code: 'RP_ERR_BAD_REQUEST' }) as Error);
  });
});
