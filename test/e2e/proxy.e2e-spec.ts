import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, startDemoServer } from '@reprise/upstream';
import { ask, chat, model, ownSpace } from './support/chat.js';
import { type EchoUpstream, startEcho } from './support/echo-upstream.js';
import { eventually, type GatewayProcess, startGateway } from './support/process.js';
import { exchange, pooled, type RawReply, type RawRequest } from './support/raw-http.js';
import { wholeText } from './support/streams.js';
import { patient } from './support/suite.js';

let echo: EchoUpstream;
let demo: DemoServer;
let toEcho: GatewayProcess;
let toDemo: GatewayProcess;
const agent = pooled(8);
beforeAll(async () => {
  [echo, demo] = await Promise.all([startEcho(), startDemoServer(0)]);
  const start = (url: string): Promise<GatewayProcess> =>
    startGateway({ REDIS_URL: process.env['TEST_REDIS_URL'], OPENAI_BASE_URL: url, ...patient });
  [toEcho, toDemo] = await Promise.all([start(echo.url), start(demo.url)]);
});
afterAll(async () => {
  agent.destroy();
  await Promise.all([toEcho.stop(), toDemo.stop(), echo.close(), demo.close()]);
});

/** Headers that belong to one connection or one moment, and those that the gateway adds. */
const own = /^(?:connection|keep-alive|transfer-encoding|date|x-cache.*|x-request-id)$/;
const headersOf = (reply: RawReply): [string, unknown][] =>
  Object.entries(reply.headers)
    .filter(([name]) => !own.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));

async function same(gateway: string, upstream: string, sent: RawRequest): Promise<RawReply> {
  const direct = await exchange(upstream, sent, agent);
  const through = await exchange(gateway, sent, agent);
  const name = `${sent.method} ${sent.path}`;
  expect([name, through.status]).toEqual([name, direct.status]);
  expect([name, headersOf(through)]).toEqual([name, headersOf(direct)]);
  expect([name, through.body.equals(direct.body)]).toEqual([name, true]);
  expect(through.headers['x-cache']).toBe('bypass');
  return through;
}

describe('what is not cacheable goes through as it is', () => {
  it.each([
    ['GET', '/v1/gzip'],
    ['GET', '/v1/binary'],
    ['GET', '/v1/chunked'],
    ['DELETE', '/v1/empty'],
    ['GET', '/v1/missing'],
    ['POST', '/v1/teapot'],
    ['PATCH', '/v1/slow-down'],
    ['PUT', '/v1/broken'],
    ['GET', '/v1/moved'],
    ['GET', '/v1/cookies'],
    ['OPTIONS', '/v1/cookies'],
    ['HEAD', '/v1/binary'],
    ['GET', '/v1/no/such/path?a=%C3%A9&b=1%2B1&c=x;y#frag'],
    ['POST', '/v1/größe'.normalize('NFC').replace('ö', '%C3%B6').replace('ß', '%C3%9F')],
  ])('%s %s: status, headers and bytes', async (method, path) => {
    const accept = { accept: '*/*', 'accept-encoding': 'gzip', authorization: 'Bearer key', 'x-custom': 'a, b' };
    await same(toEcho.url, echo.url, { method, path, headers: accept });
    const [direct, through] = echo.seen.slice(-2);
    expect(through?.url).toBe(direct?.url);
    expect(through?.method).toBe(direct?.method);
  });

  it.each([
    ['several choices', ask('Name a colour.', { n: 2 })],
    ['a malformed request', { model, messages: [] }],
    ['an unknown kind of part', { model, messages: [{ role: 'user', content: [{ type: 'hologram' }] }] }],
    ['no-store', ask('Wie geht es dir?')],
    ['no-store, as a stream', ask('Wie geht es dir?', { stream: true })],
  ])('a chat request: %s', async (_name, body) => {
    const text = `  ${JSON.stringify(body)}\n`;
    const sent = {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store', authorization: 'Bearer k' },
      body: text,
    };
    const direct = await exchange(demo.url, sent, agent);
    const through = await exchange(toDemo.url, sent, agent);
    // The demo gives every answer its own id.
    const plain = (reply: RawReply): string => reply.body.toString().replace(/chatcmpl-\w+|"created":\d+/g, '');
    expect([through.status, plain(through), headersOf(through).filter(([name]) => name !== 'content-length')]).toEqual([
      direct.status,
      plain(direct),
      headersOf(direct).filter(([name]) => name !== 'content-length'),
    ]);
  });

  it('the bytes of a request reach the upstream as they were sent', async () => {
    const bodies = [
      ' {"model":"m" ,\t"input":[1,2.50,1e3], "ü":"\\u00fc"}\r\n',
      '{"a":1,"a":2}',
      '[]',
      'null',
      '{"big":123456789012345678901234567890,"z":-0.0}',
    ];
    for (const body of bodies) {
      const sent = { method: 'POST', path: '/v1/files', headers: { 'content-type': 'application/json' }, body };
      await same(toEcho.url, echo.url, sent);
      expect(echo.seen.at(-1)?.sha256).toBe(createHash('sha256').update(body).digest('hex'));
    }
  });

  it("the caller's headers reach the upstream, the connection's and ours do not", async () => {
    const headers = {
      authorization: 'Bearer caller-key',
      'openai-organization': 'org',
      'openai-beta': 'assistants=v2',
      'x-custom': ['one', 'two'],
      'user-agent': 'test/1',
      'x-reprise-mode': 'off',
      'x-reprise-tags': 'a',
      connection: 'keep-alive, x-hop',
      'x-hop': 'secret',
      te: 'trailers',
      'proxy-authorization': 'Basic x',
    };
    await exchange(toEcho.url, { method: 'GET', path: '/v1/cookies', headers }, agent);
    const got = echo.seen.at(-1)?.headers ?? {};
    expect(got).toMatchObject({
      authorization: 'Bearer caller-key',
      'openai-organization': 'org',
      'openai-beta': 'assistants=v2',
      'x-custom': 'one, two',
      'user-agent': 'test/1',
    });
    for (const name of ['x-reprise-mode', 'x-reprise-tags', 'x-hop', 'te', 'proxy-authorization'])
      expect(got).not.toHaveProperty(name);
    expect(got['host']).toBe(new URL(echo.url).host);
  });
});

