import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, chat, type ChatReply, ownSpace, post } from '../e2e/support/chat.js';
import { freePort, type GatewayProcess } from '../e2e/support/process.js';
import { type OwnRedis, startRedis } from '../e2e/support/redis.js';
import { passOn, startSwitch, type SwitchUpstream, type Trick } from '../e2e/support/switch-upstream.js';
import { fleet, questions } from './support/gateways.js';

const f = fleet({
  REPRISE_UPSTREAM__HEADERS_TIMEOUT_MS: '700',
  REPRISE_UPSTREAM__BODY_TIMEOUT_MS: '700',
  REPRISE_UPSTREAM__CONNECT_TIMEOUT_MS: '700',
});
let redis: OwnRedis;
let upstream: SwitchUpstream;
let gateway: GatewayProcess;
let blackHole: Server;
beforeAll(async () => {
  redis = await startRedis();
  upstream = await startSwitch(f.upstream.url);
  gateway = await f.start({ REDIS_URL: redis.url, OPENAI_BASE_URL: upstream.url });
  // Takes connections and never says a word.
  blackHole = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(blackHole, 'listening');
});
afterAll(async () => {
  await upstream.close();
  blackHole.close();
  await redis.stop('SIGKILL');
});

function expectError(reply: ChatReply, status: number, code: string): void {
  expect([reply.status, (JSON.parse(reply.text) as { error: { code: string } }).error.code]).toEqual([status, code]);
  expect(reply.text).not.toMatch(/127\.0\.0\.1|\bat .*:\d+/);
}
const holeUrl = (): string => `http://127.0.0.1:${(blackHole.address() as AddressInfo).port}/v1`;

describe('an upstream that cannot be used', () => {
  it.each([
    ['refuses connections', async () => `http://127.0.0.1:${await freePort()}/v1`, 502, 'RP_ERR_UPSTREAM_UNREACHABLE'],
    ['has no address', () => Promise.resolve('http://no-such-host.invalid/v1'), 502, 'RP_ERR_UPSTREAM_UNREACHABLE'],
    ['never says a word', () => Promise.resolve(holeUrl()), 504, 'RP_ERR_UPSTREAM_TIMEOUT'],
  ])('%s: a named error on every route, and stored answers are still served', async (_name, url, status, code) => {
    const space = ownSpace('dead');
    for (const question of questions) await chat(gateway.url, ask(question), space);
    const cut = await f.start({ REDIS_URL: redis.url, OPENAI_BASE_URL: await url() });
    for (const question of questions) {
      expect((await chat(cut.url, ask(question), space)).cache).toBe('hit-exact');
      for (const stream of [false, true]) {
        const reply = await chat(cut.url, ask(`${question} And more?`, { stream }), space);
        expectError(reply, status, code);
        expect(reply.cache).toBe('miss');
      }
    }
    expectError(await chat(cut.url, ask('Hello?', { n: 2 }), space), status, code);
    expectError(await post(cut.url, '/v1/embeddings', { model: 'm', input: 'a' }), status, code);
    expectError(await post(cut.url, '/v1/completions', {}), status, code);
    await cut.stop();
  });
});

const silent: Trick = () => undefined;
const late =
  (ms: number): Trick =>
  (request, response) =>
    setTimeout(() => passOn(new URL(f.upstream.url), request, response), ms);
const reset: Trick = (request) => request.socket.destroy();
const half =
  (then: 'close' | 'stall', type: string, text: string): Trick =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': type, ...(type.includes('json') ? { 'content-length': '5000' } : {}) });
    response.write(text);
    if (then === 'close') setTimeout(() => response.destroy(), 50);
  };
const chunk = 'data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"Half a"}}]}\n\n';

describe('an upstream that fails once', () => {
  it.each([
    ['headers that never come', silent, 504, 'RP_ERR_UPSTREAM_TIMEOUT'],
    ['a reset connection', reset, 502, 'RP_ERR_UPSTREAM_UNREACHABLE'],
    [
      'half a JSON body, then the end',
      half('close', 'application/json', '{"id":"c","choices":[{"mess'),
      502,
      'RP_ERR_UPSTREAM_BROKEN',
    ],
    [
      'half a JSON body, then nothing',
      half('stall', 'application/json', '{"id":"c","choices":[{"mess'),
      504,
      'RP_ERR_UPSTREAM_TIMEOUT',
    ],
  ])('%s: named, not stored, and the next request is answered', async (_name, trick, status, code) => {
    for (const question of questions) {
      const space = ownSpace('once');
      upstream.next(trick);
      expectError(await chat(gateway.url, ask(question), space), status, code);
      const next = await chat(gateway.url, ask(question), space);
      expect([next.status, next.cache]).toEqual([200, 'miss']);
      expect((await chat(gateway.url, ask(question), space)).cache).toBe('hit-exact');
      const embed = { model: 'demo-embedding', input: question };
      upstream.next(trick);
      expectError(await post(gateway.url, '/v1/embeddings', embed, space), status, code);
      expect((await post(gateway.url, '/v1/embeddings', embed, space)).status).toBe(200);
    }
  });

  it.each([
    ['closes', half('close', 'text/event-stream', chunk)],
    ['stalls', half('stall', 'text/event-stream', chunk)],
  ])(
    'a stream that %s in its middle is broken off, not stored, and never ends as if it were whole',
    async (_name, trick) => {
      for (const question of questions) {
        const space = ownSpace('once');
        upstream.next(trick);
        const broken = await chat(gateway.url, ask(question, { stream: true }), space).then(
          (reply) => reply.text,
          () => 'broken off',
        );
        expect(broken).not.toContain('[DONE]');
        expect(broken).toBe('broken off');
        expect((await chat(gateway.url, ask(question, { stream: true }), space)).cache).toBe('miss');
      }
    },
  );

  it('slow headers within the limit are waited for', async () => {
    const space = ownSpace('slow');
    for (const question of questions) {
      upstream.next(late(350));
      const reply = await chat(gateway.url, ask(question), space);
      expect([reply.status, reply.cache]).toEqual([200, 'miss']);
    }
  });

  it('many at a time against silence, and the gateway answers others meanwhile', async () => {
    const space = ownSpace('many');
    await chat(gateway.url, ask('How do I pay?'), space);
    upstream.next(...Array.from({ length: 40 }, () => silent));
    const stuck = Array.from({ length: 40 }, (_, at) => chat(gateway.url, ask(`Question number ${at}?`), space));
    for (let time = 0; time < 5; time++)
      expect((await chat(gateway.url, ask('How do I pay?'), space)).cache).toBe('hit-exact');
    for (const reply of await Promise.all(stuck)) expectError(reply, 504, 'RP_ERR_UPSTREAM_TIMEOUT');
  });
});
