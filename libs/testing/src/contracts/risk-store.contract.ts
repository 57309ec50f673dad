import type { LabelRecord, LearnEvent, NewSnapshot } from '@reprise/semantic-cache';
import { describe, expect, it } from 'vitest';
import { contractSuite, type Suite } from './contract-suite.js';
import { exactQuery, hourMs, newEntry, nowMs, type OpenStore } from './store-under-test.js';

/** Label `n` of the contracts. */
export function newLabel(n: number, change: Partial<LabelRecord> = {}): LabelRecord {
  return {
    requestId: `labelled-${n}`,
    conversation: 'conversation-l',
    entryId: `entry-${n}`,
    turn: n,
    rule: 'budget',
    served: true,
    rejected: 0,
    judge: 'reference',
    rate: 0.1,
    score: 0.1 + 0.2,
    snapshot: 1,
    featureVersion: 1,
    row: Float64Array.of(n, 1 / 3, -5e-324),
    ...change,
  };
}

const snapshot = (change: Partial<NewSnapshot> = {}): NewSnapshot => ({
  labels: 10,
  threshold: 1 / 3,
  bound: 0.1 + 0.2,
  breakerOpen: false,
  coldStartClosed: true,
  position: '1-1',
  ...change,
});

const labelsOf = (events: readonly LearnEvent[]): readonly LabelRecord[] =>
  events.flatMap((event) => (event.kind === 'label' ? [event.label] : []));

/** What every RiskStore does (architecture.md §5). */
export function riskStoreContract(name: string, open: OpenStore): void {
  describe(`${name}: labels`, () => labelContract(contractSuite(open)));
  describe(`${name}: ends of conversations in the stream of labels`, () => endContract(contractSuite(open)));
  describe(`${name}: snapshots`, () => snapshotContract(contractSuite(open)));
  describe(`${name}: purges of labels`, () => labelPurgeContract(contractSuite(open)));
}

function labelContract(suite: Suite): void {
  const observe = (label: LabelRecord, keep?: boolean) => suite.store.risk.observe(suite.ns, label, keep);
  const read = (position = '', count = 100) => suite.store.risk.read(suite.ns, position, count);
  const stat = async (counter: string) => (await suite.store.admin.stats(suite.ns))[counter] ?? 0;

  it('are kept to the last bit, in order', async () => {
    const { score: _score, ...unscored } = newLabel(2, { rule: 'cold-start', served: false, rejected: 1, user: 'u' });
    const labels = [newLabel(1, { texts: Float32Array.of(0.1, -3, 1e-20) }), unscored, newLabel(3)];
    for (const label of labels) expect(await observe(label)).toBe(true);
    expect(labelsOf((await read()).events)).toStrictEqual(labels);
  });

  it('are one for a request, however often it is judged', async () => {
    expect(await observe(newLabel(1))).toBe(true);
    expect(await observe(newLabel(1, { rejected: 1 }))).toBe(false);
    expect((await read()).events).toHaveLength(1);
    expect(await stat('judged_budget_served_right')).toBe(1);
    expect(await stat('judged_budget_served_wrong')).toBe(0);
    expect(await stat('judged_by_reference')).toBe(1);
  });

  it('are counted by rule, by whether they were served, and by verdict', async () => {
    await observe(newLabel(1));
    await observe(newLabel(2, { rejected: 1 }));
    await observe(newLabel(3, { rule: 'cold-start', served: false, rejected: 1, judge: 'llm' }));
    expect(await suite.store.admin.stats(suite.ns)).toMatchObject({
      judged_budget_served_right: 1,
      judged_budget_served_wrong: 1,
      judged_cold_start_withheld_wrong: 1,
      judged_by_llm: 1,
      judged_by_reference: 2,
      labels_correct: 1,
      labels_incorrect: 2,
      labels_late: 3,
    });
  });

  it('move the posterior of a live entry', async () => {
    await suite.store.entries.admit(suite.ns, newEntry(1));
    await observe(newLabel(1, { rejected: 1 }));
    const [entry] = await suite.store.admin.entries(suite.ns, 0, 1);
    expect(Number(entry?.['beta'])).toBeCloseTo(2, 9);
    expect(await stat('labels_late')).toBe(0);
  });

  it('that are not to be learned from are only counted', async () => {
    expect(await observe(newLabel(1), false)).toBe(true);
    expect(await observe(newLabel(1))).toBe(false);
    expect((await read()).events).toEqual([]);
    expect(await stat('judged_budget_served_right')).toBe(1);
  });

  it('are read page by page', async () => {
    for (let n = 0; n < 25; n++) await observe(newLabel(n));
    const read10 = async (position: string) => (await read(position, 10)).events;
    const first = await read10('');
    const second = await read10(first.at(-1)?.id ?? '');
    const third = await read10(second.at(-1)?.id ?? '');
    expect(labelsOf([...first, ...second, ...third]).map(({ turn }) => turn)).toEqual([...Array(25).keys()]);
    expect(await read10(third.at(-1)?.id ?? '')).toEqual([]);
  });

  it('that are missing are counted once, and no more when a later try brings a verdict', async () => {
    const { risk } = suite.store;
    expect(await risk.missing(suite.ns, 'labelled-1')).toBe(true);
    expect(await risk.missing(suite.ns, 'labelled-1')).toBe(false);
    expect(await risk.missing(suite.ns, 'labelled-2')).toBe(true);
    expect(await stat('judge_missing')).toBe(2);
    expect(await observe(newLabel(1))).toBe(true);
    expect(await stat('judge_missing')).toBe(1);
    expect(await risk.missing(suite.ns, 'labelled-1')).toBe(false);
    expect(await stat('judge_missing')).toBe(1);
  });

  it('cost money, and hits save some', async () => {
    const { risk, entries } = suite.store;
    expect(await risk.spend(suite.ns, 0)).toEqual({ spentNanoUsd: 0, savedNanoUsd: 0 });
    await entries.admit(suite.ns, newEntry(1, { costMicroUsd: 12.3456 }));
    await entries.exact(suite.ns, exactQuery('exact-1'));
    await entries.exact(suite.ns, exactQuery('exact-1'));
    await risk.spend(suite.ns, 1_500);
    expect(await risk.spend(suite.ns, 250)).toEqual({ spentNanoUsd: 1_750, savedNanoUsd: 24_692 });
  });
}

