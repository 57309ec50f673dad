import { effectivePolicy, loadConfig } from '@reprise/config';
import { createHashingEmbedder } from '@reprise/embeddings';
import { createRng } from '@reprise/kernel';
import { createMemoryStore, type MemoryStore } from '@reprise/memory-store';
import { FEATURE_VERSION, FEATURES, fitAxes, fitKlr, type NamespacePolicy, serialiseKnowledge } from '@reprise/policy';
import { type ChatDecision, replayChat, type TraceRecord } from '@reprise/simulator';
import { createReferenceJudge } from '@reprise/testing';
import { describe, expect, it } from 'vitest';

const loaded = loadConfig({ env: {}, cwd: import.meta.dirname });
if (!loaded.ok) throw new Error('The default configuration is not valid.');
const policy = effectivePolicy(loaded.value) as unknown as NamespacePolicy;
const ns = 'simulate';
const embedder = createHashingEmbedder();

/** Believes of every candidate alike that it is right. */
function knowledge(): string {
  const count = 100;
  const rng = createRng(5);
  const vectors = Array.from({ length: 32 }, () =>
    Float32Array.from({ length: embedder.dimensions }, () => rng.next() - 0.5),
  );
  const rows = Float64Array.from({ length: count * FEATURES }, () => rng.next());
  const model = fitKlr({ rows, count, rejected: new Float64Array(count) });
  return serialiseKnowledge({ featureVersion: FEATURE_VERSION, axes: fitAxes(vectors), model });
}

const publish = async (store: MemoryStore): Promise<void> => {
  const { version, epoch } = await store.risk.read(ns, '', 1);
  const inForce = { labels: 300, threshold: 0.4, bound: 0.04, breakerOpen: false, coldStartClosed: false };
  await store.risk.publish(ns, version, epoch, { ...inForce, position: '', model: knowledge() });
};

const questions = ['opening hours', 'a broken lamp', 'delivery to the island', 'the lost parcel'];

/**
 * Six conversations of five turns that begin one after another and go on at random; now and then something new is put in
 * force, no more often than a gateway holds versions of.
 */
async function* interleaved(store: MemoryStore, seed: number, every = 5, last = 25): AsyncGenerator<TraceRecord> {
  const rng = createRng(seed);
  const said = Array.from({ length: 6 }, (): { role: string; content: string }[] => []);
  for (let step = 0; ; step++) {
    if (step % every === every - 1 && step < last) await publish(store);
    const open = said.flatMap((messages, c) => (messages.length < 10 && 4 * c <= step ? [c] : []));
    if (open.length === 0) return;
    const c = open[Math.floor(rng.next() * open.length)] as number;
    const messages = said[c] as { role: string; content: string }[];
    const about = questions[(c + messages.length) % questions.length] ?? '';
    messages.push({ role: 'user', content: `Please tell me more about ${about}, conversation ${c % 3}.` });
    const message = { role: 'assistant', content: `Here is all about ${about}.` };
    yield {
      id: `${c}/${step}`,
      request: { model: 'm', messages: [...messages] },
      reply: { message, finishReason: 'stop', promptTokens: 10, completionTokens: 10, counted: true },
      user: '',
      conversation: `conversation ${c}`,
    };
    messages.push(message);
  }
}

async function play(
  seed: number,
  change: (store: MemoryStore) => MemoryStore = (store) => store,
  [every, last]: readonly [number, number] = [5, 25],
) {
  const store = createMemoryStore({ nowMs: () => 0 });
  const decisions: (ChatDecision & { pin: number; published: number })[] = [];
  const replay = replayChat(interleaved(store, seed, every, last), {
    store: change(store),
    ns,
    policy: { ...policy, coldStart: 'none' },
    embedder,
    limits: { jsonDepth: 64, maxMessages: 1_000, semanticMaxChars: 8_000, historyMessages: 32 },
    seed: 1,
    costOf: () => 0,
    learning: { risk: store.risk, judge: createReferenceJudge(() => 0), labelSecret: 'secret' },
  });
  for await (const decision of replay) {
    const pin = (await store.conversations.pinned(ns, decision.record.conversation ?? '')) ?? -1;
    decisions.push({ ...decision, pin, published: (await store.risk.read(ns, '', 1)).version });
  }
  return decisions;
}

describe('what was learned, while conversations go on', () => {
  it.each([1, 2, 3, 4, 5])('each conversation is decided by one snapshot to its end (order %d)', async (seed) => {
    const decisions = await play(seed);
    const seen = new Map<string, Set<number | undefined>>();
    for (const { record, risk, snapshot } of decisions) {
      if (risk === undefined) continue;
      const own = seen.get(record.conversation ?? '') ?? new Set();
      seen.set(record.conversation ?? '', own.add(snapshot));
    }
    expect([...seen.values()].every((own) => own.size === 1)).toBe(true);
    // Several are in force at a time.
    expect(new Set([...seen.values()].map((own) => [...own][0])).size).toBeGreaterThan(1);
    expect(decisions.filter(({ kind }) => kind === 'hit-semantic').length).toBeGreaterThan(3);
  });

  it.each([1, 2, 3])(
    'one that outlives six snapshots goes on with the newest, and not before (order %d)',
    async (seed) => {
      let outlived = 0;
      for (const { risk, snapshot = 0, pin, published } of await play(seed, undefined, [1, 60])) {
        if (risk === undefined) continue;
        // What is put in force before a request is known with it, or with the next one.
        if (published - pin < 6) expect(snapshot).toBe(pin);
        if (published - pin > 6) expect([published - 1, published]).toContain(snapshot);
        if (published - pin > 6) outlived += 1;
      }
      expect(outlived).toBeGreaterThan(1);
    },
  );

  it.each([1, 2, 3, 4, 5])(
    'what a conversation has stored itself serves others, and never itself (order %d)',
    async (seed) => {
      const decisions = await play(seed);
      const storedBy = new Map<string, string | undefined>();
      const reuses = new Set<boolean>();
      for (const { kind, entryId, record } of decisions) {
        if (kind === 'miss' && !storedBy.has(entryId)) storedBy.set(entryId, record.conversation);
        if (kind === 'hit-semantic') reuses.add(storedBy.get(entryId) !== record.conversation);
      }
      expect([...reuses]).toEqual([true]);
    },
  );

  it('an entry that is gone when it is to be served is a miss, whatever was decided', async () => {
    const decisions = await play(1, (store) => ({
      ...store,
      entries: Object.assign(Object.create(store.entries) as MemoryStore['entries'], {
        serve: async (...[space, query]: Parameters<MemoryStore['entries']['serve']>) => {
          await store.admin.purge(space, { entryId: query.entryId }, false, 0);
          return store.entries.serve(space, query);
        },
      }),
    }));
    expect(decisions.filter(({ kind }) => kind === 'hit-semantic')).toEqual([]);
    const gone = decisions.filter(({ reason }) => reason === 'gone');
    expect(gone.length).toBeGreaterThan(3);
    expect(gone.every(({ kind }) => kind === 'miss')).toBe(true);
  });
});
