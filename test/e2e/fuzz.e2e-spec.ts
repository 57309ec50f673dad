import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { ask, chat, model, ownSpace } from './support/chat.js';
import { exchange, pooled, type RawReply, type RawRequest, sendBytes } from './support/raw-http.js';
import { suite } from './support/suite.js';

/** Case 29: whatever is sent, an answer of the API's shape or a closed connection, and a process that goes on. */
const s = suite({ LOG_LEVEL: 'error' }, 1, 'own');
const concurrency = 8;
const agent = pooled(concurrency);
const seed = Number(process.env['TEST_FUZZ_SEED'] ?? 20_261_130);
const limits = {
  numRuns: 0,
  seed,
  endOnFailure: false,
  interruptAfterTimeLimit: 170_000,
  markInterruptAsFailure: true,
};
const minutes = 180_000;

afterAll(() => agent.destroy());

/** What a caller must never see: a stack, a path, a name of a module. */
const inside = /\n\s*at |node_modules|\/dist\/|\/libs\/|\/apps\/|\.(?:m?js|ts):\d|file:\/\//;

function checkReply(sent: RawRequest, { status, headers, body }: RawReply): void {
  const text = body.toString('utf8');
  const context = `${sent.method} ${sent.path} → ${status} ${text.slice(0, 300)}`;
  expect(status, context).toBeGreaterThanOrEqual(200);
  if (status >= 200 && status < 300) return;
  expect(text, context).not.toMatch(inside);
  expect(text, context).not.toContain('RP_ERR_INTERNAL');
  if (sent.method !== 'HEAD') checkError(text, context);
  expect(String(headers['content-type']), context).toMatch(/^application\/json/);
}

function checkError(text: string, context: string): void {
  const { error } = JSON.parse(text) as { error?: Record<string, unknown> };
  expect(typeof error?.['message'], context).toBe('string');
  expect(typeof error?.['type'], context).toBe('string');
  expect(error, context).toHaveProperty('code');
  expect(error, context).toHaveProperty('param');
}

async function play(requests: readonly RawRequest[]): Promise<void> {
  await Promise.all(requests.map(async (request) => checkReply(request, await exchange(s.url, request, agent))));
  expect(s.gateways[0]?.running).toBe(true);
}

/** `runs` × eight requests at a time. */
const fuzz = (request: fc.Arbitrary<RawRequest>, runs: number): Promise<void> =>
  fc.assert(fc.asyncProperty(fc.array(request, { minLength: concurrency, maxLength: concurrency }), play), {
    ...limits,
    numRuns: runs,
  });

const json = { 'content-type': 'application/json' };
const chatPath = '/v1/chat/completions';

/** Texts that parsers, databases and shells have tripped over. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\u200b',
  '\ufeff',
  '\u202e',
  '__proto__',
  'constructor',
  'toString',
  '{}',
  '}{',
  '{acme}',
  'rp:{acme}:x',
  '*',
  '../../etc/passwd',
  '%00',
  '%7B%7D',
  "'; DROP TABLE users; --",
  '${jndi:ldap://x}',
  '<script>alert(1)</script>',
  '\r\nx-injected: 1',
  'NaN',
  '-0',
  '1e999',
  '9'.repeat(400),
  'मानक हिन्दी',
  'שלום',
  '👩‍👩‍👧‍👦',
  'a'.repeat(5000),
  '\ud800',
);
const words = fc.constantFrom(
  'When do you open?',
  'Wann öffnet ihr?',
  '¿Cuándo abren?',
  'いつ開きますか？',
  'Когда вы открываетесь?',
);
const text = fc.oneof(
  words,
  nasty,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, -1, 1e308, -1e308, 5e-324, Number.MAX_SAFE_INTEGER, 2 ** 63, 0.1),
);
const anything = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 3, arbitrary: number },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);
const part = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.oneof(text, anything) }),
  fc.record({ type: fc.oneof(fc.constantFrom('image_url', 'input_audio', 'file', 'refusal'), text) }),
  fc.record({
    type: fc.constant('image_url'),
    image_url: fc.oneof(anything, fc.record({ url: fc.oneof(text, fc.constant('data:image/png;base64,AAAA')) })),
  }),
  anything,
);
const message = fc.oneof(
  { weight: 5, arbitrary: fc.record({ role: fc.constant('user'), content: text }) },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        role: fc.oneof(fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool', 'function'), text),
        content: fc.oneof(text, fc.constant(null), fc.array(part, { maxLength: 3 }), anything),
        name: anything,
        tool_calls: fc.oneof(
          anything,
          fc.array(fc.record({ id: anything, type: text, function: fc.record({ name: text, arguments: anything }) }), {
            maxLength: 3,
          }),
        ),
        tool_call_id: anything,
      },
      { requiredKeys: ['role'] },
    ),
  },
  { weight: 1, arbitrary: anything },
);
const chatBody = fc.record(
  {
    model: fc.oneof({ weight: 8, arbitrary: fc.constant(model) }, { weight: 1, arbitrary: anything }),
    messages: fc.oneof(
      { weight: 8, arbitrary: fc.array(message, { maxLength: 5 }) },
      { weight: 1, arbitrary: anything },
    ),
    stream: fc.oneof(fc.boolean(), anything),
    stream_options: fc.oneof(anything, fc.record({ include_usage: fc.oneof(fc.boolean(), anything) })),
    temperature: anything,
    top_p: anything,
    n: fc.oneof(fc.constantFrom(1, 2), anything),
    max_tokens: fc.oneof(fc.integer({ min: 1, max: 50 }), anything),
    stop: anything,
    seed: anything,
    logprobs: fc.oneof(fc.boolean(), anything),
    top_logprobs: anything,
    logit_bias: anything,
    tools: fc.oneof(
      anything,
      fc.array(fc.record({ type: text, function: fc.oneof(anything, fc.record({ name: text })) }), { maxLength: 3 }),
    ),
    tool_choice: anything,
    response_format: fc.oneof(anything, fc.record({ type: fc.constantFrom('json_object', 'json_schema', 'text') })),
    user: anything,
    safety_identifier: anything,
    metadata: anything,
    store: anything,
    modalities: anything,
    web_search_options: anything,
  },
  { requiredKeys: ['model', 'messages'] },
);
/** Members that name what every object has already; made by text, so that JSON.stringify keeps them. */
const trap = fc
  .tuple(
    chatBody,
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'then', 'model'),
    anything,
  )
  .map(([body, name, value]) => `{${JSON.stringify(name)}:${JSON.stringify(value)},${JSON.stringify(body).slice(1)}`);