function endContract(suite: Suite): void {
  const kinds = async () => (await suite.store.risk.read(suite.ns, '', 100)).events.map(({ kind }) => kind);
  const begin = () => suite.store.conversations.join(suite.ns, 'start', 'conversation-l', nowMs, hourMs);
  const observe = (n: number) => suite.store.risk.observe(suite.ns, newLabel(n));

  it('are said when it is closed', async () => {
    await begin();
    await observe(1);
    await suite.store.conversations.advance(suite.ns, 'conversation-l', 'h1', nowMs, hourMs);
    expect(await kinds()).toEqual(['label']);
    await suite.store.conversations.close(suite.ns, 'conversation-l');
    const { events } = await suite.store.risk.read(suite.ns, '', 100);
    expect(events.map(({ kind }) => kind)).toEqual(['label', 'end']);
    expect(events[0]).toMatchObject({ late: false });
    expect(events[1]).toMatchObject({ conversation: 'conversation-l' });
    await suite.store.conversations.close(suite.ns, 'conversation-l');
    expect(await kinds()).toEqual(['label', 'end']);
  });

  it('are said when it is closed for being idle', async () => {
    await begin();
    await observe(1);
    const { conversations } = suite.store;
    expect(await conversations.closeIdle(suite.ns, 'conversation-l', nowMs + 1, hourMs)).toMatchObject({
      outcome: 'busy',
    });
    expect(await kinds()).toEqual(['label']);
    await conversations.closeIdle(suite.ns, 'conversation-l', nowMs + hourMs, hourMs);
    expect(await kinds()).toEqual(['label', 'end']);
  });

  it('are not said of one without labels', async () => {
    await begin();
    await suite.store.conversations.join(suite.ns, 'other', 'silent', nowMs, hourMs);
    await observe(1);
    await suite.store.conversations.close(suite.ns, 'silent');
    expect(await kinds()).toEqual(['label']);
  });

  it('come before a label whose verdict was late', async () => {
    await begin();
    await observe(1);
    await suite.store.conversations.close(suite.ns, 'conversation-l');
    await observe(2);
    const { events } = await suite.store.risk.read(suite.ns, '', 100);
    expect(events.map(({ kind }) => kind)).toEqual(['label', 'end', 'label']);
    expect(events[2]).toMatchObject({ late: true });
  });
}

