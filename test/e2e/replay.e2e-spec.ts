import { describe, expect, it } from 'vitest';
import OpenAI from 'openai';
import { ask, chat, model, ownSpace } from './support/chat.js';
import { suite } from './support/suite.js';

const s = suite();

interface Chunk {
  id: string;
  created: number;
  choices: {
    delta: { role?: string; content?: string; tool_calls?: { id?: string; function?: { arguments?: string } }[] };
    finish_reason: string | null;
  }[];
  usage?: { total_tokens: number } | null;
}

const chunksOf = (text: string): Chunk[] =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as Chunk);
const textOf = (chunks: Chunk[]): string => chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
const questions = [
  'What is your returns policy?',
  '¿Cuál es la política de devoluciones?',
  'Сколько стоит доставка?',
  '返品できますか？',
];
const usage = { stream: true, stream_options: { include_usage: true } };

describe('case 23: one stored answer in every form', () => {
  it.each(questions)('stored from a stream, read as JSON: %s', async (question) => {
    const space = ownSpace('replay');
    const live = chunksOf((await chat(s.url, ask(question, { stream: true }), space)).text);
    const reply = await chat(s.url, ask(question), space);
    expect(reply.cache).toBe('hit-exact');
    expect(reply.content).toBe(textOf(live));
    const body = JSON.parse(reply.text) as {
      object: string;
      usage: { total_tokens: number };
      choices: { finish_reason: string }[];
    };
    expect(body).toMatchObject({
      object: 'chat.completion',
      choices: [{ finish_reason: 'stop', message: { role: 'assistant' } }],
    });
    expect(body.usage.total_tokens).toBeGreaterThan(0);
  });

  it.each(questions)('stored from JSON, read as a stream: %s', async (question) => {
    const space = ownSpace('replay');
    const live = await chat(s.url, ask(question), space);
    const reply = await chat(s.url, ask(question, usage), space);
    expect(reply.cache).toBe('hit-exact');
    expect(reply.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const chunks = chunksOf(reply.text);
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(textOf(chunks)).toBe(live.content);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)?.choices).toEqual([]);
    expect(chunks.at(-1)?.usage).toEqual((JSON.parse(live.text) as { usage: unknown }).usage);
    expect(reply.text).toMatch(/data: \[DONE\]\n\n$/);
  });

  it('a usage chunk comes only when it was asked for, live and replayed', async () => {
    const space = ownSpace('usage');
    for (const cache of ['miss', 'hit-exact']) {
      const reply = await chat(s.url, ask('Do you sell gift cards?', { stream: true }), space);
      expect(reply.cache).toBe(cache);
      expect(chunksOf(reply.text).every((chunk) => chunk.choices.length === 1)).toBe(true);
    }
    expect(
      chunksOf((await chat(s.url, ask('Do you sell gift cards?', usage), space)).text).at(-1)?.usage?.total_tokens,
    ).toBeGreaterThan(0);
  });

  it('the OpenAI client puts a replayed stream of tool calls together', async () => {
    const openai = new OpenAI({ apiKey: 'k', baseURL: `${s.url}/v1`, defaultHeaders: ownSpace('sdk'), maxRetries: 0 });
    const body = {
      model,
      messages: [{ role: 'user' as const, content: 'Where is order 4711?' }],
      tools: [
        {
          type: 'function' as const,
          function: { name: 'track', parameters: { type: 'object', properties: { order: { type: 'string' } } } },
        },
      ],
      tool_choice: 'required' as const,
    };
    const live = await openai.chat.completions.create(body);
    const replayed = await openai.chat.completions.stream(body).finalChatCompletion();
    const call = (completion: typeof live | typeof replayed) => completion.choices[0]?.message.tool_calls?.[0];
    expect(call(replayed)).toMatchObject({ type: 'function', function: { name: 'track' } });
    expect(call(replayed)?.type === 'function' && call(live)?.type === 'function').toBe(true);
    expect(replayed.choices[0]?.finish_reason).toBe('tool_calls');
  });
});

describe('case 24: a replay is a new response', () => {
  it.each([false, true])('new id, created and tool-call ids at each replay (stream: %s)', async (stream) => {
    const space = ownSpace('ids');
    const tools = { tools: [{ type: 'function', function: { name: 'track' } }], tool_choice: 'required' };
    const ids = async (): Promise<{ id: string; call: string; created: number }> => {
      const { text } = await chat(s.url, ask('Where is order 99?', { ...tools, stream }), space);
      if (!stream) {
        const body = JSON.parse(text) as {
          id: string;
          created: number;
          choices: { message: { tool_calls: { id: string }[] } }[];
        };
        return { id: body.id, created: body.created, call: body.choices[0]?.message.tool_calls[0]?.id ?? '' };
      }
      const chunks = chunksOf(text);
      expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
      const call =
        chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []).find((fragment) => fragment.id)?.id ?? '';
      return { id: chunks[0]?.id ?? '', created: chunks[0]?.created ?? 0, call };
    };
    const seen = [await ids(), await ids(), await ids()];
    expect(new Set(seen.map(({ id }) => id)).size).toBe(3);
    expect(new Set(seen.map(({ call }) => call)).size).toBe(3);
    for (const { id, call, created } of seen) {
      expect(id).toMatch(/^chatcmpl-/);
      expect(call).toMatch(/^call_/);
      expect(Math.abs(created - Date.now() / 1000)).toBeLessThan(60);
    }
  });
});