const rssMb = (gateway: GatewayProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8'))?.[1]) / 1024;

/** A request that is written and read by hand. */
function open(path: string, headers: Record<string, string>, method = 'POST') {
  const { hostname, port } = new URL(toEcho.url);
  const sent = request({ hostname, port, path, method, headers, agent: false });
  sent.on('error', () => undefined);
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => undefined);
  return { sent, answered };
}

async function bodyOf(reply: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of reply as AsyncIterable<Buffer>) text += piece.toString();
  return text;
}

describe('uploads', () => {
  it.each(['content-length', 'chunked'])(
    'a multipart upload with %s streams through, byte for byte',
    async (framing) => {
      const boundary = 'a1b2c3';
      const file = randomBytes(24 * 1024 * 1024);
      const head = Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="größe.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      );
      const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
      const whole = Buffer.concat([head, file, tail]);
      const before = rssMb(toEcho);
      const { sent, answered } = open('/v1/files', {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        ...(framing === 'chunked' ? {} : { 'content-length': String(whole.length) }),
      });
      const count = echo.seen.length;
      sent.write(whole.subarray(0, 4 * 1024 * 1024));
      // The upstream has a part of it before the whole was sent.
      await eventually(() => (echo.seen[count]?.bytes ?? 0) > 1024 * 1024);
      sent.end(whole.subarray(4 * 1024 * 1024));
      const [reply] = await answered;
      expect([reply.statusCode, reply.headers['x-own'], reply.headers['x-cache']]).toEqual([201, 'yes', 'bypass']);
      expect(JSON.parse(await bodyOf(reply))).toEqual({
        object: 'file',
        bytes: whole.length,
        sha256: createHash('sha256').update(whole).digest('hex'),
      });
      expect(echo.seen[count]?.headers['content-type']).toBe(`multipart/form-data; boundary=${boundary}`);
      expect(rssMb(toEcho) - before).toBeLessThan(96);
    },
  );

  it('an upload that its client breaks off is broken off upstream', async () => {
    const count = echo.seen.length;
    const { sent } = open('/v1/files', { 'content-type': 'application/octet-stream', 'content-length': '50000000' });
    sent.write(randomBytes(1024 * 1024));
    await eventually(() => (echo.seen[count]?.bytes ?? 0) > 0);
    sent.destroy();
    await eventually(() => echo.seen[count]?.closed === true);
    expect(echo.seen[count]?.sha256).toBeUndefined();
  });
});

