import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_FINGERPRINT } from './demo-answer.js';
import { startDemoServer, type DemoServer } from './demo-server.js';
import { answerFor } from './help-desk/ground-truth.js';

describe('demo server through the official client', () => {
  let server: DemoServer;
  let client: OpenAI;
  const messages = [{ role: 'user' as const, content: 'How do I reset my password?' }];

  beforeAll(async () => {
    server = await startDemoServer();
    client = new OpenAI({ baseURL: server.url, apiKey: 'any', maxRetries: 0 });
  });
  afterAll(() => server.close());

  it('answers as JSON and says what it is', async () => {
    const answer = await client.chat.completions.create({ model: 'reprise-demo', messages });
    expect(answer.choices[0]?.message.content).toBe(answerFor(messages).text);
    expect(answer.system_fingerprint).toBe(DEMO_FINGERPRINT);
    expect(answer.usage?.total_tokens).toBeGreaterThan(20);
  });

  it('streams the same answer with usage when asked', async () => {
    const stream = client.chat.completions.stream({
      model: 'reprise-demo',
      messages,
      stream_options: { include_usage: true },
    });
    const answer = await stream.finalChatCompletion();
    expect(answer.choices[0]?.message.content).toBe(answerFor(messages).text);
    expect(answer.choices[0]?.finish_reason).toBe('stop');
    expect((await stream.totalUsage()).completion_tokens).toBeGreaterThan(10);
  });

  it('calls a tool with the entities of the text and answers from its result', async () => {
    const tools = [
      {
        type: 'function' as const,
        function: {
          name: 'order_status',
          description: 'Status of an order',
          parameters: { type: 'object', properties: { order_number: { type: 'string' } } },
        },
      },
    ];
    const ask = { role: 'user' as const, content: 'Where is order 48213?' };
    const first = await client.chat.completions.create({ model: 'reprise-demo', messages: [ask], tools });
    const message = first.choices[0]?.message;
    const call = message?.tool_calls?.[0];
    expect(call?.type === 'function' ? JSON.parse(call.function.arguments) : undefined).toEqual({
      order_number: '48213',
    });
    const answers = await Promise.all(
      ['at the depot', 'delivered'].map((content) =>
        client.chat.completions.create({
          model: 'reprise-demo',
          messages: [ask, message!, { role: 'tool', tool_call_id: call!.id, content }],
          tools,
        }),
      ),
    );
    const [depot, delivered] = answers.map((answer) => answer.choices[0]?.message.content);
    expect(depot).toContain('at the depot');
    expect(delivered).toContain('delivered');
  });

  it('streams tool calls that the client puts together', async () => {
    const stream = client.chat.completions.stream({
      model: 'reprise-demo',
      messages: [{ role: 'user', content: 'Please check the price of the Lumo desk lamp.' }],
      tools: [
        {
          type: 'function',
          function: { name: 'price_of', parameters: { type: 'object', properties: { product: { type: 'string' } } } },
        },
      ],
    });
    const answer = await stream.finalChatCompletion();
    const call = answer.choices[0]?.message.tool_calls?.[0];
    expect(call?.type === 'function' ? call.function.arguments : '').toBe('{"product":"Lumo desk lamp"}');
  });

  it('honours n, max_tokens, stop and JSON output', async () => {
    const several = await client.chat.completions.create({ model: 'reprise-demo', messages, n: 3 });
    expect(several.choices.map((choice) => choice.index)).toEqual([0, 1, 2]);
    const short = await client.chat.completions.create({ model: 'reprise-demo', messages, max_tokens: 5 });
    expect([short.choices[0]?.finish_reason, short.usage?.completion_tokens]).toEqual(['length', 5]);
    const stopped = await client.chat.completions.create({ model: 'reprise-demo', messages, stop: ['password'] });
    expect(stopped.choices[0]?.message.content).not.toContain('password');
    const format = { type: 'json_object' as const };
    const json = await client.chat.completions.create({ model: 'reprise-demo', messages, response_format: format });
    expect(JSON.parse(json.choices[0]?.message.content ?? '')).toEqual({ answer: answerFor(messages).text });
  });

  it('gives equal vectors for equal texts in both encodings', async () => {
    const input = ['kettle in red', 'kettle in red', 'opening hours'];
    const base64 = await client.embeddings.create({ model: 'demo', input });
    const float = await client.embeddings.create({ model: 'demo', input, encoding_format: 'float', dimensions: 64 });
    expect(base64.data[0]?.embedding).toEqual(base64.data[1]?.embedding);
    expect(base64.data[0]?.embedding).not.toEqual(base64.data[2]?.embedding);
    expect([base64.data[0]?.embedding.length, float.data[0]?.embedding.length]).toEqual([256, 64]);
  });

  it('lists models and refuses what a provider refuses', async () => {
    const models = await client.models.list();
    expect(models.data.map((model) => model.id)).toContain('reprise-demo');
    await expect(client.chat.completions.create({ model: 'reprise-demo', messages: [] })).rejects.toMatchObject({
      status: 400,
      param: 'messages',
    });
    await expect(client.chat.completions.create({ model: 'demo-fault-status-429', messages })).rejects.toMatchObject({
      status: 429,
    });
  });
});
