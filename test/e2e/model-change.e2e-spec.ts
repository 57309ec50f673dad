import { createRng } from '@reprise/kernel';
import { FEATURE_VERSION, FEATURES, fitAxes, fitKlr, serialiseKnowledge } from '@reprise/policy';
import { createRedisStore } from '@reprise/redis-store';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespaceOf, onNamespace, setPolicy } from './support/admin.js';
import { ask, chat, ownSpace } from './support/chat.js';
import { keysOf, openPlain } from './support/key-dump.js';
import { eventually, type GatewayProcess, type OwnProcess, startGateway, startWorker } from './support/process.js';
import { makeSmallModel } from './support/small-model.js';
import { adminHash, patient, suite } from './support/suite.js';

const s = suite({ REPRISE_JUDGE__KIND: 'llm' }, 1, 'own');

/** A model for vectors of `size` numbers that holds every reuse for right. */
function believesAll(size: number): string {
  const count = 100;
  const rng = createRng(5);
  const vectors = Array.from({ length: 32 }, () => Float32Array.from({ length: size }, () => rng.next() - 0.5));
  const rows = Float64Array.from({ length: count * FEATURES }, () => rng.next());
  const model = fitKlr({ rows, count, rejected: new Float64Array(count) });
  return serialiseKnowledge({ featureVersion: FEATURE_VERSION, axes: fitAxes(vectors), model });
}

