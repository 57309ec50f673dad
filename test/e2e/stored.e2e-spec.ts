import { describe, expect, it } from 'vitest';
import { namespaceOf, onNamespace } from './support/admin.js';
import { ask, chat, ownSpace } from './support/chat.js';
import { eventually, startGateway } from './support/process.js';
import { openStream, wholeText } from './support/streams.js';
import { adminHash, patient, suite } from './support/suite.js';
import { startSwitch } from './support/switch-upstream.js';

const s = suite();
const questions = ['What does shipping to Norway cost?', '¿Cuánto cuesta el envío?', '送料はいくらですか？'];

describe('case 20: what is never stored', () => {
  const faults = [
    'status-400',
    'status-429',
    'status-500',
    'status-503',
    'error-200',
    'no-choices',
    'empty',
    'refusal',
    'content-filter',
  ];
  for (const fault of faults) {
    it.each([false, true])(`${fault} (stream: %s)`, async (stream) => {
      const space = ownSpace(fault);
      for (const question of questions) {
        const body = ask(question, { model: `demo-fault-${fault}`, stream });
        const before = s.upstream.stats().chat;
        const replies = [await chat(s.url, body, space), await chat(s.url, body, space)];
        expect(replies.map((reply) => reply.cache)).toEqual(['miss', 'miss']);
        // A stream that is refused may be so for its stream_options, and is asked for once more without them.
        const each = stream && fault === 'status-400' ? 2 : 1;
        expect(s.upstream.stats().chat).toBe(before + 2 * each);
      }
    });
  }

  it('the status and the body of a failing upstream reach the caller', async () => {
    const reply = await chat(s.url, ask('x', { model: 'demo-fault-status-429' }), ownSpace('429'));
    expect(reply.status).toBe(429);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'demo_429' } });
  });

  it('finish_reason length: the equal request only', async () => {
    const space = ownSpace('length');
    const model = 'demo-fault-length';
    await chat(s.url, ask('How do I reset my password?', { model }), space);
    expect((await chat(s.url, ask('How can I reset my password?', { model }), space)).cache).toBe('miss');
    expect((await chat(s.url, ask('How do I reset my password?', { model }), space)).cache).toBe('hit-exact');
    expect((await chat(s.url, ask('How do I reset my password?', { model, max_tokens: 9 }), space)).cache).toBe('miss');
  });
});

