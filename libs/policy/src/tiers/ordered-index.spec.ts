import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderedIndex } from './ordered-index.js';

const pair = fc.record({ key: fc.integer({ min: 0, max: 5 }), id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f') });

describe('OrderedIndex', () => {
  it('is a sorted list by key, then id', () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 60, size: 'max' }), fc.integer({ min: 0, max: 6 }), (pairs, bound) => {
        const index = new OrderedIndex();
        let model: { key: number; id: string }[] = [];
        for (const { key, id } of pairs) {
          const held = model.find((entry) => entry.id === id);
          if (held) index.remove(held.key, held.id);
          model = model.filter((entry) => entry.id !== id);
          index.add(key, id);
          model.push({ key, id });
          model.sort((a, b) => a.key - b.key || (a.id < b.id ? -1 : 1));
          expect(index.ids()).toEqual(model.map((entry) => entry.id));
        }
        expect(index.size).toBe(model.length);
        expect(index.countBelow(bound)).toBe(model.filter(({ key }) => key < bound).length);
        expect(index.range(1, 3)).toEqual(model.slice(1, 3).map(({ id }) => id));
        expect([index.idAt(0), index.keyAt(0)]).toEqual([model[0]?.id, model[0]?.key]);
      }),
    );
  });

  it('refuses to remove what is not there', () => {
    const index = new OrderedIndex();
    index.add(1, 'a');
    expect(() => index.remove(2, 'a')).toThrow('no a at 2');
  });
});
