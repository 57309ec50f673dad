import { expect, describe, it } from 'vitest';
import { contractSuite, type Suite } from './contract-suite.js';
import { hourMs, newEntry, nowMs, type OpenStore, unitVector } from './store-under-test.js';

const dossier = Uint8Array.of(1, 2, 0, 255);

/** What every PlanStore does, and what `install` then does with it. */
export function planStoreContract(name: string, open: OpenStore): void {
  describe(`${name}: planning`, () => planContract(contractSuite(open)));
}

function planContract(suite: Suite): void {
  const admit = (n: number, change: Parameters<typeof newEntry>[1] = {}) =>
    suite.store.entries.admit(suite.ns, newEntry(n, { dossier, ...change }));
  const all = async () => {
    const found = new Map<string, unknown>();
    let cursor: string | undefined = '0';
    while (cursor !== undefined) {
      const page = await suite.store.plans.page(suite.ns, cursor, 10, nowMs);
      for (const entry of page.entries) found.set(entry.id, { ...entry, dossier: [...entry.dossier] });
      cursor = page.cursor;
    }
    return [...found.values()] as { id: string; seq: number; uses: number; cost: number; dossier: number[] }[];
  };

  it('of a namespace without entries begins with nothing', async () => {
    const head = await suite.store.plans.head(suite.ns);
    expect(head).toEqual({ version: 0, slots: 5_000, entries: 0, admitted: 0, steps: 0, note: '' });
    expect(await all()).toEqual([]);
    expect(await suite.store.plans.near(suite.ns, ['nobody'], 4)).toEqual([]);
  });

  it('sees every live entry that has a stratum and a dossier, in the order of arrival', async () => {
    for (let n = 0; n < 40; n++) await admit(n);
    await admit(50, { costMicroUsd: 0, promptTokens: 3, completionTokens: 4 });
    await suite.store.entries.admit(suite.ns, newEntry(51));
    await admit(52, { semanticTtlMs: hourMs, createdMs: nowMs - 2 * hourMs });
    const entries = await all();
    const byArrival = [...entries].sort((a, b) => a.seq - b.seq);
    const expected = [...Array.from({ length: 40 }, (_, n) => `entry-${n}`), 'entry-50'];
    expect(byArrival.map(({ id }) => id)).toEqual(expected);
    expect(byArrival[0]).toMatchObject({ uses: 0, isProtected: false, dossier: [...dossier] });
    expect(byArrival[3]?.cost).toBeCloseTo(3.3, 10);
    expect(byArrival.at(-1)?.cost).toBe(7);
    expect((await suite.store.plans.head(suite.ns)).entries).toBe(43);
  });

  it('knows who is near whom, within a stratum', async () => {
    await admit(1, { vector: unitVector(64, 0) });
    await admit(2, { vector: unitVector(64, 0, 1, 0.3) });
    await admit(3, { vector: unitVector(64, 5) });
    await admit(4, { vector: unitVector(64, 0), stratum: 'another' });
    const pairs = await suite.store.plans.near(suite.ns, ['entry-1', 'entry-4'], 2);
    expect(pairs.map(({ id, other }) => `${id} ${other}`)).toEqual([
      'entry-1 entry-1',
      'entry-1 entry-2',
      'entry-4 entry-4',
    ]);
    expect(pairs[1]?.similarity).toBeCloseTo(Math.cos(0.3), 2);
    await suite.store.admin.purge(suite.ns, { entryId: 'entry-2' }, false, nowMs);
    const left = await suite.store.plans.near(suite.ns, ['entry-1'], 2);
    expect(left.map(({ other }) => other)).not.toContain('entry-2');
  });

  it('puts a choice in force once, and remembers what it was made of', async () => {
    for (let n = 0; n < 4; n++) await admit(n);
    const planned = ['entry-2', 'entry-0', 'gone'];
    const call = { expectedVersion: 0, version: 1, planned, maxTrim: 10, seed: 1 };
    const { policies, plans, admin } = suite.store;
    expect(await policies.install(suite.ns, call)).toMatchObject({ installed: true, dropped: ['gone'] });
    expect(await policies.install(suite.ns, { ...call, version: 2 })).toMatchObject({ installed: false, version: 1 });
    await plans.note(suite.ns, '{"a":1}');
    expect(await plans.head(suite.ns)).toMatchObject({ version: 1, admitted: 4, entries: 4, note: '{"a":1}' });
    expect(await admin.stats(suite.ns)).toMatchObject({ planned: 2, recency: 2 });
  });
}
