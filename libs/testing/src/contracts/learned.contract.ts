import type { LabelRule, NewSnapshot } from '@reprise/semantic-cache';
import { describe, expect, it } from 'vitest';
import { contractSuite, type Suite } from './contract-suite.js';
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

const open: NewSnapshot = {
  labels: 9,
  threshold: 0.1,
  bound: 0.05,
  breakerOpen: false,
  coldStartClosed: false,
  position: '1-1',
};
const { threshold: _threshold, ...shut } = open;

/** What the hot path of every store does with what was learned (architecture.md §3.1, §3.2). */
export function learnedContract(name: string, openStore: OpenStore): void {
  describe(`${name}: dossiers`, () => dossierContract(contractSuite(openStore)));
  describe(`${name}: what was learned, on the hot path`, () => snapshotContract(contractSuite(openStore)));
  describe(`${name}: conversations and what was learned`, () => pinContract(contractSuite(openStore)));
}

const publish = async (suite: Suite, version: number, snapshot: NewSnapshot): Promise<void> => {
  expect(await suite.store.risk.publish(suite.ns, version, 0, snapshot)).toBe(version + 1);
};

function dossierContract(suite: Suite): void {
  const everyByte = Uint8Array.from({ length: 4096 }, (_, i) => (i * 7) % 256);
  const read = (ids: readonly string[], answers = false) => suite.store.entries.dossiers(suite.ns, ids, answers);

  it('come back byte by byte, in the order asked, of live entries only', async () => {
    const { entries } = suite.store;
    await entries.admit(suite.ns, newEntry(1, { dossier: everyByte }));
    await entries.admit(suite.ns, newEntry(2, { dossier: Uint8Array.of(0) }));
    const found = await read(['entry-2', 'none', 'entry-1']);
    expect(found.map(({ id, dossier, answer }) => [id, [...dossier], answer])).toEqual([
      ['entry-2', [0], ''],
      ['entry-1', [...everyByte], ''],
    ]);
    expect(await read([])).toEqual([]);
  });

  it('stand beside answers, which are what they were', async () => {
    const { entries } = suite.store;
    const answer = JSON.stringify({ text: 'naïve 東京 🙂' });
    await entries.admit(suite.ns, newEntry(1, { dossier: everyByte, answer }));
    await entries.admit(suite.ns, newEntry(2));
    expect((await read(['entry-1', 'entry-2'], true)).map((one) => one.answer)).toEqual([answer, newEntry(2).answer]);
    expect((await read(['entry-2']))[0]?.dossier).toHaveLength(0);
    const hit = await entries.exact(suite.ns, exactQuery('exact-1'));
    expect(hit.outcome === 'hit' && hit.entry.answer).toBe(answer);
    const served = await entries.serve(suite.ns, serveQuery('entry-1'));
    expect(served.outcome === 'served' && served.entry.answer).toBe(answer);
    const query = lookupQuery(unitVector(64, 1), { answers: true, count: 1 });
    expect((await entries.lookup(suite.ns, query)).candidates[0]?.answer).toBe(answer);
  });

  it('end with their entry', async () => {
    const { entries, admin } = suite.store;
    await entries.admit(suite.ns, newEntry(1, { dossier: everyByte }));
    await admin.purge(suite.ns, { entryId: 'entry-1' }, false, nowMs);
    expect(await read(['entry-1'], true)).toEqual([]);
  });

  it('are those of the fresh answer once an entry is renewed', async () => {
    const { entries } = suite.store;
    await entries.admit(suite.ns, newEntry(1, { dossier: Uint8Array.of(1) }));
    await entries.admit(suite.ns, newEntry(1, { dossier: Uint8Array.of(2, 2) }));
    expect([...((await read(['entry-1']))[0]?.dossier ?? [])]).toEqual([2, 2]);
  });
}

