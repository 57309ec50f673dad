import { describe, expect, it } from 'vitest';
import type { PurgeFilter } from '@reprise/semantic-cache';
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

/** Tag values that a query language would trip over (acceptance case 37). */
const hardTags = [
  'a-b',
  'a:b',
  'a b',
  'a"b',
  "a'b",
  'a,b',
  'größe',
  '東京',
  '🙂',
  'a|b',
  '{a}',
  '*',
  '[a]',
  '\\',
  '@t:{x}',
];

/** What every NamespaceAdmin does (acceptance cases 19, 36, 37, 40, 43). */
export function namespaceAdminContract(name: string, open: OpenStore): void {
  describe(`${name}: purge`, () => {
    const suite = contractSuite(open);
    const purge = (filter: PurgeFilter, dryRun = false, at = nowMs) =>
      suite.store.admin.purge(suite.ns, filter, dryRun, at);
    const left = async (): Promise<string[]> =>
      (await suite.store.admin.entries(suite.ns, 0, 200)).map((entry) => entry['id'] ?? '').sort();

    it('tells before it takes, and takes exactly that', async () => {
      for (let n = 0; n < 30; n += 1)
        await suite.store.entries.admit(suite.ns, newEntry(n, { tags: [n % 3 === 0 ? 'red' : 'blue'] }));
      const dry = await purge({ tag: 'red' }, true);
      expect(dry).toMatchObject({ dryRun: true, matched: 10, removed: 0 });
      expect(await left()).toHaveLength(30);
      const done = await purge({ tag: 'red' });
      expect(done).toMatchObject({ dryRun: false, matched: 10, removed: 10 });
      expect([...done.sample].sort()).toEqual([...dry.sample].sort());
      expect(await left()).toHaveLength(20);
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-0'))).outcome).toBe('miss');
      expect((await suite.store.entries.serve(suite.ns, serveQuery('entry-3'))).outcome).toBe('gone');
      const near = await suite.store.entries.lookup(suite.ns, lookupQuery(unitVector(64, 0), { count: 64 }));
      expect(near.candidates).toHaveLength(20);
    });

    it('matches tags exactly, whatever is in them', async () => {
      for (const [n, tag] of hardTags.entries())
        await suite.store.entries.admit(suite.ns, newEntry(n, { tags: [tag, 'all'] }));
      for (const tag of hardTags) expect(await purge({ tag }, true)).toMatchObject({ matched: 1 });
      for (const tag of ['a', 'b', 'A-B', 'a-b ', 'grosse', '*b', '']) {
        if (tag !== '') expect(await purge({ tag }, true)).toMatchObject({ matched: 0 });
      }
      expect(await purge({ tag: 'all' })).toMatchObject({ matched: hardTags.length });
    });

    it('takes by entry, exact key, model, conversation, user and age', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1));
      await suite.store.entries.admit(suite.ns, newEntry(2));
      await suite.store.entries.admit(suite.ns, newEntry(3, { model: 'model-b' }));
      await suite.store.entries.admit(suite.ns, newEntry(4));
      await suite.store.entries.admit(suite.ns, newEntry(5, { user: 'u1' }));
      await suite.store.entries.admit(
        suite.ns,
        newEntry(6, { createdMs: nowMs - 2 * hourMs, exactTtlMs: 9 * hourMs, semanticTtlMs: 9 * hourMs }),
      );
      await suite.store.entries.admit(suite.ns, newEntry(7));
      expect((await purge({ entryId: 'entry-1' })).sample).toEqual(['entry-1']);
      expect((await purge({ exactKey: 'exact-2' })).sample).toEqual(['entry-2']);
      expect((await purge({ model: 'model-b' })).sample).toEqual(['entry-3']);
      expect((await purge({ conversation: 'conversation-4' })).sample).toEqual(['entry-4']);
      expect((await purge({ user: 'u1' })).sample).toEqual(['entry-5']);
      expect((await purge({ olderThanMs: hourMs })).sample).toEqual(['entry-6']);
      expect(await left()).toEqual(['entry-7']);
      expect(await purge({ entryId: 'entry-1' })).toMatchObject({ matched: 0, removed: 0 });
    });

    it('forgets one entry, which is then nowhere', async () => {
      for (const n of [1, 2]) await suite.store.entries.admit(suite.ns, newEntry(n));
      expect(await suite.store.admin.forget(suite.ns, 'entry-1', nowMs)).toBe(true);
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-1'))).outcome).toBe('miss');
      expect((await suite.store.entries.serve(suite.ns, serveQuery('entry-1'))).outcome).toBe('gone');
      expect(await left()).toEqual(['entry-2']);
      expect(await suite.store.admin.forget(suite.ns, 'entry-1', nowMs)).toBe(false);
      expect(await suite.store.admin.check(suite.ns, nowMs)).toEqual([]);
    });

    it('an answer whose request began before it is refused, and later ones are taken', async () => {
      const moment = async (): Promise<number> =>
        (await suite.store.entries.exact(suite.ns, exactQuery('exact-1'))).purges;
      const before = await moment();
      expect((await suite.store.entries.policy(suite.ns, 0)).purges).toBe(before);
      await purge({ tag: 'nothing has it' }, true);
      expect(await moment()).toBe(before);
      await purge({ tag: 'nothing has it' });
      const after = await moment();
      expect(after).toBe(before + 1);
      const late = await suite.store.entries.admit(suite.ns, newEntry(1, { purges: before }));
      expect(late).toMatchObject({ outcome: 'rejected', reason: 'purged', entryId: '' });
      expect(await left()).toEqual([]);
      expect(await suite.store.entries.admit(suite.ns, newEntry(2, { purges: after }))).toMatchObject({
        outcome: 'stored',
      });
      expect(await suite.store.entries.admit(suite.ns, newEntry(3))).toMatchObject({ outcome: 'stored' });
    });

    it('finds by exact key also what equal requests no longer get', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1, { exactTtlMs: 0 }));
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-1'))).outcome).toBe('miss');
      expect((await purge({ exactKey: 'exact-1' })).sample).toEqual(['entry-1']);
    });

    it('wants every given member to match', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1, { tags: ['t'], user: 'u' }));
      await suite.store.entries.admit(suite.ns, newEntry(2, { tags: ['t'], user: 'v' }));
      expect((await purge({ tag: 't', user: 'v', all: true })).sample).toEqual(['entry-2']);
      expect(await left()).toEqual(['entry-1']);
    });

    it('takes everything, and refuses a purge of nothing in particular', async () => {
      for (let n = 0; n < 150; n += 1) await suite.store.entries.admit(suite.ns, newEntry(n));
      await expect(purge({})).rejects.toMatchObject({ code: 'RP_ERR_BAD_REQUEST' });
      expect(await purge({ all: true })).toMatchObject({ matched: 150, removed: 150 });
      expect(await left()).toEqual([]);
      expect((await suite.store.admin.stats(suite.ns))['strata']).toBe(0);
    });

    it('takes the decisions that name what is purged', async () => {
      const { decisions } = suite.store;
      await suite.store.entries.admit(suite.ns, newEntry(1, { tags: ['t'] }));
      await suite.store.entries.admit(suite.ns, newEntry(2));
      await decisions.record(suite.ns, 'd1', 'entry-1', 'conversation-x', '{"a":1}', hourMs, nowMs);
      await decisions.record(suite.ns, 'd2', 'entry-2', 'conversation-y', '{"a":2}', hourMs, nowMs);
      await decisions.record(suite.ns, 'd3', '', 'conversation-2', '{"a":3}', hourMs, nowMs, 'user-3');
      await purge({ tag: 't' });
      expect(await decisions.read(suite.ns, 'd1')).toBeUndefined();
      expect(await decisions.read(suite.ns, 'd2')).toEqual({ record: '{"a":2}' });
      await purge({ conversation: 'conversation-2' });
      expect(await decisions.read(suite.ns, 'd2')).toBeUndefined();
      expect(await decisions.read(suite.ns, 'd3')).toBeUndefined();
      await decisions.record(suite.ns, 'd4', '', '', '{"a":4}', hourMs, nowMs, 'user-4');
      await decisions.record(suite.ns, 'd5', '', '', '{"a":5}', hourMs, nowMs, 'user-5');
      await purge({ user: 'user-4' });
      expect(await decisions.read(suite.ns, 'd4')).toBeUndefined();
      expect(await decisions.read(suite.ns, 'd5')).toEqual({ record: '{"a":5}' });
    });

    it('takes the flights that ended with a purged answer, and closes a purged conversation', async () => {
      const { flights, conversations } = suite.store;
      const leader = { key: 'exact-1', owner: 'r1' };
      await suite.store.entries.admit(suite.ns, newEntry(1));
      await flights.acquire(suite.ns, leader, 5000, nowMs);
      await flights.publish(suite.ns, leader, ['secret'], 5000, nowMs);
      await flights.complete(suite.ns, leader, 'secret', 'entry-1', 60_000);
      await conversations.join(suite.ns, 'start', 'conversation-1', nowMs, hourMs);
      await purge({ conversation: 'conversation-1' });
      expect(await flights.acquire(suite.ns, { key: 'exact-1', owner: 'r2' }, 5000, nowMs)).toEqual({ role: 'leader' });
      expect(await conversations.close(suite.ns, 'conversation-1')).toBe(false);
    });

    it('leaves other namespaces alone', async () => {
      const other = `${suite.ns}-2`;
      await suite.store.entries.admit(suite.ns, newEntry(1));
      await suite.store.entries.admit(other, newEntry(1));
      await suite.store.decisions.record(other, 'd', 'entry-1', 'c', '{}', hourMs, nowMs);
      await purge({ all: true });
      expect((await suite.store.entries.exact(other, exactQuery('exact-1'))).outcome).toBe('hit');
      expect(await suite.store.decisions.read(other, 'd')).toEqual({ record: '{}' });
      await suite.store.admin.purge(other, { all: true }, false, nowMs);
      expect(await suite.store.decisions.read(other, 'd')).toBeUndefined();
    });
  });

  describe(`${name}: out of service`, () => {
    const suite = contractSuite(open);

    it('quarantines an entry at once and refuses its answer from then on', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1));
      expect(await suite.store.admin.quarantine(suite.ns, 'entry-1', 'wrong', nowMs)).toBe(true);
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-1'))).outcome).toBe('miss');
      expect((await suite.store.entries.serve(suite.ns, serveQuery('entry-1'))).outcome).toBe('gone');
      expect((await suite.store.entries.lookup(suite.ns, lookupQuery(unitVector(64, 1)))).candidates).toEqual([]);
      const sameAnswer = await suite.store.entries.admit(suite.ns, newEntry(1, { id: 'other' }));
      expect(sameAnswer).toMatchObject({ outcome: 'rejected', reason: 'quarantined' });
      const sameId = await suite.store.entries.admit(suite.ns, newEntry(1, { answer: '"better"', exactKey: 'k' }));
      expect(sameId).toMatchObject({ outcome: 'rejected', reason: 'quarantined' });
      const better = await suite.store.entries.admit(suite.ns, newEntry(1, { id: 'other', answer: '"better"' }));
      expect(better.outcome).toBe('stored');
      expect(await suite.store.admin.quarantine(suite.ns, 'nobody', 'wrong', nowMs)).toBe(false);
      expect(await suite.store.admin.quarantine(suite.ns, 'entry-1', 'again', nowMs)).toBe(true);
    });

    it('quarantines all exact keys of an entry and its ended flight', async () => {
      const same = { vector: unitVector(64, 1), fingerprint: 'f', answer: '"bad"' };
      await suite.store.entries.admit(suite.ns, newEntry(1, same));
      await suite.store.entries.admit(suite.ns, newEntry(2, same));
      await suite.store.flights.acquire(suite.ns, { key: 'exact-2', owner: 'r' }, 5000, nowMs);
      await suite.store.flights.complete(suite.ns, { key: 'exact-2', owner: 'r' }, '"bad"', 'entry-1', 60_000);
      await suite.store.admin.quarantine(suite.ns, 'entry-1', 'wrong', nowMs);
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-2'))).outcome).toBe('miss');
      expect(await suite.store.flights.acquire(suite.ns, { key: 'exact-2', owner: 's' }, 5000, nowMs)).toEqual({
        role: 'leader',
      });
      expect(await suite.store.entries.admit(suite.ns, newEntry(3, { ...same, exactKey: 'exact-2' }))).toMatchObject({
        outcome: 'rejected',
      });
    });

    it('pauses and resumes everything that serves or stores', async () => {
      await suite.store.entries.admit(suite.ns, newEntry(1));
      await suite.store.admin.pause(suite.ns, true);
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-1'))).outcome).toBe('paused');
      expect((await suite.store.entries.lookup(suite.ns, lookupQuery(unitVector(64, 1)))).outcome).toBe('paused');
      expect((await suite.store.entries.serve(suite.ns, serveQuery('entry-1'))).outcome).toBe('paused');
      const refused = newEntry(2);
      expect((await suite.store.entries.admit(suite.ns, refused)).outcome).toBe('paused');
      expect(await suite.store.entries.policy(suite.ns, 0)).toMatchObject({ policyVersion: 0, paused: true });
      await suite.store.admin.pause(suite.ns, false);
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-1'))).outcome).toBe('hit');
      expect((await suite.store.entries.admit(suite.ns, refused)).outcome).toBe('stored');
    });
  });

  describe(`${name}: upkeep`, () => {
    const suite = contractSuite(open);

    it('sweeps what has expired, a bounded part at a time', async () => {
      for (let n = 0; n < 120; n += 1) {
        const lifeMs = n % 2 === 0 ? 1000 : hourMs;
        await suite.store.entries.admit(suite.ns, newEntry(n, { exactTtlMs: lifeMs, semanticTtlMs: lifeMs }));
      }
      let removed = 0;
      for (let run = 0; run < 20; run += 1)
        removed += (await suite.store.admin.sweep(suite.ns, nowMs + 2000, 50)).removed;
      expect(removed).toBe(60);
      expect(await suite.store.admin.check(suite.ns, nowMs + 2000)).toEqual([]);
      expect((await suite.store.admin.stats(suite.ns))['entries']).toBe(60);
      expect((await suite.store.entries.exact(suite.ns, exactQuery('exact-1'))).outcome).toBe('hit');
    });

    it('lists entries, newest first, in pages', async () => {
      for (let n = 0; n < 25; n += 1) await suite.store.entries.admit(suite.ns, newEntry(n, { tags: ['a,b'] }));
      await suite.store.entries.exact(suite.ns, exactQuery('exact-3'));
      const ids = async (offset: number, limit: number) =>
        (await suite.store.admin.entries(suite.ns, offset, limit)).map((entry) => entry['id']);
      expect(await ids(0, 3)).toEqual(['entry-24', 'entry-23', 'entry-22']);
      expect(await ids(23, 10)).toEqual(['entry-1', 'entry-0']);
      const [last] = await suite.store.admin.entries(suite.ns, 21, 1);
      expect(last).toMatchObject({
        id: 'entry-3',
        tier: 'recency',
        model: 'model-a',
        tags: '["a,b"]',
        uses: '1',
        createdMs: String(nowMs),
      });
      expect(last).not.toHaveProperty('answer');
    });

    it('remembers namespaces', async () => {
      await suite.store.admin.remember(suite.ns);
      await suite.store.admin.remember(suite.ns);
      expect((await suite.store.admin.namespaces()).filter((ns) => ns === suite.ns)).toEqual([suite.ns]);
    });

    it('refuses a namespace that would leave its hash tag', async () => {
      for (const bad of ['', 'a}b', '{a', 'a\nb', 'x'.repeat(201)]) {
        await expect(suite.store.admin.stats(bad)).rejects.toMatchObject({ code: 'RP_ERR_BAD_REQUEST' });
      }
    });
  });
}