const deep = fc
  .tuple(
    fc.constantFrom<[string, string]>(['[', ']'], ['{"a":', '}']),
    fc.integer({ min: 90, max: 100_000 }),
    fc.boolean(),
  )
  .map(([[open, close], depth, whole]) => {
    const value = `${open.repeat(depth)}1${close.repeat(depth)}`;
    return whole ? value : `{"model":"${model}","messages":[{"role":"user","content":"hi"}],"metadata":${value}}`;
  });
/** A text with some bytes cut out, put in or turned over. */
const spoilt = (source: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(source, fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(2)), { minLength: 1, maxLength: 4 }))
    .map(([whole, changes]) => {
      const bytes = [...Buffer.from(whole)];
      for (const [place, byte, kind] of changes)
        bytes.splice(place % (bytes.length + 1), kind === 0 ? 0 : 1, ...(kind === 1 ? [] : [byte]));
      return Buffer.from(bytes);
    });
const asText = fc.oneof(chatBody, anything).map((value) => JSON.stringify(value));
const body: fc.Arbitrary<string | Buffer> = fc.oneof(
  { weight: 30, arbitrary: chatBody.map((value) => JSON.stringify(value)) },
  { weight: 12, arbitrary: spoilt(asText) },
  { weight: 6, arbitrary: trap },
  { weight: 5, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 5, arbitrary: anything.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: deep },
);

/** A header value of any sign that the protocol lets through, as the bytes of latin1. */
const headerText = fc
  .oneof(nasty, fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 }))
  .map((value) =>
    Buffer.from(value)
      .toString('latin1')
      .replace(/[^\t\x20-\x7e\x80-\xff]/g, ''),
  );
const headers = fc.record(
  {
    'content-type': fc.oneof(
      { weight: 6, arbitrary: fc.constant('application/json') },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=b',
        ),
      },
      { weight: 1, arbitrary: headerText },
    ),
    authorization: fc.oneof(
      headerText,
      headerText.map((key) => `Bearer ${key}`),
      fc.constant('Bearer test-key'),
    ),
    'api-key': headerText,
    'cache-control': fc.oneof(
      headerText,
      fc.constantFrom(
        'no-cache',
        'no-store',
        'max-age=0',
        'max-age=99999999999999999999',
        'max-age=-1',
        'only-if-cached',
        ',,,=',
      ),
    ),
    'x-reprise-mode': fc.oneof(headerText, fc.constantFrom('on', 'off', 'shadow', 'read_only', 'write_only')),
    'x-reprise-namespace': headerText,
    'x-reprise-conversation': headerText,
    'x-reprise-conversation-end': headerText,
    'x-reprise-max-risk': fc.oneof(headerText, fc.constantFrom('0', '1', '0.5', '-1', '1e9', 'NaN')),
    'x-reprise-tags': fc.oneof(headerText, fc.constantFrom('%', '%zz', ',,,', 'a,'.repeat(500), '%E0%A4%A')),
    'x-request-id': headerText,
    accept: headerText,
    'accept-encoding': headerText,
    'accept-language': headerText,
    cookie: headerText,
    'x-large': fc.constantFrom('y'.repeat(4_000), 'y'.repeat(17_000)),
    'content-encoding': fc.constantFrom('gzip', 'identity', 'br', ''),
    'if-none-match': headerText,
    range: headerText,
  },
  { requiredKeys: [] },
);