function snapshotContract(suite: Suite): void {
  const serve = async (rule: LabelRule, snapshot: number) =>
    (await suite.store.entries.serve(suite.ns, serveQuery('entry-1', { decidedBy: { rule, snapshot } }))).outcome;
  const both = async (snapshot: number) => [await serve('budget', snapshot), await serve('cold-start', snapshot)];

  it('its version is on every reply', async () => {
    const { entries } = suite.store;
    const versions = async () => [
      (await entries.policy(suite.ns, 0)).snapshotVersion,
      (await entries.exact(suite.ns, exactQuery('exact-1'))).snapshotVersion,
      (await entries.lookup(suite.ns, lookupQuery(unitVector(64, 1)))).snapshotVersion,
    ];
    expect(await versions()).toEqual([0, 0, 0]);
    await entries.admit(suite.ns, newEntry(1));
    await publish(suite, 0, open);
    await publish(suite, 1, shut);
    expect(await versions()).toEqual([2, 2, 2]);
  });

  it('lets what it allows pass, decided by an older version too', async () => {
    await suite.store.entries.admit(suite.ns, newEntry(1));
    expect(await both(0)).toEqual(['served', 'served']);
    await publish(suite, 0, open);
    expect(await both(1)).toEqual(['served', 'served']);
    await publish(suite, 1, open);
    expect(await both(1)).toEqual(['served', 'served']);
  });

  it('refuses both rules while the breaker is open, whoever decided before', async () => {
    await suite.store.entries.admit(suite.ns, newEntry(1));
    await publish(suite, 0, open);
    await publish(suite, 1, { ...open, breakerOpen: true });
    expect(await both(1)).toEqual(['breaker-open', 'breaker-open']);
    expect(await both(0)).toEqual(['breaker-open', 'breaker-open']);
    await publish(suite, 2, open);
    expect(await both(1)).toEqual(['served', 'served']);
    expect((await suite.store.admin.stats(suite.ns))['semantic_hit']).toBe(2);
  });

  it('refuses each rule when it is shut', async () => {
    await suite.store.entries.admit(suite.ns, newEntry(1));
    await publish(suite, 0, open);
    await publish(suite, 1, shut);
    expect(await both(1)).toEqual(['snapshot-changed', 'served']);
    await publish(suite, 2, { ...open, coldStartClosed: true });
    expect(await both(0)).toEqual(['served', 'snapshot-changed']);
  });
}

function pinContract(suite: Suite): void {
  const join = (head: string, fresh: string) => suite.store.conversations.join(suite.ns, head, fresh, nowMs, hourMs);
  const advance = (id: string, head: string, snapshot?: number) =>
    suite.store.conversations.advance(suite.ns, id, head, nowMs, hourMs, snapshot);

  it('a conversation keeps the version that it began with', async () => {
    await publish(suite, 0, open);
    await advance('first', 'h1', 1);
    await publish(suite, 1, open);
    expect(await join('h1', 'x')).toEqual({ id: 'first', snapshot: 1 });
    await advance('first', 'h2', 2);
    expect(await join('h2', 'x')).toEqual({ id: 'first', snapshot: 1 });
    expect(await suite.store.conversations.pinned(suite.ns, 'first')).toBe(1);
  });

  it('a fork begins with the version in force', async () => {
    await publish(suite, 0, open);
    await publish(suite, 1, open);
    expect(await join('elsewhere', 'fork')).toEqual({ id: 'fork', snapshot: 2 });
    await publish(suite, 2, open);
    await advance('fork', 'h1', 3);
    expect(await join('h1', 'x')).toEqual({ id: 'fork', snapshot: 2 });
  });

  it('one that began before anything was learned stays without it', async () => {
    await advance('early', 'h1');
    await publish(suite, 0, open);
    expect(await join('h1', 'x')).toEqual({ id: 'early', snapshot: 0 });
  });

  it('an unknown one has none', async () => {
    expect(await suite.store.conversations.pinned(suite.ns, 'unknown')).toBeUndefined();
  });
}
