import { describe, expect, it } from 'vitest';
import { contractSuite } from './contract-suite.js';
import {
  exactQuery,
  hourMs,
  lookupQuery,
  newEntry,
  nowMs,
  type OpenStore,
  serveQuery,
  unitVector,
} from './store-under-test.js';

/** What every EntryStore does (architecture.md §3.1, §4). */
export function entryStoreContract(name: string, open: OpenStore): void {
  describe(`${name}: exact tier`, () => {
    const suite = contractSuite(open);

    it('answers what was admitted under its exact key, with all of its figures', async () => {
      const entry = newEntry(1);
      expect(await suite.store.entries.admit(suite.ns, entry)).toEqual({
        outcome: 'stored',
        entryId: 'entry-1',
        evicted: [],
        reason: 'open',
      });
      expect(await suite.store.entries.exact(suite.ns, exactQuery('exact-1'))).toEqual({
        purges: 0,
        outcome: 'hit',
        policyVersion: 0,
        snapshotVersion: 0,
        entry: {
          id: 'entry-1',
          createdMs: nowMs,
          model: 'model-a',
          promptTokens: 11,
          completionTokens: 21,
          costMicroUsd: entry.costMicroUsd,
          answer: entry.answer,
        },
      });
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-2'))).outcome).toBe('miss');
    });

    it('keeps every code point of an answer', async () => {
      const answer = JSON.stringify({ text: 'naïve 東京 🙂 \u0000 \u202e "quoted" \\ \r\n' });
      await suite.store.entries.admit(suite.ns, newEntry(1, { answer }));
      const reply = await suite.store.entries.exact(suite.ns, exactQuery('exact-1'));
      expect(reply.outcome === 'hit' && reply.entry.answer).toBe(answer);
    });

    it('never exceeds an age limit, however often the entry is hit', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1, { maxAgeMs: hourMs, exactTtlMs: 48 * hourMs }));
      for (let minute = 0; minute < 60; minute += 6) {
        const reply = await suite.store.entries.exact(
          suite.ns,
          exactQuery('exact-1', { nowMs: nowMs + minute * 60_000 }),
        );
        expect(reply.outcome).toBe('hit');
      }
      const late = await suite.store.entries.exact(suite.ns, exactQuery('exact-1', { nowMs: nowMs + hourMs }));
      expect(late.outcome).toBe('miss');
    });

    it('refuses what is older than the caller allows, and only then', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1));
      const at = (ageMs: number) =>
        suite.store.entries.exact(suite.ns, exactQuery('exact-1', { nowMs: nowMs + ageMs, maxAgeMs: 1000 }));
      expect((await at(999)).outcome).toBe('hit');
      expect((await at(1000)).outcome).toBe('too-old');
      expect((await at(-5000)).outcome).toBe('hit');
    });

    it('replaces the entry of an equal exact key everywhere', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1));
      const reply = await suite.store.entries.admit(
        suite.ns,
        newEntry(2, { exactKey: 'exact-1', vector: unitVector(64, 9) }),
      );
      expect(reply).toMatchObject({ outcome: 'stored', entryId: 'entry-2', reason: 'replaced' });
      const exact = await suite.store.entries.exact(suite.ns, exactQuery('exact-1'));
      expect(exact.outcome === 'hit' && exact.entry.id).toBe('entry-2');
      const lookup = await suite.store.entries.lookup(suite.ns, lookupQuery(unitVector(64, 1)));
      expect(lookup.candidates.map((c) => c.id)).toEqual(['entry-2']);
      expect((await suite.store.entries.serve(suite.ns, serveQuery('entry-1'))).outcome).toBe('gone');
    });

    it('stores a replacement whatever the gate says: the old answer is gone already', async () => {
      const policy = { capacity: 12, eviction: 'solar-a', gate: { bootstrap: 'paper' } };
      await suite.store.admin.setPolicy(suite.ns, JSON.stringify(policy));
      for (let n = 1; n <= 8; n += 1) await suite.store.entries.admit(suite.ns, newEntry(n, { explicit: true }));
      const another = await suite.store.entries.admit(suite.ns, newEntry(9, { loss: 'counted' }));
      expect(another).toMatchObject({ outcome: 'rejected', reason: 'below-threshold' });
      const again = newEntry(10, { exactKey: 'exact-1', vector: unitVector(64, 11), loss: 'counted' });
      expect(await suite.store.entries.admit(suite.ns, again)).toMatchObject({ outcome: 'stored', reason: 'replaced' });
      const exact = await suite.store.entries.exact(suite.ns, exactQuery('exact-1'));
      expect(exact.outcome === 'hit' && exact.entry.id).toBe('entry-10');
    });

    it('gives a regenerated equal answer a new age, and keeps one entry', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1, { maxAgeMs: hourMs }));
      const again = newEntry(1, { id: 'entry-1-again', createdMs: nowMs + 1000, maxAgeMs: hourMs });
      expect(await suite.store.entries.admit(suite.ns, again)).toMatchObject({
        outcome: 'refreshed',
        entryId: 'entry-1',
      });
      const reply = await suite.store.entries.exact(suite.ns, exactQuery('exact-1', { nowMs: nowMs + hourMs + 500 }));
      expect(reply.outcome === 'hit' && reply.entry.createdMs).toBe(nowMs + 1000);
      expect((await suite.store.admin.stats(suite.ns))['entries']).toBe(1);
    });

    it('admits a request id once', async () => {
      const entry = newEntry(1);
      await suite.store.entries.admit(suite.ns, entry);
      const reply = await suite.store.entries.admit(suite.ns, { ...newEntry(2), requestId: entry.requestId });
      expect(reply).toMatchObject({ outcome: 'duplicate', entryId: 'entry-1' });
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-2'))).outcome).toBe('miss');
    });

    it('tells the policy to a caller that holds another version, and to no other', async () => {
      const known = await suite.store.entries.exact(suite.ns, exactQuery('exact-1'));
      expect(known).toEqual({ outcome: 'miss', purges: 0, policyVersion: 0, snapshotVersion: 0 });
      const other = await suite.store.entries.exact(suite.ns, exactQuery('exact-1', { policyVersion: 7 }));
      expect(other).toEqual({ outcome: 'miss', purges: 0, policyVersion: 0, snapshotVersion: 0, policy: '' });
      const policy = JSON.stringify({ capacity: 50, mode: 'on' });
      expect(await suite.store.admin.setPolicy(suite.ns, policy)).toBe(1);
      expect(await suite.store.entries.exact(suite.ns, exactQuery('exact-1'))).toEqual({
        outcome: 'miss',
        purges: 0,
        policyVersion: 1,
        snapshotVersion: 0,
        policy,
      });
      expect(await suite.store.entries.policy(suite.ns, 1)).toEqual({
        purges: 0,
        policyVersion: 1,
        snapshotVersion: 0,
        paused: false,
      });
      expect(await suite.store.entries.policy(suite.ns, 0)).toEqual({
        purges: 0,
        policyVersion: 1,
        snapshotVersion: 0,
        paused: false,
        policy,
      });
    });
  });

  describe(`${name}: semantic tier`, () => {
    const suite = contractSuite(open);

    it('finds the nearest with what deciding needs, most similar first', async () => {
      const near = unitVector(64, 1, 2, 0.1);
      await suite.store.entries.admit(
        suite.ns,
        newEntry(1, { firstTurn: false, historyKey: 'h', fingerprint: '{"n":[1]}' }),
      );
      await suite.store.entries.admit(suite.ns, newEntry(2));
      await suite.store.entries.admit(suite.ns, newEntry(3));
      const reply = await suite.store.entries.lookup(suite.ns, lookupQuery(near, { count: 2 }));
      expect(reply.candidates.map((c) => c.id)).toEqual(['entry-1', 'entry-2']);
      expect(reply.candidates[0]?.similarity).toBeCloseTo(Math.cos(0.1), 1);
      expect(reply.candidates[1]?.similarity).toBeCloseTo(Math.sin(0.1), 1);
      expect(reply.candidates[0]).toMatchObject({
        createdMs: nowMs,
        fingerprint: '{"n":[1]}',
        firstTurn: false,
        historyKey: 'h',
        conversation: 'conversation-1',
      });
      expect(reply.candidates[1]).toMatchObject({ firstTurn: true, historyKey: '' });
    });

    it('keeps strata apart', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1));
      const other = await suite.store.entries.lookup(suite.ns, lookupQuery(unitVector(64, 1), { stratum: 'other' }));
      expect(other).toEqual({ outcome: 'ok', policyVersion: 0, snapshotVersion: 0, candidates: [] });
    });

    it('never offers an entry of the exact tier', async () => {
      const { stratum: _stratum, vector: _vector, ...exactOnly } = newEntry(1);
      await suite.store.entries.admit(suite.ns, exactOnly);
      expect((await suite.store.entries.lookup(suite.ns, lookupQuery(unitVector(64, 1)))).candidates).toEqual([]);
      expect((await suite.store.entries.serve(suite.ns, serveQuery('entry-1'))).outcome).toBe('gone');
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-1'))).outcome).toBe('hit');
    });

    it('returns min(count, live) candidates when most of the nearest are not servable', async () => {
      for (let n = 0; n < 60; n += 1) {
        const old = n % 4 !== 0;
        const vector = unitVector(64, 0, n + 1, 0.01 * (n + 1));
        await suite.store.entries.admit(suite.ns, newEntry(n, { vector, semanticTtlMs: old ? 1000 : hourMs }));
      }
      const later = await suite.store.entries.lookup(
        suite.ns,
        lookupQuery(unitVector(64, 0), { nowMs: nowMs + 2000, count: 10 }),
      );
      expect(later.candidates).toHaveLength(10);
      expect(later.candidates.every((c) => Number(c.id.slice('entry-'.length)) % 4 === 0)).toBe(true);
      const all = await suite.store.entries.lookup(
        suite.ns,
        lookupQuery(unitVector(64, 0), { nowMs: nowMs + 2000, count: 64 }),
      );
      expect(all.candidates).toHaveLength(15);
      const young = await suite.store.entries.lookup(
        suite.ns,
        lookupQuery(unitVector(64, 0), { nowMs: nowMs + 2000, maxAgeMs: 2000 }),
      );
      expect(young.candidates).toEqual([]);
    });

    it('serves an offered entry with its answer while it may be served', async () => {
      const entry = newEntry(1, { semanticTtlMs: 5000 });
      await suite.store.entries.admit(suite.ns, entry);
      const served = await suite.store.entries.serve(suite.ns, serveQuery('entry-1'));
      expect(served.outcome === 'served' && served.entry.answer).toBe(entry.answer);
      const at = (change: Parameters<typeof serveQuery>[1]) =>
        suite.store.entries.serve(suite.ns, serveQuery('entry-1', change));
      expect((await at({ nowMs: nowMs + 1000, maxAgeMs: 1000 })).outcome).toBe('too-old');
      expect((await at({ nowMs: nowMs + 5000 })).outcome).toBe('gone');
      expect((await suite.store.entries.serve(suite.ns, serveQuery('nobody'))).outcome).toBe('gone');
    });

    it('keeps what a decision was made from when its entry is served, and only then', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1));
      const told = { record: '{"serve":true}', conversation: 'c', user: 'u' };
      const ask = (requestId: string, entryId: string) =>
        suite.store.entries.serve(suite.ns, serveQuery(entryId, { requestId, told }));
      expect([(await ask('r1', 'entry-1')).outcome, (await ask('r2', 'nobody')).outcome]).toEqual(['served', 'gone']);
      const { decisions, admin } = suite.store;
      expect(await decisions.read(suite.ns, 'r1')).toEqual({ record: told.record, served: 'entry-1' });
      expect(await decisions.read(suite.ns, 'r2')).toBeUndefined();
      await admin.purge(suite.ns, { user: 'u' }, false, nowMs);
      expect(await decisions.read(suite.ns, 'r1')).toBeUndefined();
    });

    it('does not serve under another policy than the decision was made under', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1));
      await suite.store.admin.setPolicy(suite.ns, '{}');
      expect((await suite.store.entries.serve(suite.ns, serveQuery('entry-1'))).outcome).toBe('policy-changed');
      expect((await suite.store.entries.serve(suite.ns, serveQuery('entry-1', { policyVersion: 1 }))).outcome).toBe(
        'served',
      );
    });

    it('never holds one representative twice', async () => {
      const same = { vector: unitVector(64, 1), fingerprint: 'f', answer: '"yes"' };
      await suite.store.entries.admit(suite.ns, newEntry(1, same));
      for (let n = 2; n < 12; n += 1) {
        const reply = await suite.store.entries.admit(suite.ns, newEntry(n, same));
        expect(reply).toMatchObject({ outcome: 'refreshed', entryId: 'entry-1' });
      }
      expect((await suite.store.entries.lookup(suite.ns, lookupQuery(unitVector(64, 1)))).candidates).toHaveLength(1);
      const exact = await suite.store.entries.exact(suite.ns, exactQuery('exact-11'));
      expect(exact.outcome === 'hit' && exact.entry.id).toBe('entry-1');
      const changed = await suite.store.entries.admit(suite.ns, newEntry(20, { ...same, answer: '"no"' }));
      expect(changed).toMatchObject({ outcome: 'stored', entryId: 'entry-20', reason: 'replaced' });
      const left = await suite.store.entries.lookup(suite.ns, lookupQuery(unitVector(64, 1)));
      expect(left.candidates.map((c) => c.id)).toEqual(['entry-20']);
    });

    it('keeps equal vectors apart whose fingerprint, history or turn differ', async () => {
      const same = { vector: unitVector(64, 1), fingerprint: 'f', answer: '"yes"' };
      await suite.store.entries.admit(suite.ns, newEntry(1, same));
      await suite.store.entries.admit(suite.ns, newEntry(2, { ...same, fingerprint: 'g' }));
      await suite.store.entries.admit(suite.ns, newEntry(3, { ...same, historyKey: 'h' }));
      await suite.store.entries.admit(suite.ns, newEntry(4, { ...same, firstTurn: false }));
      const reply = await suite.store.entries.lookup(suite.ns, lookupQuery(unitVector(64, 1)));
      expect(reply.candidates.map((c) => c.id).sort()).toEqual(['entry-1', 'entry-2', 'entry-3', 'entry-4']);
    });

    it('takes vectors of one size only into a stratum', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1));
      await expect(suite.store.entries.admit(suite.ns, newEntry(2, { vector: unitVector(32, 1) }))).rejects.toThrow(
        /vector/,
      );
      await expect(suite.store.entries.lookup(suite.ns, lookupQuery(unitVector(32, 1)))).rejects.toThrow(/vector/);
      const broken = unitVector(64, 1);
      broken[3] = Number.NaN;
      await expect(suite.store.entries.lookup(suite.ns, lookupQuery(broken))).rejects.toThrow(/finite/);
      await expect(suite.store.entries.admit(suite.ns, newEntry(3, { vector: broken }))).rejects.toThrow(/finite/);
    });
  });

  describe(`${name}: limits`, () => {
    const suite = contractSuite(open);

    it('evicts the least recently used beyond the capacity, and nothing of it stays', async () => {
      await suite.store.admin.setPolicy(suite.ns, JSON.stringify({ capacity: 5, eviction: 'lru' }));
      for (let n = 0; n < 5; n += 1) await suite.store.entries.admit(suite.ns, newEntry(n));
      await suite.store.entries.exact(suite.ns, exactQuery('exact-0'));
      await suite.store.entries.serve(suite.ns, serveQuery('entry-1', { policyVersion: 1 }));
      expect((await suite.store.entries.admit(suite.ns, newEntry(5))).evicted).toEqual(['entry-2']);
      expect((await suite.store.entries.admit(suite.ns, newEntry(6))).evicted).toEqual(['entry-3']);
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-2'))).outcome).toBe('miss');
      const reply = await suite.store.entries.lookup(suite.ns, lookupQuery(unitVector(64, 2), { count: 64 }));
      expect(reply.candidates.map((c) => c.id).sort()).toEqual(['entry-0', 'entry-1', 'entry-4', 'entry-5', 'entry-6']);
      expect((await suite.store.admin.stats(suite.ns))['entries']).toBe(5);
    });

    it('comes down to a smaller capacity at once', async () => {
      for (let n = 0; n < 200; n += 1) await suite.store.entries.admit(suite.ns, newEntry(n));
      await suite.store.admin.setPolicy(suite.ns, JSON.stringify({ capacity: 10, eviction: 'lru' }));
      expect((await suite.store.admin.stats(suite.ns))['entries']).toBe(10);
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-199'))).outcome).toBe('hit');
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-189'))).outcome).toBe('miss');
    });

    it('refuses a policy that is not one, and keeps the old', async () => {
      await suite.store.admin.setPolicy(suite.ns, JSON.stringify({ capacity: 9 }));
      for (const bad of [
        '',
        'null',
        '[]',
        '{"capacity":0}',
        '{"capacity":1.5}',
        '{"capacity":"9"}',
        '{"eviction":"best"}',
        '{',
      ]) {
        await expect(suite.store.admin.setPolicy(suite.ns, bad)).rejects.toMatchObject({ code: 'RP_ERR_BAD_REQUEST' });
      }
      expect(await suite.store.entries.policy(suite.ns, 0)).toMatchObject({
        policyVersion: 1,
        policy: '{"capacity":9}',
      });
    });

    it('stays within the capacity under concurrent admissions', async () => {
      await suite.store.admin.setPolicy(suite.ns, JSON.stringify({ capacity: 20, eviction: 'lru' }));
      await Promise.all(Array.from({ length: 200 }, (_, n) => suite.store.entries.admit(suite.ns, newEntry(n))));
      expect((await suite.store.admin.stats(suite.ns))['entries']).toBe(20);
      const reply = await suite.store.entries.lookup(suite.ns, lookupQuery(unitVector(64, 2), { count: 64 }));
      expect(reply.candidates).toHaveLength(20);
    });

    it('counts what it does', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1));
      await suite.store.entries.exact(suite.ns, exactQuery('exact-1'));
      await suite.store.entries.exact(suite.ns, exactQuery('exact-9'));
      await suite.store.entries.lookup(suite.ns, lookupQuery(unitVector(64, 1)));
      await suite.store.entries.serve(suite.ns, serveQuery('entry-1'));
      expect(await suite.store.admin.stats(suite.ns)).toMatchObject({
        admitted: 1,
        exact_hit: 1,
        exact_miss: 1,
        lookup: 1,
        semantic_hit: 1,
        entries: 1,
        recency: 1,
        capacity: 10_000,
      });
    });
  });
}