describe('case 21: streams that end too early', () => {
  it.each(['broken-stream', 'no-done', 'error-event'])('%s is not stored', async (fault) => {
    const space = ownSpace(fault);
    for (const question of questions) {
      const body = ask(question, { model: `demo-fault-${fault}`, stream: true });
      await chat(s.url, body, space).catch(() => undefined);
      const again = await chat(s.url, body, space).catch(() => undefined);
      expect(again?.cache ?? 'miss').toBe('miss');
      expect(
        (
          await chat(s.url, ask(question, { model: `demo-fault-${fault}` }), {
            ...space,
            'cache-control': 'only-if-cached',
          })
        ).status,
      ).toBe(504);
    }
  });

  it('a client that goes away before the end leaves no half answer', async () => {
    const space = ownSpace('gone');
    for (const question of questions) {
      const abort = new AbortController();
      const body = JSON.stringify(ask(question, { stream: true }));
      const headers = { 'content-type': 'application/json', authorization: 'Bearer test-key', ...space };
      const reply = await fetch(`${s.url}/v1/chat/completions`, {
        method: 'POST',
        body,
        headers,
        signal: abort.signal,
      });
      const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      abort.abort();
      await new Promise((resolve) => setTimeout(resolve, 100));
      const whole = await chat(s.url, ask(question), space);
      const fresh = await chat(s.url, ask(question), { ...space, 'cache-control': 'no-store' });
      expect(whole.content).toBe(fresh.content);
    }
  });

  /** Reads a stream up to `last`, then breaks the connection off; what came is returned. */
  async function readUntil(last: string, question: string, space: Record<string, string>): Promise<string> {
    const live = openStream(s.url, ask(question), space);
    await eventually(() => live.soFar().includes(last));
    live.abort();
    await live.ended.catch(() => undefined);
    return live.soFar();
  }

  it.each(questions)('a client that goes away after the last event: the answer is stored: %s', async (question) => {
    const space = ownSpace('last');
    const fresh = await chat(s.url, ask(question), { ...space, 'cache-control': 'no-store' });
    expect(await readUntil('data: [DONE]', question, space)).toMatch(/\[DONE\]\n\n$/);
    for (const stream of [true, false]) {
      const again = await chat(s.url, ask(question, { stream }), space);
      expect([again.cache, wholeText(again)]).toEqual(['hit-exact', fresh.content]);
    }
  });

  it.each(questions)('a client that goes away just before it: whole or not at all: %s', async (question) => {
    const fresh = await chat(s.url, ask(question), { ...ownSpace('last'), 'cache-control': 'no-store' });
    for (const last of ['"content":"', '"finish_reason":"stop"']) {
      const space = ownSpace('before');
      await readUntil(last, question, space);
      const again = await chat(s.url, ask(question), space);
      expect(['miss', 'hit-exact', 'coalesced']).toContain(again.cache);
      expect(wholeText(again)).toBe(fresh.content);
    }
  });

  it('a client that goes away while the upstream still speaks: its call ends, and nothing is stored', async () => {
    const upstream = await startSwitch(s.upstream.url);
    const gateway = await startGateway({
      REDIS_URL: s.redisUrl,
      OPENAI_BASE_URL: upstream.url,
      REPRISE_AUTH__ADMINTOKENHASH: adminHash,
      ...patient,
    });
    const say = (delta: object, finish: string | null): string =>
      `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    try {
      // Up to a piece, up to its last word, and up to all but the terminal event.
      for (const told of [
        say({ content: 'Half' }, null),
        say({ content: 'Half' }, null) + say({ content: ' and half.' }, null),
        say({ content: 'Half and half.' }, null) + say({}, 'stop'),
      ]) {
        const space = ownSpace('speaking');
        let closed = false;
        upstream.next((request, response) => {
          request.resume();
          response.on('close', () => (closed = !response.writableFinished));
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(told);
        });
        const live = openStream(gateway.url, ask('Say it.'), space);
        await eventually(() => live.soFar() === told);
        live.abort();
        await eventually(() => closed);
        const cached = { ...space, 'cache-control': 'only-if-cached' };
        expect((await chat(gateway.url, ask('Say it.'), cached)).status).toBe(504);
        const target = { url: gateway.url, adminToken: s.adminToken };
        const stats = await onNamespace<Record<string, number>>(target, namespaceOf(space), 'stats');
        expect(Number(stats['entries'] ?? 0)).toBe(0);
      }
    } finally {
      await gateway.stop();
      await upstream.close();
    }
  });
});

describe('case 22: tool calls', () => {
  const tools = (name: string) => ({
    tools: [
      {
        type: 'function',
        function: { name, parameters: { type: 'object', properties: { order: { type: 'string' } } } },
      },
    ],
    tool_choice: 'required',
  });

  it.each([
    'How do I track order 12?',
    '¿Dónde está el pedido 12?',
    'Wo ist Bestellung 12?',
    'Où est la commande 12 ?',
    '注文12はどこですか？',
    'أين الطلب 12؟',
  ])('%s: the equal request only', async (question) => {
    const space = ownSpace('tools');
    const first = await chat(s.url, ask(question, tools('track')), space);
    expect(first.text).toContain('tool_calls');
    expect((await chat(s.url, ask(`${question} please`, tools('track')), space)).cache).toBe('miss');
    expect((await chat(s.url, ask(question, tools('track')), space)).cache).toBe('hit-exact');
  });

  it.each(['What is the weather?', 'Wie ist das Wetter?', '天気はどうですか？'])(
    'live and replayed in both forms, with several tools: %s',
    async (question) => {
      const space = ownSpace('tools');
      const two = { ...tools('track'), tools: [...tools('track').tools, ...tools('search').tools] };
      const calls = async (stream: boolean) => {
        const reply = await chat(s.url, ask(question, { ...two, stream }), space);
        const [, args] = /"arguments":("(?:[^"\\]|\\.)*")/.exec(reply.text.replaceAll('"arguments":""', '')) ?? [];
        return { cache: reply.cache, names: /"name":"(\w+)"/.exec(reply.text)?.[1], args };
      };
      const [live, json, stream] = [await calls(false), await calls(false), await calls(true)];
      expect([live.cache, json.cache, stream.cache]).toEqual(['miss', 'hit-exact', 'hit-exact']);
      expect(JSON.parse(JSON.parse(live.args ?? '""') as string)).toBeTypeOf('object');
      expect([json.names, json.args, stream.names]).toEqual([live.names, live.args, live.names]);
      // Another list of tools is another request.
      expect((await chat(s.url, ask(question, tools('track')), space)).cache).toBe('miss');
    },
  );

  it.each([
    ['English', 'Look it up.'],
    ['German', 'Schlag es nach.'],
    ['Russian', 'Найди это.'],
    ['Japanese', '調べてください。'],
  ])('arguments that are not JSON are not stored, in either form: %s', async (_language, question) => {
    for (const stream of [false, true]) {
      const space = ownSpace('arguments');
      const body = ask(question, { model: 'demo-fault-bad-arguments', stream });
      const caches = [(await chat(s.url, body, space)).cache, (await chat(s.url, body, space)).cache];
      expect(caches).toEqual(['miss', 'miss']);
    }
  });
});
