import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, startDemoServer } from '@reprise/upstream';
import { metric, namespaceOf, onNamespace } from './support/admin.js';
import { ask, chat, ownSpace, post } from './support/chat.js';
import { keysOf, openPlain } from './support/key-dump.js';
import { eventually, type GatewayProcess, startGateway } from './support/process.js';
import { openStream } from './support/streams.js';
import { adminHash, patient } from './support/suite.js';
import { startSwitch, type SwitchUpstream, type Trick } from './support/switch-upstream.js';

/** Answers longer than `limits.captureBytes` reach their client whole, with back-pressure, and nothing of them is kept. */
const limit = 64 * 1024;
let demo: DemoServer;
let upstream: SwitchUpstream;
let gateways: GatewayProcess[];

beforeAll(async () => {
  demo = await startDemoServer(0);
  upstream = await startSwitch(demo.url);
  const start = (): Promise<GatewayProcess> =>
    startGateway({
      REDIS_URL: process.env['TEST_REDIS_URL'],
      OPENAI_BASE_URL: upstream.url,
      REPRISE_AUTH__ADMINTOKENHASH: adminHash,
      REPRISE_LIMITS__CAPTUREBYTES: '64KiB',
      ...patient,
    });
  gateways = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await upstream.close();
  await demo.close();
});

const at = (place: number): string => gateways[place % 2]?.url ?? '';
const chatPath = '/v1/chat/completions';
const embedPath = '/v1/embeddings';
const codeOf = (text: string): unknown => (JSON.parse(text) as { error?: { code?: unknown } }).error?.code;
const question = 'Write a very long story.';
const say = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;
const usage = `data: ${JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })}\n\n`;
const finish = `${say({}, { finish_reason: 'stop' })}data: [DONE]\n\n`;
/** Pieces of an answer of about `bytes` bytes. */
const many = (piece: object, bytes: number): string => say(piece).repeat(Math.ceil(bytes / say(piece).length));
const sse = { 'content-type': 'text/event-stream' };
const json = { 'content-type': 'application/json' };
const answers =
  (headers: Record<string, string>, body: string): Trick =>
  (request, response) => {
    request.resume();
    response.writeHead(200, headers).end(body);
  };
const completion = (content: string): string =>
  JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  });

const tooLarge = async (): Promise<number> => {
  let sum = 0;
  for (const { url } of gateways)
    sum += (await metric(url, 'reprise_not_storable_total')).get('reason="too-large"') ?? 0;
  return sum;
};
const entries = async (space: Record<string, string>): Promise<number> => {
  const found = await onNamespace<Record<string, number>>(
    { url: at(0), adminToken: 'test-admin' },
    namespaceOf(space),
    'stats',
  );
  return Number(found['entries'] ?? 0);
};

const tool = { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '[1,' } }] };
const streams: [string, string][] = [
  ['English', many({ content: 'Once upon a time there was a queen. ' }, 2 * limit)],
  ['Japanese', many({ content: 'むかしむかし、ある国に女王がいました。' }, 2 * limit)],
  ['Arabic', many({ content: 'كان يا ما كان في قديم الزمان ' }, 2 * limit)],
  ['reasoning', many({ reasoning_content: 'Let me see. ' }, 2 * limit) + say({ content: 'Yes.' })],
  ['arguments of a tool', many(tool, 2 * limit)],
  [
    'events of all sizes',
    say({ content: 'a' }) + say({ content: 'é'.repeat(limit / 4) }).repeat(9) + say({ content: 'z' }),
  ],
  ['one event that is too long', say({ content: 'a' }) + say({ content: '長'.repeat(limit) }) + say({ content: 'z' })],
];

describe('a stream that is too large to be held', () => {
  it.each(streams)('%s: whole to the client, not stored, counted', async (_name, said) => {
    const space = ownSpace('large');
    const before = await tooLarge();
    // Usage that the gateway asked for, and not its caller, stays out of the caller's stream.
    upstream.next(answers(sse, said + usage + finish));
    const reply = await chat(at(0), ask(question, { stream: true }), space);
    expect([reply.status, reply.cache]).toEqual([200, 'miss']);
    expect(reply.text.replace(usage, '')).toBe(said + finish);
    expect(await tooLarge()).toBe(before + 1);
    expect(await entries(space)).toBe(0);
    const again = await chat(at(0), ask(question, { stream: true }), space);
    expect(again.cache).toBe('miss');
  });

  it('keeps the usage for a caller that asked for it, and leaves out what was not asked for', async () => {
    const said = many({ content: 'word ' }, 2 * limit);
    for (const asked of [true, false]) {
      upstream.next(answers(sse, said + usage + finish));
      const more = asked ? { stream_options: { include_usage: true } } : {};
      const reply = await chat(at(0), ask(question, { stream: true, ...more }), ownSpace('usage'));
      expect(reply.text).toBe(said + (asked ? usage : '') + finish);
    }
  });

  it('breaks off where its upstream breaks off', async () => {
    const said = many({ content: 'word ' }, 2 * limit);
    upstream.next((request, response) => {
      request.resume();
      response.writeHead(200, sse);
      response.write(said, () => setTimeout(() => response.destroy(), 50));
    });
    const live = openStream(at(0), ask(question), ownSpace('broken'));
    await expect(live.ended).rejects.toThrow();
    expect(live.soFar()).not.toContain('[DONE]');
    expect(said.startsWith(live.soFar())).toBe(true);
  });

  it('that nobody asked for reaches a caller of JSON as it came', async () => {
    const body = many({ content: 'word ' }, 2 * limit) + usage + finish;
    const space = ownSpace('odd');
    upstream.next(answers(sse, body));
    const reply = await chat(at(0), ask(question), space);
    expect([reply.status, reply.headers.get('content-type'), reply.text]).toEqual([200, 'text/event-stream', body]);
    expect(await entries(space)).toBe(0);
  });
});

