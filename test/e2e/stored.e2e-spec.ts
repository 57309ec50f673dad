import { describe, expect, it } from 'vitest';
import { ask, chat, ownSpace } from './support/chat.js';
import { suite } from './support/suite.js';

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
        expect(s.upstream.stats().chat).toBe(before + 2);
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

  it('a client that goes away after the last event: the answer is stored', async () => {
    const space = ownSpace('last');
    for (const question of questions) {
      const body = ask(question, { stream: true });
      expect((await chat(s.url, body, space)).text).toMatch(/\[DONE\]\n\n$/);
      expect((await chat(s.url, body, space)).cache).toBe('hit-exact');
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

  it.each(['How do I track order 12?', '¿Dónde está el pedido 12?', 'Wo ist Bestellung 12?'])(
    '%s: the equal request only',
    async (question) => {
      const space = ownSpace('tools');
      const first = await chat(s.url, ask(question, tools('track')), space);
      expect(first.text).toContain('tool_calls');
      expect((await chat(s.url, ask(`${question} please`, tools('track')), space)).cache).toBe('miss');
      expect((await chat(s.url, ask(question, tools('track')), space)).cache).toBe('hit-exact');
    },
  );

  it.each([false, true])('arguments that are not JSON are not stored (stream: %s)', async (stream) => {
    const space = ownSpace('arguments');
    const body = ask('Look it up.', { model: 'demo-fault-bad-arguments', stream });
    expect([(await chat(s.url, body, space)).cache, (await chat(s.url, body, space)).cache]).toEqual(['miss', 'miss']);
  });
});
