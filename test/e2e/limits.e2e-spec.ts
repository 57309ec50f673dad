import { describe, expect, it } from 'vitest';
import { metric } from './support/admin.js';
import { ask, chat, type ChatReply, model, ownSpace, post } from './support/chat.js';
import { suite } from './support/suite.js';

const s = suite();
const user = (content: unknown) => ({ role: 'user', content });
const send = (content: unknown, space: Record<string, string>, extra: object = {}): Promise<ChatReply> =>
  chat(s.url, { model, messages: [user(content)], ...extra }, space);
const isHit = (reply: ChatReply): boolean => reply.cache === 'hit-exact' || reply.cache === 'hit-semantic';
const tooLong = async (): Promise<number> =>
  (await metric(s.url, 'reprise_semantic_skipped_total')).get('reason="too-long"') ?? 0;

/** Texts past the model's 256 tokens, by the sentence that they are made of. */
const sentences: readonly (readonly [language: string, sentence: string, last: string, otherLast: string])[] = [
  ['English', 'The parcel was left at the neighbour’s door on a rainy day. ', 'What now?', 'Who pays?'],
  ['German', 'Das Paket lag am Morgen ohne Zettel vor der Haustür. ', 'Was nun?', 'Wer zahlt?'],
  ['Spanish', 'El paquete llegó ayer con la caja abierta y mojada. ', '¿Qué hago?', '¿Quién paga?'],
  ['Russian', 'Посылка пришла вчера вечером с открытой коробкой. ', 'Что делать?', 'Кто платит?'],
  ['Chinese', '包裹昨天送到时盒子已经打开而且湿了。', '怎么办？', '谁付钱？'],
  ['Arabic', 'وصل الطرد أمس والصندوق مفتوح ومبلل. ', 'ماذا أفعل؟', 'من يدفع؟'],
];

describe('case 26: text past the window of the embedder', () => {
  it.each(sentences)('%s: no semantic tier, counted, never cut', async (_language, sentence, last, otherLast) => {
    const space = ownSpace('window');
    const before = await tooLong();
    const long = sentence.repeat(40);
    const first = await send(long + last, space);
    expect([first.cache, first.reason]).toEqual(['miss', 'too-long']);
    expect((await tooLong()) - before).toBeGreaterThan(0);
    for (const other of [long + otherLast, sentence.repeat(41) + last, `Hello! ${long}${last}`]) {
      const reply = await send(other, space);
      expect([reply.cache, reply.reason]).toEqual(['miss', 'too-long']);
      expect(reply.headers.get('x-cache-similarity')).toBeNull();
    }
    expect((await send(long + last, space)).cache).toBe('hit-exact');
  });

  it('longer than limits.semanticMaxChars', async () => {
    const space = ownSpace('window');
    const before = await tooLong();
    for (const end of ['a', 'b']) {
      expect((await send(`word `.repeat(2000) + end, space)).reason).toBe('too-long');
    }
    expect(await tooLong()).toBe(before + 2);
  });

  it('a text within the window is not counted', async () => {
    const before = await tooLong();
    await send('How do I reset my password? '.repeat(8), ownSpace('window'));
    expect(await tooLong()).toBe(before);
  });
});

const odd: readonly (readonly [name: string, texts: readonly string[]])[] = [
  ['empty and blank', ['', ' ', '   ', '\t', '\n', '\n\n', '\r', '\u00a0', '\u3000', '\u2028']],
  ['zero-width', ['\u200b', '\u200b\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad']],
  ['direction marks', ['\u200e', '\u200f', '\u202e', '\u2066', '\u061c']],
  ['emoji', ['👍', '👎', '👍👍', '👍🏽', '❤️', '🏳️‍🌈', '🇳🇴', '🇸🇪', '1️⃣', '2️⃣']],
  ['signs', ['?', '!', '…', '。', '؟', '---', '```', '"', "'", '\u0000', '\u0007', '�']],
  ['right to left', ['متى تفتحون؟', 'متى تغلقون؟', 'מתי אתם פותחים?', 'מתי אתם סוגרים?']],
  ['right to left turned over', ['\u202eWhen do you open?', 'nepo uoy od nehW', '?nepo uoy od nehW']],
  ['combining marks', ['a\u0301\u0301\u0301', 'a\u0301\u0301', 'Z̡̢͈̗ͅ', 'Z̡̢͈̗']],
];

