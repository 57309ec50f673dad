import fc from 'fast-check';
import { model } from './chat.js';

export const chatPath = '/v1/chat/completions';

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
export const words = fc.constantFrom(
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
export const spoilt = (source: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(source, fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(2)), { minLength: 1, maxLength: 4 }))
    .map(([whole, changes]) => {
      const bytes = [...Buffer.from(whole)];
      for (const [place, byte, kind] of changes)
        bytes.splice(place % (bytes.length + 1), kind === 0 ? 0 : 1, ...(kind === 1 ? [] : [byte]));
      return Buffer.from(bytes);
    });
const asText = fc.oneof(chatBody, anything).map((value) => JSON.stringify(value));
export const body: fc.Arbitrary<string | Buffer> = fc.oneof(
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
export const headers = fc.record(
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

export const path = fc.oneof(
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
export const method = fc.oneof(
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