function snapshotContract(suite: Suite): void {
  const { position: _position, ...visible } = snapshot();

  it('there is none at first', async () => {
    expect(await suite.store.risk.snapshot(suite.ns, 0)).toBeUndefined();
    expect(await suite.store.risk.read(suite.ns, '', 10)).toEqual({ epoch: 0, version: 0, events: [] });
  });

  it('comes as it was published, to whoever holds another version', async () => {
    const { risk } = suite.store;
    expect(await risk.publish(suite.ns, 0, 0, snapshot({ model: 'model 1' }))).toBe(1);
    const first = { version: 1, ...visible, model: 'model 1' };
    expect(await risk.snapshot(suite.ns, 0)).toEqual(first);
    expect(await risk.snapshot(suite.ns, 0)).toEqual(first);
    expect(await risk.snapshot(suite.ns, 1)).toBeUndefined();
    expect(await risk.snapshot(suite.ns, 7)).toEqual(first);
    expect((await risk.read(suite.ns, '', 10)).version).toBe(1);
  });

  it('keeps the model when only the threshold moves', async () => {
    const { risk } = suite.store;
    await risk.publish(suite.ns, 0, 0, snapshot({ model: 'model 1' }));
    await risk.snapshot(suite.ns, 0);
    const { threshold: _threshold, bound: _bound, ...closed } = snapshot({ breakerOpen: true, labels: 60 });
    expect(await risk.publish(suite.ns, 1, 0, closed)).toBe(2);
    expect(await risk.snapshot(suite.ns, 1)).toEqual({
      version: 2,
      labels: 60,
      breakerOpen: true,
      coldStartClosed: true,
      model: 'model 1',
    });
    await risk.publish(suite.ns, 2, 0, snapshot({ model: 'model 2' }));
    expect(await risk.snapshot(suite.ns, 2)).toMatchObject({ version: 3, model: 'model 2' });
  });

  it('leaves the axes to whoever begins at the oldest event, also after labels were purged', async () => {
    const { risk, admin } = suite.store;
    await risk.observe(suite.ns, newLabel(1, { conversation: 'c' }));
    const [event] = (await risk.read(suite.ns, '', 1)).events;
    await risk.publish(suite.ns, 0, 0, snapshot({ axes: 'the axes' }));
    await risk.publish(suite.ns, 1, 0, snapshot());
    await admin.purge(suite.ns, { conversation: 'c' }, false, nowMs);
    expect(await risk.read(suite.ns, '', 1)).toMatchObject({ axes: 'the axes', epoch: 1 });
    expect(await risk.read(suite.ns, event?.id ?? '', 1)).not.toHaveProperty('axes');
    await admin.purge(suite.ns, { all: true }, false, nowMs);
    expect(await risk.read(suite.ns, '', 1)).not.toHaveProperty('axes');
  });

  it('is learned for the budget of the stored policy, else of the configured one', async () => {
    const { risk, admin } = suite.store;
    await admin.remember(suite.ns, JSON.stringify({ errorBudget: 0.02, confidence: 0.99 }));
    expect(await risk.read(suite.ns, '', 1)).toMatchObject({ budget: 0.02, confidence: 0.99 });
    await admin.setPolicy(suite.ns, JSON.stringify({ errorBudget: 0.1 }));
    expect(await risk.read(suite.ns, '', 1)).toMatchObject({ budget: 0.1, confidence: 0.99 });
  });

  it('is put in force by one of those who publish at a time', async () => {
    const { risk } = suite.store;
    const versions = await Promise.all(
      Array.from({ length: 8 }, (_, i) => risk.publish(suite.ns, 0, 0, snapshot({ labels: i }))),
    );
    expect(versions.filter((version) => version === 1)).toHaveLength(1);
    expect(versions.filter((version) => version === undefined)).toHaveLength(7);
  });
}

function labelPurgeContract(suite: Suite): void {
  const left = async () => labelsOf((await suite.store.risk.read(suite.ns, '', 1_000)).events).map(({ turn }) => turn);

  it('take the labels of a conversation and of a user, and what was learned from them', async () => {
    const { risk, admin } = suite.store;
    for (let n = 0; n < 12; n++)
      await risk.observe(suite.ns, newLabel(n, { conversation: `c${n % 3}`, user: n < 6 ? 'first' : 'second' }));
    await risk.publish(suite.ns, 0, 0, snapshot({ model: 'model' }));
    await admin.purge(suite.ns, { conversation: 'c1' }, false, nowMs);
    expect(await left()).toEqual([0, 2, 3, 5, 6, 8, 9, 11]);
    expect(await risk.snapshot(suite.ns, 1)).toEqual({
      version: 2,
      labels: 0,
      breakerOpen: false,
      coldStartClosed: false,
    });
    expect(await risk.publish(suite.ns, 2, 0, snapshot())).toBeUndefined();
    const { epoch } = await risk.read(suite.ns, '', 1);
    expect(epoch).toBe(1);
    expect(await risk.publish(suite.ns, 2, epoch, snapshot())).toBe(3);
    await admin.purge(suite.ns, { user: 'second' }, false, nowMs);
    expect(await left()).toEqual([0, 2, 3, 5]);
  });

  it('leave what was learned from entries that are only outdated, but no vectors of their texts', async () => {
    const { risk, admin, entries } = suite.store;
    for (const n of [1, 2]) await entries.admit(suite.ns, newEntry(n, { tags: ['old'] }));
    await risk.observe(suite.ns, newLabel(1));
    await risk.observe(suite.ns, newLabel(2, { texts: Float32Array.of(1) }));
    await admin.purge(suite.ns, { tag: 'old' }, false, nowMs);
    expect(await left()).toEqual([1]);
  });

  it('of everything leave nothing but the version', async () => {
    const { risk, admin } = suite.store;
    await risk.observe(suite.ns, newLabel(1));
    await risk.publish(suite.ns, 0, 0, snapshot({ model: 'model' }));
    await admin.purge(suite.ns, { all: true }, false, nowMs);
    expect(await left()).toEqual([]);
    expect(await risk.snapshot(suite.ns, 1)).toEqual({
      version: 2,
      labels: 0,
      breakerOpen: false,
      coldStartClosed: false,
    });
  });

  it('of a dry run take nothing', async () => {
    await suite.store.risk.observe(suite.ns, newLabel(1, { conversation: 'c' }));
    await suite.store.admin.purge(suite.ns, { conversation: 'c' }, true, nowMs);
    expect(await left()).toEqual([1]);
  });
}