describe('case 27: odd prompts neither crash nor match each other', () => {
  it.each(odd)('%s', async (_name, texts) => {
    const space = ownSpace('odd');
    for (const text of texts) {
      const first = await send(text, space);
      expect([first.status, isHit(first)], JSON.stringify(text)).toEqual([200, false]);
    }
    for (const text of texts) {
      for (const stream of [false, true]) {
        const again = await send(text, space, { stream });
        expect([again.status, again.cache], JSON.stringify(text)).toEqual([200, 'hit-exact']);
      }
    }
  });

  it('in a text part, as no text at all, and as no parts', async () => {
    const space = ownSpace('odd');
    const contents = [
      [{ type: 'text', text: ' ' }],
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: '' },
      ],
      null,
      [],
    ];
    for (const content of contents) {
      const reply = await send(content, space);
      expect([reply.status, isHit(reply)], JSON.stringify(content)).toEqual([200, false]);
    }
  });

  it('two parts are not their text with a line feed', async () => {
    const space = ownSpace('odd');
    const parts = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }));
    await send(parts('When do you', 'open?'), space);
    for (const other of [
      'When do you\nopen?',
      'When do you open?',
      parts('When do', 'you\nopen?'),
      parts('When do you'),
    ]) {
      expect((await send(other, space)).cache, JSON.stringify(other)).not.toBe('hit-exact');
    }
  });

  it.each(['\\ud800', 'a\\udc00b', '\\ud83d', '\\udc4d\\ud83d', 'When do you open?\\ud800'])(
    'lone surrogate %s: proxied, never stored',
    async (escape) => {
      const space = ownSpace('surrogate');
      for (let time = 0; time < 2; time++) {
        const body = `{"model":"${model}","messages":[{"role":"user","content":"${escape}"}]}`;
        const reply = await chat(s.url, body, space);
        expect([reply.status, reply.cache, reply.reason]).toEqual([200, 'bypass', 'ill-formed-text']);
      }
    },
  );

  it('a megabyte, twice, with one other character at its end', async () => {
    const space = ownSpace('large');
    for (const letter of ['x', 'я', '長']) {
      const text = letter.repeat(Math.ceil(1_048_576 / Buffer.byteLength(letter)));
      expect((await send(text, space)).cache).toBe('miss');
      expect((await send(`${text.slice(0, -1)}z`, space)).cache).toBe('miss');
      expect((await send(text, space)).cache).toBe('hit-exact');
    }
  });

  it.each([' ', '\u00a0', '\n', 'a ', '. '])(
    'half a megabyte of %j before the last sign takes no longer',
    async (blank) => {
      const space = ownSpace('blanks');
      const text = `${blank.repeat(500_000)}.`;
      for (const cache of ['miss', 'hit-exact']) expect((await send(text, space)).cache).toBe(cache);
      const framed = { model, messages: [{ role: 'system', content: text }, user('When do you open?')] };
      expect((await chat(s.url, framed, space)).cache).toBe('miss');
    },
  );

  it('a body past the limit is refused in the shape of the API', async () => {
    const reply = await send('x'.repeat(11 * 1024 * 1024), ownSpace('large'));
    expect(reply.status).toBe(413);
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'RP_ERR_BODY_TOO_LARGE' } });
  });
});

const data = (type: string, bytes: string): string => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
const text = (value: string) => ({ type: 'text', text: value });
const image = (url: string, extra: object = {}) => ({ type: 'image_url', image_url: { url, ...extra } });
const audio = (bytes: string, format = 'wav') => ({
  type: 'input_audio',
  input_audio: { data: Buffer.from(bytes).toString('base64'), format },
});
const file = (fields: object) => ({ type: 'file', file: fields });