describe('back-pressure', () => {
  it('a reader that stops makes the upstream stop: nothing piles up in the gateway', async () => {
    const before = rssMb(toEcho);
    const { sent, answered } = open('/v1/endless', {}, 'GET');
    sent.end();
    const [reply] = await answered;
    reply.pause();
    let last = -1;
    // The upstream comes to a stop: twice the same count, some time apart.
    await eventually(async () => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      const now = echo.sent();
      const stopped = now > 0 && now === last;
      last = now;
      return stopped;
    });
    expect(last).toBeLessThan(64 * 1024 * 1024);
    expect(rssMb(toEcho) - before).toBeLessThan(64);
    reply.resume();
    await eventually(() => echo.sent() > last + 8 * 1024 * 1024);
    reply.destroy();
    await eventually(() => echo.seen.at(-1)?.closed === true);
  });
});

describe('a client that goes', () => {
  it.each(['GET', 'POST'])('before the headers (%s): the upstream sees it', async (method) => {
    const count = echo.seen.length;
    const { sent } = open('/v1/silent', {}, method);
    sent.end();
    await eventually(() => echo.seen.length > count);
    sent.destroy();
    await eventually(() => echo.seen[count]?.closed === true);
  });

  it('in the middle of a body: the upstream sees it', async () => {
    const { sent, answered } = open('/v1/endless', {}, 'GET');
    sent.end();
    const [reply] = await answered;
    await once(reply, 'data');
    const seen = echo.seen.at(-1);
    sent.destroy();
    await eventually(() => seen?.closed === true);
  });

  it.each([true, false])('in the middle of a chat answer that nobody else waits for (stream: %s)', async (stream) => {
    const slow = await startDemoServer(0, { latency: { firstTokenMs: 1_500, tokensPerSecond: 20 } });
    const gateway = await startGateway({
      REDIS_URL: process.env['TEST_REDIS_URL'],
      OPENAI_BASE_URL: slow.url,
      ...patient,
    });
    try {
      for (const text of ['Tell me a long story.', 'Erzähl mir eine lange Geschichte.', '長い話をして。']) {
        const { aborted, chat: calls } = slow.stats();
        const gone = new AbortController();
        const asked = fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: 'Bearer k', ...ownSpace('gone') },
          body: JSON.stringify(ask(text, { stream })),
          signal: gone.signal,
        }).catch(() => 'gone');
        await eventually(() => slow.stats().chat === calls + 1);
        gone.abort();
        expect(await asked).toBe('gone');
        await eventually(() => slow.stats().aborted === aborted + 1);
      }
    } finally {
      await gateway.stop();
      await slow.close();
    }
  });

  it('a stop lets the answers under way end, and waits for no connection that is only kept open', async () => {
    const slow = await startDemoServer(0, { latency: { firstTokenMs: 300, tokensPerSecond: 60 } });
    const gateway = await startGateway({
      REDIS_URL: process.env['TEST_REDIS_URL'],
      OPENAI_BASE_URL: slow.url,
      REPRISE_SERVER__SHUTDOWN_GRACE_MS: '60000',
      ...patient,
    });
    const unused = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    await once(unused, 'connect');
    const asked = [true, false].map((stream) =>
      chat(gateway.url, ask('Tell me a story.', { stream }), ownSpace('stop')),
    );
    await eventually(() => slow.stats().chat === 2);
    const stopped = gateway.stop();
    for (const reply of await Promise.all(asked)) {
      expect(reply.status).toBe(200);
      expect(wholeText(reply)).toMatch(/\w/);
    }
    // It ends by itself: a stop that had to be forced gives no code.
    expect(await stopped).toBe(0);
    unused.destroy();
    await slow.close();
  });

  it('at once: the process takes no harm, and answers others', async () => {
    const gone = Array.from({ length: 60 }, (_, at) => {
      const abort = new AbortController();
      const asked = fetch(`${toDemo.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer k' },
        body: JSON.stringify(ask(`Question ${at}`, { stream: at % 2 === 0 })),
        signal: abort.signal,
      }).then(
        () => 'answered',
        () => 'gone',
      );
      setTimeout(() => abort.abort(), at % 12);
      return asked;
    });
    await Promise.all(gone);
    const space = ownSpace('after');
    for (const cache of ['miss', 'hit-exact'])
      expect((await chat(toDemo.url, ask('How do I pay?'), space)).cache).toBe(cache);
    expect(toDemo.log).not.toMatch(/RP_ERR_INTERNAL|uncaught|unhandled/i);
  });
});