describe('case 36: another embedding model', () => {
  let fp32: GatewayProcess;
  let small: GatewayProcess;
  let worker: OwnProcess;
  let redis: Redis;
  beforeAll(async () => {
    redis = await openPlain(s.redisUrl);
    const start = (env: Record<string, string>): Promise<GatewayProcess> =>
      startGateway({
        REDIS_URL: s.redisUrl,
        OPENAI_BASE_URL: s.upstream.url,
        REPRISE_AUTH__ADMINTOKENHASH: adminHash,
        ...patient,
        ...env,
      });
    fp32 = await start({ REPRISE_EMBEDDING__DTYPE: 'fp32' });
    small = await start({ REPRISE_MODEL_DIR: makeSmallModel(64) });
    worker = startWorker({ REDIS_URL: s.redisUrl, REPRISE_QUEUES__SWEEP_EVERY_MS: '1000' });
  });
  afterAll(() => Promise.all([fp32.stop(), small.stop(), worker.stop(), redis.quit()]));

  const questions: readonly (readonly [string, string, string])[] = [
    ['How do I reset my password?', 'How can I reset my password?', 'How may I reset my password?'],
    ['Wie ändere ich mein Passwort?', 'wie ändere ich mein Passwort', 'Bitte: Wie ändere ich mein Passwort?'],
    ['パスワードを変更するには？', 'パスワードを変更するには', 'パスワードを変更するには。'],
  ];
  const sets = async (ns: string): Promise<string[]> =>
    (await keysOf(redis, ns)).filter((key) => key.startsWith(`rp:{${ns}}:v:`));

  it.each(questions)('old entries are no candidates, new ones have sets of their own: %s', async (a, b) => {
    const space = ownSpace('model');
    const ns = namespaceOf(space);
    await chat(s.url, ask(a), space);
    const readOnly = { ...space, 'x-reprise-mode': 'read_only' };
    const old = await chat(s.url, ask(b), readOnly);
    expect(old.cache).toBe('hit-semantic');
    const first = await chat(fp32.url, ask(b), readOnly);
    expect([first.cache, first.reason]).toEqual(['miss', 'no-candidate']);
    // The equal request asks no model.
    expect((await chat(fp32.url, ask(a), readOnly)).cache).toBe('hit-exact');
    expect(await sets(ns)).toHaveLength(1);
    await chat(fp32.url, ask(b), space);
    expect(await sets(ns)).toHaveLength(2);
    const again = await chat(fp32.url, ask(a), { ...readOnly, 'cache-control': 'no-cache' });
    expect(again.cache).toBe('miss');
    expect((await onNamespace<{ problems: string[] }>(s, ns, 'check')).problems).toEqual([]);
  });

  it.each(questions)(
    'another size of vectors: old entries are not served, nor new ones to the old: %s',
    async (a, b, c) => {
      const space = ownSpace('size');
      const ns = namespaceOf(space);
      const readOnly = { ...space, 'x-reprise-mode': 'read_only' };
      const sizes = async (): Promise<number[]> => {
        const dims = (await sets(ns)).map(async (key) => Number(await redis.call('VDIM', key)));
        return (await Promise.all(dims)).sort((x, y) => x - y);
      };
      await chat(s.url, ask(a), space);
      expect((await chat(s.url, ask(b), readOnly)).cache).toBe('hit-semantic');
      const first = await chat(small.url, ask(b), readOnly);
      expect([first.status, first.cache, first.reason]).toEqual([200, 'miss', 'no-candidate']);
      expect((await chat(small.url, ask(a), readOnly)).cache).toBe('hit-exact');
      // What the small one stores serves it, beside what the old one goes on serving: three parts of each size.
      await chat(small.url, ask(b), space);
      expect(await sizes()).toEqual([3 * 64, 3 * 384]);
      for (const { url } of [small, ...s.gateways]) {
        const similarity = (await chat(url, ask(c), readOnly)).headers.get('x-cache-similarity');
        expect(Number(similarity)).toBeGreaterThan(0.6);
      }
      expect((await onNamespace<{ problems: string[] }>(s, ns, 'check')).problems).toEqual([]);
    },
  );

  it('what was learned from vectors of another size decides nothing', async () => {
    const space = ownSpace('size');
    const store = createRedisStore({ url: s.redisUrl, commandTimeoutMs: 5000 });
    expect(await store.connect(10_000)).toBe(true);
    const history = (opening: string) => ({
      ...ask(opening),
      messages: [
        { role: 'user', content: opening },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'Thank you, that is all.' },
      ],
    });
    try {
      for (const { url } of [...s.gateways, small]) await chat(url, history('Do you sell a blue lamp?'), space);
      const snapshot = { labels: 200, threshold: 0.9, bound: 0.04, breakerOpen: false, coldStartClosed: false };
      const model = believesAll(384);
      expect(await store.risk.publish(namespaceOf(space), 0, 0, { ...snapshot, position: '1-1', model })).toBe(1);
      const asked = { ...space, 'x-reprise-mode': 'read_only' };
      await eventually(
        async () => (await chat(s.url, history('Do you sell a green chair?'), asked)).cache === 'hit-semantic',
      );
      await eventually(
        async () => (await chat(small.url, ask('Is anybody there?'), asked)).headers.get('x-cache-snapshot') === '1',
      );
      const reply = await chat(small.url, history('Do you sell a green chair?'), asked);
      expect([reply.status, reply.cache, reply.reason]).toEqual([200, 'miss', 'follow-up']);
    } finally {
      await store.close();
    }
  });

  it('the new sets serve, and the old ones are collected once their entries are used by nobody', async () => {
    const space = ownSpace('model');
    const ns = namespaceOf(space);
    const [a, b, c] = questions[0] as readonly [string, string, string];
    await setPolicy(s, ns, { exactTtlMs: 2_000, semanticTtlMs: 2_000 });
    await chat(s.url, ask(a), space);
    await chat(s.url, ask(`${a} Please tell me step by step.`), space);
    await setPolicy(s, ns, {});
    await chat(fp32.url, ask(b), space);
    expect((await chat(fp32.url, ask(c), space)).cache).toBe('hit-semantic');
    const before = await sets(ns);
    expect(before).toHaveLength(2);
    await eventually(
      async () => (await sets(ns)).length === 1,
      30_000,
      () => worker.log,
    );
    expect((await chat(fp32.url, ask(c), space)).cache).toBe('hit-semantic');
    expect((await onNamespace<{ problems: string[] }>(s, ns, 'check')).problems).toEqual([]);
  });

  it('the vectors of entries that live on for equal requests only are collected, too', async () => {
    const space = ownSpace('model');
    const ns = namespaceOf(space);
    const [a, b] = questions[0] as readonly [string, string, string];
    await setPolicy(s, ns, { exactTtlMs: 3_600_000, semanticTtlMs: 2_000 });
    await chat(s.url, ask(a), space);
    expect(await sets(ns)).toHaveLength(1);
    await eventually(
      async () => (await sets(ns)).length === 0,
      30_000,
      () => worker.log,
    );
    expect((await chat(s.url, ask(a), space)).cache).toBe('hit-exact');
    expect((await chat(s.url, ask(b), space)).cache).toBe('miss');
    expect((await onNamespace<{ problems: string[] }>(s, ns, 'check')).problems).toEqual([]);
  });
});
