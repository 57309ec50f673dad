import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CapturedAnswer } from '../capture/captured-answer.js';
import { fragments } from './fragments.js';
import { replayAsChunks, replayAsJson, replayAsSse, SSE_DONE } from './replay.js';

const stored: CapturedAnswer = {
  message: {
    role: 'assistant',
    content: 'Grüße aus 東京 👩‍🚀, it is 9 °C.',
    reasoning_content: 'They ask for the weather.',
    tool_calls: [
      { id: 'call_old0', type: 'function', function: { name: 'weather', arguments: '{"city":"東京"}' } },
      { id: 'call_old1', type: 'function', function: { name: 'clock', arguments: '{}' } },
    ],
  },
  finishReason: 'tool_calls',
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  model: 'model-x',
  systemFingerprint: 'fp_1',
  choices: 1,
  complete: true,
  form: 'sse',
};
const identity = {
  id: 'chatcmpl-new',
  createdSeconds: 1_800_000_000,
  toolCallId: (index: number) => `call_new${index}`,
};

describe('replay', () => {
  it('makes a JSON completion with new ids and the stored usage', () => {
    expect(replayAsJson(stored, identity)).toEqual({
      id: 'chatcmpl-new',
      object: 'chat.completion',
      created: 1_800_000_000,
      model: 'model-x',
      system_fingerprint: 'fp_1',
      choices: [
        {
          index: 0,
          message: {
            ...stored.message,
            refusal: null,
            tool_calls: stored.message.tool_calls?.map((call, index) => ({ ...call, id: `call_new${index}` })),
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: stored.usage,
    });
    expect(stored.message.tool_calls?.[0]?.id).toBe('call_old0');
  });

  it('begins with the role, ends with the reason, then usage only if asked, then the terminal event', () => {
    const plain = [...replayAsChunks(stored, identity)];
    const withUsage = [...replayAsChunks(stored, identity, { includeUsage: true })];
    expect(plain[0]).toMatchObject({ choices: [{ delta: { role: 'assistant', content: '' } }] });
    expect(plain.at(-1)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] });
    expect(plain.some((chunk) => 'usage' in chunk)).toBe(false);
    expect(withUsage.at(-1)).toMatchObject({ choices: [], usage: stored.usage });
    expect(withUsage.slice(0, -1).every((chunk) => chunk['usage'] === null)).toBe(true);
    expect([...replayAsSse(stored, identity)].at(-1)).toBe(SSE_DONE);
    expect(new Set(withUsage.map((chunk) => `${String(chunk['id'])} ${String(chunk['created'])}`)).size).toBe(1);
  });

  it('keeps log-probabilities with their text', () => {
    const logprobs = { content: [{ token: 'a', logprob: -1, bytes: [97], top_logprobs: [] }], refusal: null };
    const answer: CapturedAnswer = { ...stored, message: { role: 'assistant', content: 'a'.repeat(500) }, logprobs };
    const carrying = [...replayAsChunks(answer, identity)].filter((chunk) => JSON.stringify(chunk).includes('"bytes"'));
    expect(carrying).toHaveLength(1);
    expect(replayAsJson(answer, identity)).toMatchObject({ choices: [{ logprobs }] });
  });

  it('cuts texts into whole code points whose sum is the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, size) => {
        const pieces = [...fragments(text, size)];
        expect(pieces.join('')).toBe(text);
        expect(pieces.every((piece) => [...piece].length <= size)).toBe(true);
        if (text.isWellFormed()) expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
      }),
    );
  });
});

describe('replay through the official client', () => {
  let server: Server;
  let client: OpenAI;
  const create = { model: 'model-x', messages: [{ role: 'user' as const, content: 'Hi' }] };

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const asked = JSON.parse(body) as { stream?: boolean; stream_options?: { include_usage?: boolean } };
        if (asked.stream !== true) {
          response.setHeader('content-type', 'application/json').end(JSON.stringify(replayAsJson(stored, identity)));
          return;
        }
        response.setHeader('content-type', 'text/event-stream');
        const includeUsage = asked.stream_options?.include_usage === true;
        for (const event of replayAsSse(stored, identity, { includeUsage, fragmentCodePoints: 3 }))
          response.write(event);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    client = new OpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'any', maxRetries: 0 });
  });
  afterAll(() => server.close());

  it('is parsed as JSON', async () => {
    const parsed = await client.chat.completions.create(create);
    expect(parsed).toMatchObject(replayAsJson(stored, identity));
  });

  it('is put together from a stream to the same message, usage and ids', async () => {
    const stream = client.chat.completions.stream({ ...create, stream_options: { include_usage: true } });
    const final = await stream.finalChatCompletion();
    const [call, second] = final.choices[0]?.message.tool_calls ?? [];
    expect(final).toMatchObject({ id: 'chatcmpl-new', created: 1_800_000_000, model: 'model-x', usage: stored.usage });
    expect(final.choices[0]?.message.content).toBe(stored.message.content);
    expect(final.choices[0]?.finish_reason).toBe('tool_calls');
    expect(call).toMatchObject({ id: 'call_new0', function: { name: 'weather', arguments: '{"city":"東京"}' } });
    expect(second).toMatchObject({ id: 'call_new1', function: { name: 'clock', arguments: '{}' } });
  });

  it('delivers reasoning text as fragments', async () => {
    const stream = await client.chat.completions.create({ ...create, stream: true });
    let reasoning = '';
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta as { reasoning_content?: string } | undefined;
      reasoning += delta?.reasoning_content ?? '';
    }
    expect(reasoning).toBe(stored.message['reasoning_content']);
  });
});
