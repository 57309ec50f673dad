import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { namespaceOf, onNamespace, sha256 } from '../e2e/support/admin.js';
import { ask, chat, ownSpace, post } from '../e2e/support/chat.js';
import { openPlain } from '../e2e/support/key-dump.js';
import { eventually, freePort, type GatewayProcess } from '../e2e/support/process.js';
import { type OwnRedis, startRedis } from '../e2e/support/redis.js';
import { askAll, becomesReady, fleet, questions, ready, said } from './support/gateways.js';

const f = fleet();
const bypassed = [200, 'bypass', 'cache-unavailable'];
const question = questions[0] ?? '';
/** A message and another that the semantic tier answers from it. */
const reworded = [
  ['How do I reset my password?', 'How can I reset my password?'],
  ['Wie ändere ich mein Passwort?', 'wie ändere ich mein Passwort'],
  ['パスワードを変更するには？', 'パスワードを変更するには'],
] as const;

describe('Redis is away', () => {
  let redis: OwnRedis;
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    await redis.stop('SIGKILL');
  });

  it('killed: every request is answered, the first one too, and the header says why', async () => {
    const gateway = await f.start({ REDIS_URL: redis.url });
    for (const reply of await askAll(gateway.url)) expect(reply.status).toBe(200);
    expect((await chat(gateway.url, ask(question))).cache).toBe('hit-exact');
    const calls = f.upstream.stats().chat;
    await redis.stop('SIGKILL');
    const replies = await askAll(gateway.url);
    expect(replies.map(said)).toEqual(replies.map(() => bypassed));
    expect(f.upstream.stats().chat - calls).toBe(replies.length);
    const only = { 'cache-control': 'only-if-cached' };
    expect((await chat(gateway.url, ask(question), only)).status).toBe(504);
    expect((await post(gateway.url, '/v1/embeddings', { model: 'demo-embedding', input: 'one' }, only)).status).toBe(
      504,
    );
    expect(f.upstream.stats().chat - calls).toBe(replies.length);
    expect((await post(gateway.url, '/v1/embeddings', { model: 'demo-embedding', input: 'one' })).status).toBe(200);
    expect((await fetch(`${gateway.url}/v1/models`)).status).toBe(200);
    expect(await ready(gateway.url)).toMatchObject({ status: 'degraded', degraded: ['cache-unavailable'] });
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });

  it('not there at the start: the gateway starts, answers, and takes Redis up by itself', async () => {
    const port = await freePort();
    const gateway = await f.start({ REDIS_URL: `redis://127.0.0.1:${port}` });
    const replies = await askAll(gateway.url);
    expect(replies.map(said)).toEqual(replies.map(() => bypassed));
    const late = await startRedis(port);
    try {
      await becomesReady(gateway);
      expect((await chat(gateway.url, ask(question))).cache).toBe('miss');
      expect((await chat(gateway.url, ask(question))).cache).toBe('hit-exact');
    } finally {
      await late.stop('SIGKILL');
    }
  });

  it('paused: answered from the first request on, and hit again once it goes on', async () => {
    const gateway = await f.start({ REDIS_URL: redis.url });
    await askAll(gateway.url);
    redis.signal('SIGSTOP');
    const first = await chat(gateway.url, ask(question));
    expect([first.status, first.cache]).toEqual([200, 'bypass']);
    expect(['cache-slow', 'cache-unavailable']).toContain(first.reason);
    const replies = await askAll(gateway.url);
    expect(replies.map(said)).toEqual(replies.map(() => bypassed));
    redis.signal('SIGCONT');
    await becomesReady(gateway);
    const after = await askAll(gateway.url);
    expect(after.map((reply) => reply.cache)).toEqual(after.map(() => 'hit-exact'));
  });

  it('paused while an answer is on its way: the answer arrives whole', async () => {
    const gateway = await f.start({ REDIS_URL: redis.url });
    const expected = (await chat(gateway.url, ask(question), { 'cache-control': 'no-store' })).content;
    for (const stream of [false, true]) {
      const asked = chat(gateway.url, ask(question, { stream, seed: Number(stream) }), ownSpace('paused'));
      redis.signal('SIGSTOP');
      const reply = await asked;
      expect(reply.status).toBe(200);
      if (stream) expect(reply.text).toMatch(/data: \[DONE\]\n\n$/);
      else expect(reply.content).toBe(expected);
      redis.signal('SIGCONT');
      await becomesReady(gateway);
    }
  });

  it('killed and restarted empty before three gateways: the second equal request hits, nobody has to do anything', async () => {
    const three = await Promise.all([1, 2, 3].map(() => f.start({ REDIS_URL: redis.url })));
    for (const gateway of three) await askAll(gateway.url);
    await redis.stop('SIGKILL');
    await Promise.all(three.map((gateway) => chat(gateway.url, ask(question))));
    redis = await startRedis(redis.port);
    await Promise.all(three.map((gateway) => becomesReady(gateway)));
    const url = (place: number): string => three[place % 3]?.url ?? '';
    for (const [place, text] of questions.entries()) {
      expect((await chat(url(place), ask(text))).cache).toBe('miss');
      expect((await chat(url(place + 1), ask(text))).cache).toBe('hit-exact');
    }
    for (const [place, [text, similar]] of reworded.entries()) {
      await chat(url(place), ask(text));
      expect((await chat(url(place + 1), ask(similar))).cache).toBe('hit-semantic');
    }
    const client = await openPlain(redis.url);
    try {
      const libraries = (await client.call('FUNCTION', 'LIST')) as unknown[][];
      expect(libraries).toHaveLength(2);
      // One replica loads each library; the others find it there.
      const stats = await client.info('commandstats');
      const [, calls = '0', failed = '0'] = /cmdstat_function\|load:calls=(\d+),.*failed_calls=(\d+)/.exec(stats) ?? [];
      expect(Number(calls) - Number(failed)).toBe(2);
    } finally {
      await client.quit();
    }
  });

  it('emptied by FLUSHALL and FUNCTION FLUSH under load: no caller sees it', async () => {
    const gateway = await f.start({ REDIS_URL: redis.url });
    await askAll(gateway.url);
    const client = await openPlain(redis.url);
    try {
      for (const command of [['FLUSHALL'], ['FUNCTION', 'FLUSH'], ['SCRIPT', 'FLUSH']] as const) {
        const [name, ...args] = command;
        const asked = Array.from({ length: 30 }, (_, at) => chat(gateway.url, ask(`${question} ${at % 7}`)));
        await client.call(name, ...args);
        const replies = await Promise.all(asked);
        expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 200));
        expect(replies.map((reply) => reply.cache)).not.toContain('bypass');
        await chat(gateway.url, ask(question));
        expect((await chat(gateway.url, ask(question))).cache).toBe('hit-exact');
      }
    } finally {
      await client.quit();
    }
  });

  it('a key last seen revoked stays refused, on every route', async () => {
    const gateway = await f.start({ REDIS_URL: redis.url });
    const who = { authorization: 'Bearer taken-back' };
    await fetch(`${gateway.url}/admin/api/keys/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${f.adminToken}` },
      body: JSON.stringify({ key_sha256: sha256('taken-back') }),
    });
    expect((await chat(gateway.url, ask(question), who)).status).toBe(401);
    await redis.stop('SIGKILL');
    const replies = [
      await chat(gateway.url, ask(question), who),
      await chat(gateway.url, ask(question), { ...who, 'cache-control': 'no-store' }),
      await chat(gateway.url, 'null', who),
      await post(gateway.url, '/v1/embeddings', { model: 'demo-embedding', input: 'one' }, who),
      await post(gateway.url, '/v1/completions', {}, who),
      await post(gateway.url, '/v1/feedback', { verdict: 'wrong', entry_id: 'e_1' }, who),
    ];
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 401));
    expect((await chat(gateway.url, ask(question), { authorization: 'Bearer another' })).status).toBe(200);
  });

  it('a policy last seen stays in force: a mode that was off is not on again', async () => {
    const gateway = await f.start({ REDIS_URL: redis.url });
    const space = ownSpace('policy');
    await onNamespace({ url: gateway.url, adminToken: f.adminToken }, namespaceOf(space), 'policy', 'PUT', {
      mode: 'off',
    });
    await chat(gateway.url, ask(question), space);
    expect((await chat(gateway.url, ask(question), space)).reason).toBe('mode-off');
    await redis.stop('SIGKILL');
    expect((await chat(gateway.url, ask(question), space)).cache).toBe('bypass');
    redis = await startRedis(redis.port);
    await becomesReady(gateway);
    // The server came back empty: it knows of no policy, so the configured one is in force.
    expect((await chat(gateway.url, ask(question), space)).cache).toBe('miss');
  });

  it('feedback and administration say that the store cannot be reached, in the shape of the API', async () => {
    const gateway = await f.start({ REDIS_URL: redis.url });
    await redis.stop('SIGKILL');
    const replies = [
      await post(gateway.url, '/v1/feedback', { verdict: 'wrong', entry_id: 'e_1' }),
      await post(gateway.url, '/admin/api/namespaces/x/purge', { all: true }, { authorization: 'Bearer test-admin' }),
      await post(gateway.url, '/admin/api/namespaces/x/pause', {}, { authorization: 'Bearer test-admin' }),
    ];
    for (const reply of replies) {
      expect(reply.status).toBe(503);
      expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'RP_ERR_CACHE_UNAVAILABLE' } });
    }
  });
});

