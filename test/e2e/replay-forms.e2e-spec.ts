import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, startDemoServer } from '@reprise/upstream';
import { ask, chat, ownSpace } from './support/chat.js';
import { type GatewayProcess, startGateway } from './support/process.js';
import { patient } from './support/suite.js';
import { startSwitch, type SwitchUpstream, type Trick } from './support/switch-upstream.js';

/** Case 23 with answers that hold more than text: what was stored in one form says the same in the other. */
let demo: DemoServer;
let upstream: SwitchUpstream;
let gateway: GatewayProcess;
beforeAll(async () => {
  demo = await startDemoServer(0);
  upstream = await startSwitch(demo.url);
  gateway = await startGateway({ REDIS_URL: process.env['TEST_REDIS_URL'], OPENAI_BASE_URL: upstream.url, ...patient });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  await demo.close();
});

interface Said {
  readonly message: Record<string, unknown>;
  readonly finish: string;
  readonly logprobs?: object;
}
const usage = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  completion_tokens_details: { reasoning_tokens: 3 },
};
const head = { id: 'theirs', created: 5, model: 'm-2026', system_fingerprint: 'fp_1', service_tier: 'default' };

const asJson = ({ message, finish, logprobs }: Said): string =>
  JSON.stringify({
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', ...message },
        finish_reason: finish,
        ...(logprobs ? { logprobs } : {}),
      },
    ],
    usage,
  });

