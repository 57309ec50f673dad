import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespaceOf, onNamespace, setPolicy } from './support/admin.js';
import { ask, chat, ownSpace } from './support/chat.js';
import { keysOf, openPlain } from './support/key-dump.js';
import { eventually, type GatewayProcess, type OwnProcess, startGateway, startWorker } from './support/process.js';
import { adminHash, patient, suite } from './support/suite.js';

const s = suite({}, 1, 'own');

describe('case 36: another embedding model', () => {
  let fp32: GatewayProcess;
  let worker: OwnProcess;
  let redis: Redis;
  beforeAll(async () => {
    redis = await openPlain(s.redisUrl);
    fp32 = await startGateway({
      REDIS_URL: s.redisUrl,
      OPENAI_BASE_URL: s.upstream.url,
      REPRISE_AUTH__ADMINTOKENHASH: adminHash,
      REPRISE_EMBEDDING__DTYPE: 'fp32',
      ...patient,
    });
    worker = startWorker({ REDIS_URL: s.redisUrl, REPRISE_QUEUES__SWEEP_EVERY_MS: '1000' });
  });
  afterAll(() => Promise.all([fp32.stop(), worker.stop(), redis.quit()]));

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