describe('Redis that takes no writes', () => {
  const followUp = (text: string) => ({
    ...ask(text),
    messages: [
      { role: 'user', content: text },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'And then?' },
    ],
  });

  it('out of memory: stored answers are served, fresh ones reach their callers', async () => {
    const redis = await startRedis();
    const client = await openPlain(redis.url);
    try {
      const gateway = await f.start({ REDIS_URL: redis.url });
      await askAll(gateway.url);
      await chat(gateway.url, followUp(question));
      await client.config('SET', 'maxmemory', '1');
      const known = [...(await askAll(gateway.url)), await chat(gateway.url, followUp(question))];
      expect(known.map((reply) => [reply.status, reply.cache])).toEqual(known.map(() => [200, 'hit-exact']));
      for (let time = 0; time < 2; time++) {
        for (const text of questions) {
          for (const body of [ask(`${text} (2)`), ask(`${text} (2)`, { stream: true }), followUp(`${text} (2)`)]) {
            const reply = await chat(gateway.url, body);
            expect([reply.status, ['miss', 'bypass'].includes(String(reply.cache))]).toEqual([200, true]);
          }
        }
      }
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
      expect(metrics).toMatch(/reprise_degraded_total\{mode="admission-failed"\} [1-9]/);
      await client.config('SET', 'maxmemory', '0');
      await chat(gateway.url, ask('Is there room again?'));
      expect((await chat(gateway.url, ask('Is there room again?'))).cache).toBe('hit-exact');
    } finally {
      await client.quit();
      await redis.stop('SIGKILL');
    }
  });

  it('a read-only replica: proxied, and taken up by itself when it is promoted', async () => {
    const [primary, replica] = [await startRedis(), await startRedis()];
    const client = await openPlain(replica.url);
    try {
      const before = await f.start({ REDIS_URL: primary.url });
      await askAll(before.url);
      await client.replicaof('127.0.0.1', primary.port);
      await eventually(async () => /master_link_status:up/.test(await client.info('replication')), 30_000);
      const gateway = await f.start({ REDIS_URL: replica.url });
      const replies = await askAll(gateway.url);
      expect(replies.map((reply) => [reply.status, reply.cache])).toEqual(replies.map(() => [200, 'bypass']));
      await client.replicaof('NO', 'ONE');
      await becomesReady(gateway);
      const after = await askAll(gateway.url);
      expect(after.map((reply) => reply.cache)).toEqual(after.map(() => 'hit-exact'));
    } finally {
      await client.quit();
      await Promise.all([primary.stop('SIGKILL'), replica.stop('SIGKILL')]);
    }
  });

  it('a primary that is demoted under the gateway, and comes back', async () => {
    const [redis, other] = [await startRedis(), await startRedis()];
    const client = await openPlain(redis.url);
    try {
      const gateway: GatewayProcess = await f.start({ REDIS_URL: redis.url });
      await askAll(gateway.url);
      await client.replicaof('127.0.0.1', other.port);
      for (let time = 0; time < 3; time++) {
        for (const reply of await askAll(gateway.url)) {
          expect([reply.status, ['bypass', 'miss'].includes(String(reply.cache))]).toEqual([200, true]);
        }
      }
      await client.replicaof('NO', 'ONE');
      await becomesReady(gateway);
      await chat(gateway.url, ask(question));
      expect((await chat(gateway.url, ask(question))).cache).toBe('hit-exact');
    } finally {
      await client.quit();
      await Promise.all([redis.stop('SIGKILL'), other.stop('SIGKILL')]);
    }
  });
});