const path = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(chatPath, '/v1/embeddings', '/v1/feedback', '/v1/models', '/v1/files', '/v1/memory'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '/',
      '//',
      '/v1',
      '/v1/',
      '/v1//models',
      '/v1/../admin/api/namespaces',
      '/v1/%2e%2e/admin/api/namespaces',
      '/v1/..%2fadmin',
      '/v1/models?__proto__=1&constructor[prototype]=2',
      '/v1/chat/completions/',
      '/v1/chat/completions?x=%zz',
      '/v1/%zz',
      '/%',
      '/v1/\u00e4\u00f6',
      '/v1/models;a=b',
      '/V1/CHAT/COMPLETIONS',
      `/v1/${'a'.repeat(3_000)}`,
      `/admin/api/namespaces/${'n'.repeat(1_500)}/stats`,
      '/admin/api/namespaces/%7B%7D/stats',
      '/admin/api/namespaces/%00/purge',
      '/admin/api/keys/revoke',
      '/healthz',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/docs',
      '/docs/../../package.json',
      '/console',
      '/.env',
      'http://127.0.0.1/v1/models',
      '*',
    ),
  },
  { weight: 2, arbitrary: fc.webPath().map((some) => `/v1${some}`) },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }).map((some) => `/${some.replace(/[^\x21-\x7e]/g, '')}`) },
);
const method = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('POST', 'GET') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'PUT',
      'DELETE',
      'PATCH',
      'HEAD',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'SEARCH',
      'QUERY',
      'MKCOL',
    ),
  },
);

describe('case 29: fuzz', () => {
  it(
    '6,000 bodies of chat requests',
    () =>
      fuzz(
        body.map((bytes) => ({ method: 'POST', path: chatPath, headers: json, body: bytes })),
        750,
      ),
    minutes,
  );

  it(
    '1,200 bodies of the other routes',
    () =>
      fuzz(
        fc
          .tuple(fc.constantFrom('/v1/embeddings', '/v1/feedback', '/admin/api/keys/revoke', '/v1/memory/search'), body)
          .map(([to, bytes]) => ({
            method: 'POST',
            path: to,
            headers: { ...json, authorization: `Bearer ${s.adminToken}` },
            body: bytes,
          })),
        150,
      ),
    minutes,
  );

  it(
    '2,400 sets of headers',
    () =>
      fuzz(
        fc.tuple(headers, words).map(([some, words]) => ({
          method: 'POST',
          path: chatPath,
          headers: { ...json, ...some },
          body: JSON.stringify(ask(words)),
        })),
        300,
      ),
    minutes,
  );

  it(
    '1,200 methods and paths',
    () =>
      fuzz(
        fc.tuple(method, path, fc.option(body, { nil: undefined })).map(([verb, to, bytes]) => ({
          method: verb,
          path: to,
          headers: bytes === undefined ? {} : json,
          ...(bytes === undefined ? {} : { body: bytes }),
        })),
        150,
      ),
    minutes,
  );

  it(
    '800 requests that break the protocol',
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(wire, { minLength: concurrency, maxLength: concurrency }), async (all) => {
          const send = (bytes: string): Promise<Buffer> => sendBytes(s.url, Buffer.from(bytes, 'latin1'));
          await Promise.all(all.map(async (bytes) => checkWire(bytes, (await send(bytes)).toString('latin1'))));
          expect(s.gateways[0]?.running).toBe(true);
        }),
        { ...limits, numRuns: 100 },
      ),
    minutes,
  );

  it('and the process still answers rightly', async () => {
    const space = ownSpace('after');
    expect((await fetch(`${s.url}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${s.url}/readyz`)).json()).toMatchObject({ status: 'ready' });
    const first = await chat(s.url, ask('How do I reset my password?'), space);
    const again = await chat(s.url, ask('How do I reset my password?'), space);
    const near = await chat(s.url, ask('How can I reset my password?'), space);
    const fresh = await chat(s.url, ask('How do I reset my password?'), { ...space, 'cache-control': 'no-store' });
    expect([first, again, near].map((reply) => reply.cache)).toEqual(['miss', 'hit-exact', 'hit-semantic']);
    expect(new Set([first, again, near, fresh].map((reply) => reply.content)).size).toBe(1);
    expect(s.gateways[0]?.log).not.toMatch(/RP_ERR_INTERNAL|the cache failed|uncaught|unhandled/i);
  });
});