describe('a JSON answer', () => {
  const sized = (bytes: number): string => {
    const frame = completion('').length;
    return completion('x'.repeat(bytes - frame));
  };
  it.each([
    ['at the limit', limit, 'hit-exact', 0],
    ['one byte above it', limit + 1, 'miss', 1],
    ['far above it', 40 * limit, 'miss', 1],
  ])('%s', async (_name, bytes, then, counted) => {
    const space = ownSpace('json');
    const before = await tooLarge();
    const body = sized(bytes);
    upstream.next(answers(json, body));
    const reply = await chat(at(0), ask(question), space);
    expect([reply.status, reply.cache, reply.text === body]).toEqual([200, 'miss', true]);
    expect(await tooLarge()).toBe(before + counted);
    expect(await entries(space)).toBe(1 - counted);
    expect((await chat(at(1), ask(question), space)).cache).toBe(then);
  });

  it('of embeddings, too', async () => {
    const space = ownSpace('vectors');
    const before = await tooLarge();
    const body = JSON.stringify({ object: 'list', data: [{ embedding: Array(30_000).fill(0.5) }], usage: {} });
    for (const _time of [1, 2]) {
      upstream.next(answers(json, body));
      const reply = await post(at(0), '/v1/embeddings', { model: 'm', input: 'long' }, space);
      expect([reply.status, reply.cache, reply.text === body]).toEqual([200, 'miss', true]);
    }
    expect(await tooLarge()).toBe(before + 2);
  });
});

describe('embeddings', () => {
  const vectors = (data: unknown[]): string => JSON.stringify({ object: 'list', data, usage: { prompt_tokens: 2 } });
  const one = { index: 0, embedding: [0.5, 0.25] };
  const two = { index: 1, embedding: 'AAAAPw==' };
  const noUtf8 = Buffer.from(vectors([one, { ...two, object: '#' }]).replace('#', '\xff'), 'latin1');

  it.each<[string, unknown, string | Buffer, string]>([
    ['two whole ones, in any order', ['a', 'b'], vectors([two, one]), 'hit-exact'],
    ['tokens of one text', [5, 6], vectors([one]), 'hit-exact'],
    ['tokens of two texts', [[5], [6]], vectors([one, two]), 'hit-exact'],
    ['fewer than inputs', ['a', 'b'], vectors([one]), 'miss'],
    ['more than inputs', 'a', vectors([one, two]), 'miss'],
    ['none', 'a', vectors([null]), 'miss'],
    ['an empty vector', 'a', vectors([{ index: 0, embedding: [] }]), 'miss'],
    ['an empty text', 'a', vectors([{ index: 0, embedding: '' }]), 'miss'],
    ['no numbers', 'a', vectors([{ index: 0, embedding: [0.5, null] }]), 'miss'],
    ['one index twice', ['a', 'b'], vectors([one, { ...two, index: 0 }]), 'miss'],
    ['bytes that are no UTF-8', ['a', 'b'], noUtf8, 'miss'],
  ])('%s: given as it came, and kept only when whole', async (_name, input, body, then) => {
    const space = ownSpace('whole');
    const send = (place: number) => post(at(place), '/v1/embeddings', { model: 'm', input }, space);
    upstream.next((request, response) => {
      request.resume();
      response.writeHead(200, json).end(body);
    });
    const first = await send(0);
    expect([first.cache, first.text]).toEqual(['miss', body.toString()]);
    expect((await send(1)).cache).toBe(then);
  });

  it('of numbers that would read alike are proxied', async () => {
    const space = ownSpace('inexact');
    for (const number of ['9007199254740992', '9007199254740993']) {
      const reply = await post(at(0), '/v1/embeddings', `{"model":"demo-embedding","input":[${number}]}`, space);
      expect([reply.cache, reply.reason]).toEqual(['bypass', 'inexact-number']);
    }
  });
});

