import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import OpenAI from 'openai';
import { type DemoServer, startDemoServer } from '@reprise/upstream';
import { type GatewayProcess, startGateway } from './support/process.js';
import { patient } from './support/suite.js';
import { model, ownSpace } from './support/chat.js';

describe('the official OpenAI client with only baseURL changed', () => {
  let upstream: DemoServer;
  let gateway: GatewayProcess;
  const client = (space: string): OpenAI =>
    new OpenAI({ apiKey: 'sk-client', baseURL: `${gateway.url}/v1`, defaultHeaders: ownSpace(space), maxRetries: 0 });
  const messages = (content: string) => [{ role: 'user' as const, content }];
  const tools = [
    {
      type: 'function' as const,
      function: {
        name: 'order_status',
        description: 'Status of an order',
        parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
      },
    },
  ];

  beforeAll(async () => {
    upstream = await startDemoServer(0, { latency: { firstTokenMs: 0, tokensPerSecond: 0 } });
    gateway = await startGateway({
      REDIS_URL: process.env['TEST_REDIS_URL'],
      OPENAI_BASE_URL: upstream.url,
      ...patient,
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.close();
  });

  it('gets a completion, and the same one again from the cache under a new id', async () => {
    const openai = client('json');
    const ask = () =>
      openai.chat.completions.create({ model, messages: messages('How do I reset my password?') }).withResponse();
    const [first, second] = [await ask(), await ask()];
    expect(first.response.headers.get('x-cache')).toBe('miss');
    expect(second.response.headers.get('x-cache')).toBe('hit-exact');
    expect(second.data.choices[0]?.message.content).toBe(first.data.choices[0]?.message.content);
    expect(second.data.choices[0]?.message.content).toMatch(/\w/);
    expect(second.data.usage).toEqual(first.data.usage);
    expect(second.data.id).not.toBe(first.data.id);
  });

  it('gets a stream with usage, live and replayed', async () => {
    const openai = client('stream');
    const read = async () => {
      const stream = await openai.chat.completions.create({
        model,
        messages: messages('What are your opening hours?'),
        stream: true,
        stream_options: { include_usage: true },
      });
      let text = '';
      let total = 0;
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? '';
        total = chunk.usage?.total_tokens ?? total;
      }
      return { text, total };
    };
    const live = await read();
    expect(live.text).toMatch(/\w/);
    expect(live.total).toBeGreaterThan(0);
    expect(await read()).toEqual(live);
  });

  it('gets tool calls, live and replayed with new ids, in both forms', async () => {
    const openai = client('tools');
    const body = { model, messages: messages('Where is order 4711?'), tools, tool_choice: 'required' as const };
    const live = await openai.chat.completions.create(body).withResponse();
    const replayed = await openai.chat.completions.create(body).withResponse();
    const [a, b] = [live.data.choices[0]?.message.tool_calls?.[0], replayed.data.choices[0]?.message.tool_calls?.[0]];
    if (a?.type !== 'function' || b?.type !== 'function') throw new Error('no tool call');
    expect(replayed.response.headers.get('x-cache')).toBe('hit-exact');
    expect(b.function).toEqual(a.function);
    expect(() => JSON.parse(b.function.arguments) as unknown).not.toThrow();
    expect(b.id).not.toBe(a.id);
    const streamed = await openai.chat.completions.stream(body).finalChatCompletion();
    const c = streamed.choices[0]?.message.tool_calls?.[0];
    expect(c?.type === 'function' && c.function.arguments).toBe(a.function.arguments);
  });

  it('gets embeddings and models', async () => {
    const openai = client('embeddings');
    const ask = () => openai.embeddings.create({ model: 'demo-embedding', input: ['one', 'two'] }).withResponse();
    const [first, second] = [await ask(), await ask()];
    expect(first.response.headers.get('x-cache')).toBe('miss');
    expect(second.response.headers.get('x-cache')).toBe('hit-exact');
    expect(second.data.data).toEqual(first.data.data);
    expect((await openai.models.list()).data.length).toBeGreaterThan(0);
  });

  it('gets the errors of the upstream as they are', async () => {
    const openai = client('errors');
    await expect(openai.chat.completions.create({ model, messages: [] })).rejects.toMatchObject({ status: 400 });
  });
});