const request = JSON.stringify(ask('When do you open?'));
const head = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const line = `POST ${chatPath} HTTP/1.1`;
const host = 'Host: a';
const type = 'Content-Type: application/json';
const wire: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      head([line, host, type, `Content-Length: ${request.length + 500}`]) + request,
      head([line, host, type, `Content-Length: ${request.length - 5}`]) + request,
      head([line, host, type, 'Content-Length: -1']) + request,
      head([line, host, type, 'Content-Length: 99999999999999999999']) + request,
      head([line, host, type, 'Content-Length: 1e3']) + request,
      head([line, host, type, 'Content-Length: 5', 'Content-Length: 6']) + request,
      head([line, host, type, 'Content-Length: 5', 'Transfer-Encoding: chunked']) + request,
      head([line, host, type, 'Transfer-Encoding: chunked']) + 'zz\r\nhello\r\n0\r\n\r\n',
      head([line, host, type, 'Transfer-Encoding: chunked']) + 'ffffffffffffffffff\r\nhello',
      head([line, host, type, 'Transfer-Encoding: chunked']) + '5\r\nhel',
      head([line, host, type, 'Transfer-Encoding: gzip']) + request,
      head([line, host, type, 'Expect: 100-continue', `Content-Length: ${request.length}`]) + request,
      head([line, host, type, 'Expect: the-unexpected', `Content-Length: ${request.length}`]) + request,
      head([line, host, 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Key: x']),
      head([line, type, `Content-Length: ${request.length}`]) + request,
      head([line, host, `X-Large: ${'y'.repeat(70_000)}`]),
      head([line, host, ...Array.from({ length: 3_000 }, (_, at) => `X-${at}: 1`)]),
      head([line, host, 'No colon here']),
      head([line, host, 'X-Nul: a\u0000b']),
      head([line, host, ' folded: value']),
      head([line, host, 'X Space: 1']),
      head([`POST ${chatPath} HTTP/9.9`, host]),
      head([`POST ${chatPath}`]),
      head([`post ${chatPath} HTTP/1.1`, host]),
      head(['CONNECT example.com:443 HTTP/1.1', host]),
      head(['OPTIONS * HTTP/1.1', host]),
      head(['GET /a b HTTP/1.1', host]),
      head(['GET http://example.com/v1/models HTTP/1.1', host]),
      head([`GET /${'a'.repeat(70_000)} HTTP/1.1`, host]),
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      '*1\r\n$4\r\nPING\r\n',
      '\r\n\r\n\r\n',
      '',
    ),
  },
  {
    weight: 3,
    arbitrary: spoilt(
      headers.map(
        (some) =>
          head([
            line,
            host,
            ...Object.entries(some).map(([name, value]) => `${name}: ${value}`),
            `Content-Length: ${request.length}`,
          ]) + request,
      ),
    ).map((bytes) => bytes.toString('latin1')),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('latin1')) },
);

interface WireReply {
  readonly status: number;
  readonly body: string;
}

/** The answers that came over one connection, one after the other. */
function* wireReplies(text: string): Generator<WireReply> {
  for (let at = 0; at < text.length;) {
    const headEnd = text.indexOf('\r\n\r\n', at);
    const head = text.slice(at, headEnd < 0 ? undefined : headEnd);
    const status = /^HTTP\/1\.1 ([1-5]\d\d) /.exec(head)?.[1];
    if (headEnd < 0 || status === undefined) throw new Error('no HTTP answer');
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    const chunked = /^transfer-encoding: chunked/im.test(head);
    const bodyEnd = chunked ? text.indexOf('\r\n0\r\n\r\n', headEnd) + 7 : headEnd + 4 + Number(length ?? 0);
    yield { status: Number(status), body: text.slice(headEnd + 4, bodyEnd) };
    at = bodyEnd;
  }
}

/** Every answer on the wire has a status line, and a body of the API's shape when it says that something is wrong. */
function checkWire(sent: string, got: string): void {
  const context = `${JSON.stringify(sent.slice(0, 300))} → ${JSON.stringify(got.slice(0, 600))}`;
  expect(got, context).not.toMatch(inside);
  expect(got, context).not.toContain('RP_ERR_INTERNAL');
  let replies: WireReply[] = [];
  expect(() => (replies = [...wireReplies(got)]), context).not.toThrow();
  for (const { status, body } of replies) if (status >= 400) checkError(/\{[^]*\}/.exec(body)?.[0] ?? 'null', context);
}