describe('only-if-cached', () => {
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
  const text = JSON.stringify(ask(question)).slice(0, -1);
  const embed = '{"model":"demo-embedding","input":"a"';

  it.each<[string, string, string, Record<string, string>]>([
    ['n=2', chatPath, `${text},"n":2}`, {}],
    ['mode off', chatPath, `${text}}`, { 'x-reprise-mode': 'off' }],
    ['two modes, one of them off', chatPath, `${text}}`, { 'x-reprise-mode': 'on, off' }],
    ['no-store', chatPath, `${text}}`, { 'cache-control': 'no-store, only-if-cached' }],
    ['no-cache', chatPath, `${text}}`, { 'cache-control': 'no-cache, only-if-cached' }],
    ['malformed', chatPath, '{"model":5}', {}],
    ['too deep', chatPath, `${text},"metadata":${deep}}`, {}],
    ['nothing stored', chatPath, `${text}}`, {}],
    ['mode off', embedPath, `${embed}}`, { 'x-reprise-mode': 'off' }],
    ['no-store', embedPath, `${embed}}`, { 'cache-control': 'no-store, only-if-cached' }],
    ['malformed', embedPath, '{"input":5}', {}],
    ['too deep', embedPath, `${embed},"x":${deep}}`, {}],
    ['nothing stored', embedPath, `${embed}}`, {}],
  ])('%s at %s: 504, and the upstream is not asked', async (_name, path, body, headers) => {
    const before = upstream.seen();
    const reply = await post(at(0), path, body, {
      ...ownSpace('only'),
      'cache-control': 'only-if-cached',
      ...headers,
    });
    expect([reply.status, codeOf(reply.text), upstream.seen() - before]).toEqual([504, 'RP_ERR_NOT_CACHED', 0]);
  });
});

describe('x-reprise-mode that is sent twice', () => {
  it.each([
    ['on, off', 'bypass', 'mode-off'],
    ['OFF,on', 'bypass', 'mode-off'],
    ['read_only, write_only', 'bypass', 'mode-off'],
    ['on, write_only', 'miss', 'mode-no-read'],
    ['off, odd', 'bypass', 'mode-off; ignored=x-reprise-mode'],
    ['odd', 'hit-exact', 'equal-request; ignored=x-reprise-mode'],
  ])('%s: %s %s', async (mode, cache, reason) => {
    const space = ownSpace('twice');
    await chat(at(0), ask(question), space);
    const reply = await chat(at(0), ask(question), { ...space, 'x-reprise-mode': mode });
    expect([reply.cache, reply.reason]).toEqual([cache, reason]);
  });
});

/** Says `first` at once and `rest` once the test lets it. */
function held(first: string, rest: string): { trick: Trick; go: () => void } {
  let go = (): void => undefined;
  const gone = new Promise<void>((resolve) => (go = resolve));
  const trick: Trick = (request, response) => {
    request.resume();
    response.writeHead(200, sse).write(first);
    void gone.then(() => response.end(rest));
  };
  return { trick, go };
}