describe('case 28: pictures, sounds and files', () => {
  it.each<[string, unknown, unknown]>([
    ['pictures', image(data('image/png', 'red')), image(data('image/png', 'blue'))],
    [
      'the detail',
      image(data('image/png', 'red'), { detail: 'low' }),
      image(data('image/png', 'red'), { detail: 'high' }),
    ],
    ['the type', image(data('image/png', 'red')), image(data('image/webp', 'red'))],
    ['sounds', audio('hello'), audio('goodbye')],
    ['the format of sounds', audio('hello', 'wav'), audio('hello', 'mp3')],
    ['files', file({ file_data: data('application/pdf', 'one') }), file({ file_data: data('application/pdf', 'two') })],
    [
      "the file's name",
      file({ filename: 'a.pdf', file_data: data('application/pdf', 'one') }),
      file({ filename: 'b.pdf', file_data: data('application/pdf', 'one') }),
    ],
  ])('other %s: another entry', async (_name, a, b) => {
    for (const words of ['What does it say?', 'Was steht da?', '何と書いてありますか？']) {
      const space = ownSpace('media');
      const replies = [];
      for (const part of [a, b, a, b]) replies.push(await send([text(words), part], space));
      expect(replies.map((reply) => reply.cache)).toEqual(['miss', 'miss', 'hit-exact', 'hit-exact']);
      // Neither other words about it nor the words alone find it.
      expect((await send([text(`${words} `), text('Please.'), a], space)).cache).toBe('miss');
      expect(isHit(await send(words, space))).toBe(false);
    }
  });

  it.each<[string, unknown, string]>([
    ['a picture by address', image('https://example.com/a.png'), 'media-by-reference'],
    ['a picture without address', { type: 'image_url' }, 'media-by-reference'],
    ['a picture whose address is no text', image(7 as unknown as string), 'media-by-reference'],
    ['a file by id', file({ file_id: 'file-1' }), 'media-by-reference'],
    ['a file that is nothing', { type: 'file' }, 'media-by-reference'],
    ['a kind of tomorrow', { type: 'hologram', hologram: { id: 1 } }, 'unknown-content'],
    ['a film', { type: 'video_url', video_url: { url: data('video/mp4', 'x') } }, 'unknown-content'],
    ['a kind with a known name in other case', { type: 'Text', text: 'hello' }, 'unknown-content'],
    ['an empty kind', { type: '' }, 'unknown-content'],
  ])('%s: proxied', async (_name, part, reason) => {
    const space = ownSpace('media');
    for (const content of [[part], [text('What is it?'), part], [part, text('Qu’est-ce que c’est ?')]]) {
      for (let time = 0; time < 2; time++) {
        const reply = await send(content, space);
        expect([reply.cache, reply.reason]).toEqual(['bypass', reason]);
      }
    }
    const earlier = [user([part]), { role: 'assistant', content: 'A cat.' }, user('Which colour?')];
    expect((await chat(s.url, { model, messages: earlier }, space)).reason).toBe(reason);
  });

  it('a picture in an earlier message belongs to the key', async () => {
    const space = ownSpace('media');
    const talk = (bytes: string) => ({
      model,
      messages: [
        user([image(data('image/png', bytes))]),
        { role: 'assistant', content: 'A cat.' },
        user('Which colour?'),
      ],
    });
    const replies = [];
    for (const bytes of ['red', 'blue', 'red']) replies.push(await chat(s.url, talk(bytes), space));
    expect(replies.map((reply) => reply.cache)).toEqual(['miss', 'miss', 'hit-exact']);
  });
});

/** An error as OpenAI's clients read it, without anything of our inside. */
function expectApiError(reply: ChatReply): void {
  const { error } = JSON.parse(reply.text) as { error: Record<string, unknown> };
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
  expect(typeof error['message']).toBe('string');
  expect(reply.text).not.toMatch(/\bat .*:\d+:\d+|node_modules|\/dist\/|\.(js|ts)\b/);
}