/** The same as a stream, texts and arguments cut into pieces, also between the halves of an emoji's surrogates. */
function asStream({ message, finish, logprobs }: Said): string {
  const chunk = (delta: object, more: object = {}): string =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;
  const pieces = (text: string): string[] => text.match(/[^]{1,5}/g) ?? [];
  const out = [chunk({ role: 'assistant', content: message['content'] === null ? null : '' })];
  for (const field of ['reasoning_content', 'content', 'refusal'])
    for (const piece of typeof message[field] === 'string' ? pieces(message[field]) : [])
      out.push(chunk({ [field]: piece }));
  const calls = (message['tool_calls'] ?? []) as { id: string; function: { name: string; arguments: string } }[];
  for (const [index, call] of calls.entries()) {
    const { name, arguments: args } = call.function;
    out.push(chunk({ tool_calls: [{ index, id: call.id, type: 'function', function: { name, arguments: '' } }] }));
    for (const piece of pieces(args)) out.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  if (logprobs !== undefined) out.push(chunk({}, { logprobs }));
  out.push(chunk({}, { finish_reason: finish }));
  out.push(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], usage })}\n\n`);
  return `${out.join('')}data: [DONE]\n\n`;
}

const call = (at: number, args: object) => ({
  id: `call_${at}`,
  type: 'function',
  function: { name: `tool_${at}`, arguments: JSON.stringify(args) },
});
const said: [string, Said][] = [
  [
    'reasoning, English',
    { message: { reasoning_content: 'They ask for hours.', content: 'From nine to six.' }, finish: 'stop' },
  ],
  [
    'reasoning, Japanese',
    { message: { reasoning_content: '営業時間の質問だ。', content: '九時から六時までです。' }, finish: 'stop' },
  ],
  ['emoji and right to left', { message: { content: 'مفتوح 👩‍👩‍👧‍👦 من التاسعة 🇳🇴!' }, finish: 'stop' }],
  [
    'two calls',
    {
      message: { content: null, tool_calls: [call(0, { город: 'Осло', n: 1 }), call(1, { q: '"\\\n', deep: [[{}]] })] },
      finish: 'tool_calls',
    },
  ],
  ['text and a call', { message: { content: 'Ich sehe nach.', tool_calls: [call(0, {})] }, finish: 'tool_calls' }],
  [
    'log-probabilities',
    {
      message: { content: 'Yes.' },
      finish: 'stop',
      logprobs: { content: [{ token: 'Yes', logprob: -0.1, bytes: [89], top_logprobs: [] }], refusal: null },
    },
  ],
];

const forms: [string, boolean, boolean][] = [
  ['from JSON to JSON', false, false],
  ['from JSON to a stream', false, true],
  ['from a stream to JSON', true, false],
  ['from a stream to a stream', true, true],
];

/** What an answer says, whatever its form; ids of calls left out. */
async function read(openai: OpenAI, body: OpenAI.ChatCompletionCreateParamsNonStreaming, stream: boolean) {
  if (!stream) {
    const { data, response } = await openai.chat.completions.create(body).withResponse();
    return { cache: response.headers.get('x-cache'), ...essence(data) };
  }
  const { data, response } = await openai.chat.completions
    .create({ ...body, stream: true, stream_options: { include_usage: true } })
    .withResponse();
  const message: Record<string, string> = {};
  const calls: { name: string; arguments: string }[] = [];
  let [finish, total, logprobs]: [unknown, unknown, unknown] = [undefined, undefined, undefined];
  const ids = new Set<string>();
  for await (const chunk of data) {
    ids.add(chunk.id);
    total = chunk.usage ?? total;
    const [choice] = chunk.choices;
    finish = choice?.finish_reason ?? finish;
    logprobs = choice?.logprobs ?? logprobs;
    const delta = (choice?.delta ?? {}) as Record<string, unknown>;
    for (const field of ['content', 'reasoning_content'])
      if (typeof delta[field] === 'string') message[field] = (message[field] ?? '') + delta[field];
    for (const fragment of choice?.delta.tool_calls ?? []) {
      const known = (calls[fragment.index] ??= { name: '', arguments: '' });
      known.name += fragment.function?.name ?? '';
      known.arguments += fragment.function?.arguments ?? '';
    }
  }
  expect(ids.size).toBe(1);
  const { content = '', reasoning_content: reasoning = '' } = message;
  return { cache: response.headers.get('x-cache'), content, reasoning, calls, finish, usage: total, logprobs };
}

function essence(data: OpenAI.ChatCompletion) {
  const [choice] = data.choices;
  const message = (choice?.message ?? {}) as unknown as Record<string, unknown>;
  const calls = (message['tool_calls'] ?? []) as { function: { name: string; arguments: string } }[];
  return {
    content: message['content'] ?? '',
    reasoning: message['reasoning_content'] ?? '',
    calls: calls.map(({ function: { name, arguments: args } }) => ({ name, arguments: args })),
    finish: choice?.finish_reason,
    usage: data.usage,
    logprobs: choice?.logprobs ?? undefined,
  };
}

describe('case 23: an answer that is more than text', () => {
  describe.each(forms)('%s', (_form, from, to) => {
    it.each(said)('%s', async (_name, answer) => {
      const defaultHeaders = ownSpace('forms');
      const openai = new OpenAI({ apiKey: 'k', baseURL: `${gateway.url}/v1`, defaultHeaders, maxRetries: 0 });
      const body = {
        model: 'm',
        messages: [{ role: 'user' as const, content: 'When do you open?' }],
        ...(answer.logprobs === undefined ? {} : { logprobs: true, top_logprobs: 0 }),
      };
      const trick: Trick = (request, response) => {
        request.resume();
        response.writeHead(200, { 'content-type': from ? 'text/event-stream' : 'application/json' });
        response.end(from ? asStream(answer) : asJson(answer));
      };
      upstream.next(trick);
      const { cache: first, ...live } = await read(openai, body, from);
      const { cache: again, ...replayed } = await read(openai, body, to);
      expect([first, again]).toEqual(['miss', 'hit-exact']);
      expect(replayed).toEqual(live);
      const direct = essence(JSON.parse(asJson(answer)) as OpenAI.ChatCompletion);
      expect(replayed).toEqual({ ...direct, content: direct.content });
    });
  });

  it('an empty stream of choices, a comment and an unknown event before it change nothing', async () => {
    const space = ownSpace('forms');
    const text = `: hello\n\nevent: ping\ndata: {"type":"ping"}\n\n${asStream((said[0] as [string, Said])[1])}`;
    upstream.next((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
    });
    expect((await chat(gateway.url, ask('When do you open?', { stream: true }), space)).status).toBe(200);
    const reply = await chat(gateway.url, ask('When do you open?'), space);
    expect([reply.cache, reply.content]).toEqual(['hit-exact', 'From nine to six.']);
  });
});