describe('followers of a leader whose answer is too large', () => {
  const story = many({ content: 'Once upon a time there was a queen. ' }, 2 * limit);
  const start = say({ content: 'Once upon a time there was a queen. ' });

  it('ask for themselves: streams go on where they are, JSON is whole, nothing is stored', async () => {
    const space = ownSpace('followers');
    const [before, counted] = [upstream.seen(), await tooLarge()];
    const slow = held(start, story.slice(start.length) + finish);
    // The one that wants JSON comes among the others in any order.
    const asAsked: Trick = (request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { stream = false } = JSON.parse(Buffer.concat(pieces).toString()) as { stream?: boolean };
        const answer = stream ? answers(sse, story + finish) : answers(json, completion('short'));
        answer(request, response);
      });
    };
    upstream.next(slow.trick, asAsked, asAsked, asAsked);
    const leader = openStream(at(0), ask(question), space);
    await eventually(() => leader.soFar().includes('Once'));
    const streams = [0, 1].map((place) => openStream(at(place), ask(question), space));
    const asJson = chat(at(1), ask(question), space);
    for (const one of streams) await eventually(() => one.soFar().includes('Once'));
    await eventually(async () => (await waiting(space)) === 3);
    slow.go();
    expect((await leader.ended).text).toBe(story + finish);
    for (const one of streams) {
      const { text } = await one.ended;
      expect(contentOf(text)).toBe(contentOf(story));
      expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    }
    expect((await asJson).content).toBe('short');
    expect(upstream.seen() - before).toBe(4);
    expect((await tooLarge()) - counted).toBe(3);
    // The short one is stored, the others are not.
    expect(await entries(space)).toBe(1);
    upstream.forget();
  });

  it('a begun stream whose own answer is another ends with an error, never with a mixture', async () => {
    const space = ownSpace('other');
    const slow = held(start, story.slice(start.length) + finish);
    upstream.next(slow.trick, answers(sse, many({ content: 'Another tale. ' }, 2 * limit) + finish));
    const leader = openStream(at(0), ask(question), space);
    await eventually(() => leader.soFar().includes('Once'));
    const follower = openStream(at(1), ask(question), space);
    await eventually(() => follower.soFar().includes('Once'));
    slow.go();
    expect((await leader.ended).text).toBe(story + finish);
    await expect(follower.ended).rejects.toThrow();
    expect(follower.soFar()).toContain('"code":"RP_ERR_STREAM_LOST"');
    expect(follower.soFar()).not.toContain('Another');
    expect(follower.soFar()).not.toContain('[DONE]');
  });

  it('the leader is gone: its call ends once nobody can have its answer, and who waits asks for himself', async () => {
    const space = ownSpace('gone');
    let closed = false;
    const slow = held(start, story.slice(start.length));
    upstream.next(
      (request, response) => {
        response.on('close', () => (closed = !response.writableFinished));
        slow.trick(request, { ...responseThatStaysOpen(response) } as never);
      },
      answers(json, completion('short')),
    );
    const leader = openStream(at(0), ask(question), space);
    await eventually(() => leader.soFar().includes('Once'));
    const follower = chat(at(1), ask(question), space);
    await eventually(async () => (await waiting(space)) === 1);
    leader.abort();
    slow.go();
    expect((await follower).content).toBe('short');
    await eventually(() => closed);
  });
});

/** Its `end` writes and leaves the connection open. */
const responseThatStaysOpen = (response: Parameters<Trick>[1]) => ({
  writeHead: (status: number, headers: Record<string, string>) => response.writeHead(status, headers),
  end: (text: string) => response.write(text),
});

const contentOf = (text: string): string =>
  [...text.matchAll(/"content":"([^"]*)"/g)].map(([, content]) => content).join('');

/** How many follow the one open flight of a space. */
async function waiting(space: Record<string, string>): Promise<number> {
  const client = await openPlain();
  try {
    const flights = (await keysOf(client, namespaceOf(space))).filter((key) => /\}:f:/.test(key));
    const fields = await Promise.all(flights.map((key) => client.hkeys(key)));
    return fields.flat().filter((field) => field.startsWith('w:')).length;
  } finally {
    await client.quit();
  }
}

describe('back-pressure of an answer that is too large', () => {
  const endless =
    (headers: Record<string, string>, first: string, piece: string, sent: { bytes: number; closed: boolean }): Trick =>
    (request, response) => {
      request.resume();
      response.writeHead(200, headers).write(first);
      response.on('close', () => (sent.closed = true));
      const more = (): void => {
        while (!sent.closed) {
          sent.bytes += piece.length;
          if (!response.write(piece)) {
            response.once('drain', more);
            return;
          }
        }
      };
      more();
    };

  it.each<[string, boolean, Record<string, string>, string, string]>([
    ['a stream', true, sse, say({ content: 'a' }), say({ content: 'word '.repeat(1_000) }).repeat(4)],
    ['a stream of one endless event', true, sse, 'data: {"x":"', 'y'.repeat(16_384)],
    ['JSON', false, json, '{"x":"', 'y'.repeat(16_384)],
  ])(
    '%s: a reader that stops makes the upstream stop, one that goes ends its call',
    async (_name, stream, headers, first, piece) => {
      const sent = { bytes: 0, closed: false };
      upstream.next(endless(headers, first, piece, sent));
      const body = JSON.stringify(ask(question, { stream }));
      const asked = httpRequest(`${at(0)}/v1/chat/completions`, {
        method: 'POST',
        headers: { ...json, authorization: 'Bearer test-key', ...ownSpace('stop') },
      });
      asked.end(body);
      const [reply] = (await once(asked, 'response')) as [IncomingMessage];
      let read = 0;
      reply.on('data', (bytes: Buffer) => (read += bytes.length));
      // Far past what may be held, and still it comes.
      await eventually(() => read > 20 * limit);
      reply.pause();
      let last = -1;
      await eventually(async () => {
        await new Promise((resolve) => setTimeout(resolve, 400));
        const stopped = sent.bytes === last;
        last = sent.bytes;
        return stopped;
      }, 30_000);
      expect(last - read).toBeLessThan(64 * 1024 * 1024);
      reply.resume();
      await eventually(() => sent.bytes > last + 4 * 1024 * 1024, 30_000);
      reply.on('error', () => undefined);
      reply.destroy();
      await eventually(() => sent.closed);
    },
  );
});
