import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metric } from '../e2e/support/admin.js';
import { ask, chat, ownSpace } from '../e2e/support/chat.js';
import { type OwnRedis, startRedis } from '../e2e/support/redis.js';
import { askAll, becomesReady, fleet, questions, ready, said } from './support/gateways.js';

const f = fleet({ REPRISE_EMBEDDING__TIMEOUT_MS: '500' });
let redis: OwnRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop('SIGKILL'));

const pairs: readonly (readonly [string, string])[] = [
  ['How do I reset my password?', 'How can I reset my password?'],
  ['パスワードを変更するには？', 'パスワードを変更するには'],
  ['Wie ändere ich mein Passwort?', 'wie ändere ich mein Passwort'],
];

describe('the embedder hangs', () => {
  it('from the start: exact hits go on, misses name the reason, and it is used as soon as it answers', async () => {
    const flag = join(mkdtempSync(join(tmpdir(), 'reprise-hang-')), 'hang');
    writeFileSync(flag, '');
    const gateway = await f.start({ REDIS_URL: redis.url, REPRISE_TEST_EMBEDDER_HANG: flag });
    const space = ownSpace('hang');
    const replies = await askAll(gateway.url, space);
    for (const [place, reply] of replies.entries()) {
      const [status, cache, reason] = said(reply);
      expect([status, cache]).toEqual([200, place % 2 === 0 ? 'miss' : 'hit-exact']);
      if (cache === 'miss') expect(['embedder-timeout', 'embedder-unavailable', 'embedder-busy']).toContain(reason);
    }
    for (const [a, b] of pairs) {
      await chat(gateway.url, ask(a), space);
      const similar = await chat(gateway.url, ask(b), space);
      expect([similar.status, similar.cache]).toEqual([200, 'miss']);
    }
    expect((await ready(gateway.url)).degraded).toEqual(['embedder-unavailable']);
    rmSync(flag);
    await becomesReady(gateway);
    const later = ownSpace('hang');
    for (const [a, b] of pairs) {
      await chat(gateway.url, ask(a), later);
      expect((await chat(gateway.url, ask(b), later)).cache).toBe('hit-semantic');
    }
  });

  it('in the middle: fifty requests at once are answered, and the process comes back', async () => {
    const flag = join(mkdtempSync(join(tmpdir(), 'reprise-hang-')), 'hang');
    const gateway = await f.start({ REDIS_URL: redis.url, REPRISE_TEST_EMBEDDER_HANG: flag });
    const space = ownSpace('hang');
    const [first = ['', ''] as const] = pairs;
    await chat(gateway.url, ask(first[0]), space);
    writeFileSync(flag, '');
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, at) => chat(gateway.url, ask(`${questions[at % 4] ?? ''} ${at}`), space)),
    );
    expect(replies.map((reply) => [reply.status, reply.cache])).toEqual(replies.map(() => [200, 'miss']));
    const degraded = [...(await metric(gateway.url, 'reprise_degraded_total'))].filter(([mode]) =>
      mode.includes('embedder'),
    );
    expect(degraded.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(0);
    rmSync(flag);
    await becomesReady(gateway);
    expect((await chat(gateway.url, ask(first[1]), space)).cache).toBe('hit-semantic');
  });

  it('follow-ups while it hangs: answered, stored for the equal request', async () => {
    const gateway = await f.start({ REDIS_URL: redis.url, REPRISE_TEST_EMBEDDER_HANG: 'true' });
    const space = ownSpace('hang');
    for (const question of questions) {
      const body = {
        ...ask(question),
        messages: [
          { role: 'user', content: question },
          { role: 'assistant', content: 'Yes.' },
          { role: 'user', content: 'And then?' },
        ],
      };
      const replies = [await chat(gateway.url, body, space), await chat(gateway.url, body, space)];
      expect(replies.map((reply) => reply.cache)).toEqual(['miss', 'hit-exact']);
    }
  });
});

describe('there is no model', () => {
  it('the gateway starts, serves equal requests, and says what is missing', async () => {
    const gateway = await f.start({
      REDIS_URL: redis.url,
      REPRISE_MODEL_DIR: mkdtempSync(join(tmpdir(), 'reprise-none-')),
    });
    const replies = await askAll(gateway.url, ownSpace('none'));
    for (const [place, reply] of replies.entries()) {
      expect(said(reply).slice(0, 2)).toEqual([200, place % 2 === 0 ? 'miss' : 'hit-exact']);
      if (place % 2 === 0) expect(reply.reason).toBe('embedder-unavailable');
    }
    expect((await ready(gateway.url)).degraded).toEqual(['embedder-unavailable']);
  });
});