describe('case 29: bad input', () => {
  const question = '"messages":[{"role":"user","content":"When do you open?"}]';
  const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

  it.each([
    ['nothing', ''],
    ['half a body', `{"model":"${model}","messages":[{"role":"us`],
    ['a comma too many', `{"model":"${model}",${question},}`],
    ['single quotes', `{'model':'${model}'}`],
    ['words', 'bonjour, c’est moi'],
    ['a byte order mark', `\ufeff{"model":"${model}",${question}}`],
    ['no JSON number', `{"model":"${model}",${question},"n":NaN}`],
    ['two values', `{"model":"${model}",${question}}{}`],
    ['comments', `{"model":"${model}",/* 你好 */${question}}`],
  ])('not JSON: %s', async (_name, body) => {
    for (const path of ['/v1/chat/completions', '/v1/embeddings', '/v1/feedback']) {
      const reply = await post(s.url, path, body);
      expect(reply.status).toBe(400);
      expectApiError(reply);
    }
  });

  it.each([
    ['null', 'null'],
    ['a number', '1e999'],
    ['a text', '"hello"'],
    ['a list', `[{"model":"${model}"}]`],
    ['no model', `{${question}}`],
    ['a number as model', `{"model":5,${question}}`],
    ['an empty model', `{"model":"",${question}}`],
    ['no messages', `{"model":"${model}"}`],
    ['an empty list of messages', `{"model":"${model}","messages":[]}`],
    ['a text as messages', `{"model":"${model}","messages":"hi"}`],
    ['null as message', `{"model":"${model}","messages":[null]}`],
    ['a number as role', `{"model":"${model}","messages":[{"role":1,"content":"a"}]}`],
    ['n as text', `{"model":"${model}",${question},"n":"two"}`],
    ['n too large', `{"model":"${model}",${question},"n":1e308}`],
    ['max_tokens below zero', `{"model":"${model}",${question},"max_tokens":-1}`],
  ])('refused by the upstream as it is: %s', async (_name, body) => {
    const direct = await fetch(`${s.upstream.url}/chat/completions`, { method: 'POST', body });
    const reply = await chat(s.url, body, ownSpace('bad'));
    expect([reply.status, reply.text]).toEqual([direct.status, await direct.text()]);
    if (reply.status !== 200) expectApiError(reply);
  });

  it.each([
    ['temperature', '"temperature":"hot"'],
    ['an endless temperature', '"temperature":1e999'],
    ['stream', '"stream":"yes"'],
    ['stream_options', '"stream_options":7'],
    ['include_usage', '"stream":true,"stream_options":{"include_usage":"yes"}'],
    ['user', '"user":{"id":1}'],
    ['a part without type', '"messages":[{"role":"user","content":[{"text":"a"}]}]'],
    ['a number as content', '"messages":[{"role":"user","content":5}]'],
  ])('of a wrong type, proxied and never stored: %s', async (_name, member) => {
    const space = ownSpace('bad');
    const body = member.startsWith('"messages"')
      ? `{"model":"${model}",${member}}`
      : `{"model":"${model}",${question},${member}}`;
    for (let time = 0; time < 2; time++) {
      const reply = await chat(s.url, body, space);
      expect([reply.status, reply.cache, reply.reason]).toEqual([200, 'bypass', 'malformed']);
    }
  });

  it.each([
    ['the question', '{"role":"user","content":"When do you open?","content":"When do you close?"}', ''],
    ['the role', '{"role":"system","role":"user","content":"When do you open?"}', ''],
    ['with an escape', '{"role":"user","content":"When do you open?","c\\u006fntent":"Wann öffnet ihr?"}', ''],
    ['the model', '{"role":"user","content":"When do you open?"}', `,"model":"${model}"`],
    ['__proto__', '{"role":"user","content":"When do you open?"}', ',"__proto__":{"a":1},"__proto__":{"a":2}'],
    ['deep inside', '{"role":"user","content":"When do you open?"}', ',"metadata":{"a":[{"b":1,"b":2}]}'],
  ])('a member given twice, %s: proxied', async (_name, message, more) => {
    const space = ownSpace('twice');
    for (let time = 0; time < 2; time++) {
      const reply = await chat(s.url, `{"model":"${model}","messages":[${message}]${more}}`, space);
      expect([reply.status, reply.cache, reply.reason]).toEqual([200, 'bypass', 'duplicate-keys']);
    }
  });

  it.each([
    ['in texts', ask('{"a":1,"a":2} and "a": \\" : \\\\'.repeat(20))],
    ['in member names', ask('When do you open?', { metadata: { 'a:b': 1, 'a":"': 2, '\\': 3, ':': 4 } })],
  ])('colons and quotes %s are no members', async (_name, body) => {
    const space = ownSpace('twice');
    expect([(await chat(s.url, body, space)).cache, (await chat(s.url, body, space)).cache]).toEqual([
      'miss',
      'hit-exact',
    ]);
  });

  it.each([
    [
      'the same member in two objects',
      { tools: [1, 2].map((at) => ({ type: 'function', function: { name: `f${at}` } })) },
    ],
    ['__proto__ and constructor', JSON.parse('{"__proto__":{"n":2},"constructor":{"prototype":{"n":2}}}') as object],
    ['toString and valueOf', { toString: 1, valueOf: 2, hasOwnProperty: 3 }],
  ])('%s: only other members', async (_name, extra) => {
    const space = ownSpace('proto');
    const own = Object.defineProperties({ ...ask('When do you open?') }, Object.getOwnPropertyDescriptors(extra));
    const replies = [await chat(s.url, own, space), await chat(s.url, ask('When do you open?'), space)];
    expect(replies.map((reply) => reply.cache)).toEqual(['miss', 'miss']);
    expect((await chat(s.url, own, space)).cache).toBe('hit-exact');
  });

  it.each([
    ['lists', nested('[', ']', 100_000)],
    ['objects', nested('{"a":', '}', 50_000).replace('}', '1}')],
    ['at the limit', nested('[', ']', 101)],
  ])('deep nesting of %s: proxied', async (_name, value) => {
    const reply = await chat(s.url, `{"model":"${model}",${question},"metadata":${value}}`, ownSpace('deep'));
    expect([reply.status, reply.reason]).toEqual([200, 'too-deep']);
    const embedded = await post(s.url, '/v1/embeddings', `{"model":"demo-embedding","input":"a","x":${value}}`);
    expect([embedded.status, embedded.reason]).toEqual([200, 'too-deep']);
  });

  it.each([
    [Buffer.from([0x63, 0x61, 0x66, 0xe9]), Buffer.from([0x63, 0x61, 0x66, 0xe8])],
    [Buffer.from([0xff]), Buffer.from([0xfe])],
    [Buffer.from([0xc0, 0xaf]), Buffer.from([0xe2, 0x28, 0xa1])],
    [Buffer.from([0xed, 0xa0, 0x80]), Buffer.from([0xed, 0xa0, 0x81])],
  ])('bytes that are no UTF-8 are one with no other bytes: %o', async (a, b) => {
    const space = ownSpace('bytes');
    const body = (bytes: Buffer): Uint8Array =>
      Buffer.concat([
        Buffer.from(`{"model":"${model}","messages":[{"role":"user","content":"`),
        bytes,
        Buffer.from('"}]}'),
      ]);
    for (const bytes of [a, b, a]) {
      const reply = await chat(s.url, body(bytes), space);
      expect([reply.status, reply.cache, reply.reason]).toEqual([200, 'bypass', 'ill-formed-text']);
    }
  });

  it.each([
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'nonsense',
    'application/jsonx',
    '/',
    ';',
  ])('content type %j', async (type) => {
    const reply = await chat(s.url, ask('When do you open?'), { 'content-type': type });
    expect([400, 415]).toContain(reply.status);
    expectApiError(reply);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/problem+json'])(
    'content type %j is JSON',
    async (type) => {
      expect((await chat(s.url, ask('When do you open?'), { 'content-type': type })).status).toBe(200);
    },
  );

  it.each([
    ['stop', { stop: ['\n'] }, { stop: ['\n\n'] }],
    ['stop with a blank at its end', { stop: 'END' }, { stop: 'END\n' }],
    ['line ends in a tool', { tools: [fn('a\r\nb')] }, { tools: [fn('a\nb')] }],
    ['a limit that is none', { max_tokens: 'many' }, {}],
  ])('no canonical form outside of the messages: %s', async (_name, a, b) => {
    const space = ownSpace('strict');
    await chat(s.url, ask('How do I reset my password?', a), space);
    expect(isHit(await chat(s.url, ask('How do I reset my password?', b), space))).toBe(false);
    expect(isHit(await chat(s.url, ask('How can I reset my password?', b), ownSpace('strict')))).toBe(false);
  });
});

function fn(description: string) {
  return { type: 'function', function: { name: 'unrelated', description, parameters: { type: 'object' } } };
}
