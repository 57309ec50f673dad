import { describe, expect, it } from 'vitest';
import { contractSuite } from './contract-suite.js';
import { hourMs, nowMs, type OpenStore, unitVector } from './store-under-test.js';

/** What every DecisionLog, AccessStore and VectorCache does. */
export function smallStoresContract(name: string, open: OpenStore): void {
  describe(`${name}: decisions, access, embeddings`, () => {
    const suite = contractSuite(open);

    it('keeps the record of a decision as it was', async () => {
      const record = JSON.stringify({ text: 'ü 🙂', n: 0.1 + 0.2 });
      await suite.store.decisions.record(suite.ns, 'r', 'e', 'c', record, hourMs, nowMs);
      expect(await suite.store.decisions.read(suite.ns, 'r')).toEqual({ record: record });
      expect(await suite.store.decisions.read(suite.ns, 'other')).toBeUndefined();
      expect(await suite.store.decisions.read(`${suite.ns}-2`, 'r')).toBeUndefined();
    });

    it('revokes a key and takes it back', async () => {
      const key = `hash-of-${suite.ns}`;
      expect(await suite.store.access.isRevoked(key)).toBe(false);
      await suite.store.access.setRevoked(key, true);
      expect(await suite.store.access.isRevoked(key)).toBe(true);
      expect(await suite.store.access.isRevoked(`${key}-2`)).toBe(false);
      await suite.store.access.setRevoked(key, false);
      expect(await suite.store.access.isRevoked(key)).toBe(false);
    });

    it('keeps embeddings bit by bit, by model and text', async () => {
      const vector = unitVector(384, 3, 5, 0.7);
      const identity = `model-${suite.ns}`;
      expect(await suite.store.vectors.get(identity, 't')).toBeUndefined();
      await suite.store.vectors.put(identity, 't', vector, hourMs);
      expect(await suite.store.vectors.get(identity, 't')).toEqual(vector);
      expect(await suite.store.vectors.get(identity, 'u')).toBeUndefined();
      expect(await suite.store.vectors.get(`${identity}2`, 't')).toBeUndefined();
    });
  });
}
