import { describe, expect, it } from 'vitest';
import { ask, chat, model, ownSpace } from './support/chat.js';
import { suite } from './support/suite.js';

const s = suite();
const user = (content: unknown) => ({ role: 'user', content });
const system = (content: string) => ({ role: 'system', content });

/** Stores `a`, then asks `b` in the same space. */
async function second(a: unknown, b: unknown) {
  const space = ownSpace('key');
  const first = await chat(s.url, a, space);
  expect(first.cache, JSON.stringify(a)).toBe('miss');
  return chat(s.url, b, space);
}

const hits = (reply: { cache: string | null }): boolean =>
  reply.cache === 'hit-exact' || reply.cache === 'hit-semantic';

describe('case 6: one exact entry for what is one text', () => {
  it.each([
    ['composed and decomposed French', 'Où est mon café ?', 'Ou\u0300 est mon cafe\u0301 ?'],
    ['composed and decomposed Vietnamese', 'Giờ mở cửa là khi nào?', 'Giờ mở cửa là khi nào?'.normalize('NFD')],
    ['Korean', '배송은 얼마나 걸리나요?', '배송은 얼마나 걸리나요?'.normalize('NFD')],
    ['line ends', 'First line.\r\nSecond line.', 'First line.\nSecond line.'],
    ['blanks at the end', 'When do you open?', 'When do you open?  \n\t'],
    ['a text part', 'When do you open?', [{ type: 'text', text: 'When do you open?' }]],
  ])('%s', async (_name, a, b) => {
    expect((await second(ask(a as string), { model, messages: [user(b)] })).cache).toBe('hit-exact');
  });

  it.each([
    ['inner blanks of code', 'Run:\n```\nif x:\n  y()\n```', 'Run:\n```\nif x:\n    y()\n```'],
    ['circled and plain digits', 'Explain step ①', 'Explain step 1'],
    ['another script', 'Что такое мир?', 'Що таке мир?'],
    ['zero-width joiner', 'Name it: ab', 'Name it: a\u200db'],
  ])('never for different content: %s', async (_name, a, b) => {
    expect((await second(ask(a), ask(b))).cache).not.toBe('hit-exact');
  });
});

describe('case 12: the frame of a conversation', () => {
  const question = 'How do I reset my password?';
  it.each([
    [
      'system prompts',
      { messages: [system('Answer briefly.'), user(question)] },
      { messages: [system('Answer at length.'), user(question)] },
    ],
    [
      'German system prompts',
      { messages: [system('Antworte knapp.'), user(question)] },
      { messages: [system('Antworte höflich.'), user(question)] },
    ],
    ['no system prompt', { messages: [user(question)] }, { messages: [system('Antworte knapp.'), user(question)] }],
    [
      'developer prompts',
      { messages: [{ role: 'developer', content: 'a' }, user(question)] },
      { messages: [{ role: 'developer', content: 'b' }, user(question)] },
    ],
    ['tool lists', { tools: [tool('a')] }, { tools: [tool('b')] }],
    ['tool descriptions', { tools: [tool('a', 'x')] }, { tools: [tool('a', 'y')] }],
  ])('two %s: two entries', async (_name, a, b) => {
    expect(hits(await second(ask(question, a), ask(question, b)))).toBe(false);
  });

  it('the same words in another form under the same prompt may be served', async () => {
    const frame = [system('Answer briefly.')];
    const reply = await second(
      { model, messages: [...frame, user('How do I reset my password?')] },
      { model, messages: [...frame, user('How can I reset my password?')] },
    );
    expect(reply.cache).toBe('hit-semantic');
  });
});

function tool(name: string, description = 'd') {
  return { type: 'function', function: { name, description, parameters: { type: 'object', properties: {} } } };
}

describe('case 14: no reuse across other parameters', () => {
  it.each([
    ['tool_choice', { tools: [tool('a')], tool_choice: 'none' }, { tools: [tool('a')], tool_choice: 'auto' }],
    ['response_format', {}, { response_format: { type: 'text' } }],
    ['stop', { stop: ['###'] }, { stop: ['END'] }],
    ['seed', { seed: 1 }, { seed: 2 }],
    ['logit_bias', {}, { logit_bias: { '42': -100 } }],
    ['max_tokens', { max_tokens: 500 }, { max_tokens: 20 }],
    ['max_completion_tokens', {}, { max_completion_tokens: 20 }],
    ['temperature', { temperature: 0 }, { temperature: 1 }],
    ['model', { model: 'reprise-demo' }, { model: 'reprise-demo-large' }],
    ['an unknown field', {}, { verbosity: 'high' }],
    ['reasoning effort', { reasoning_effort: 'low' }, { reasoning_effort: 'high' }],
  ])('%s', async (_name, a, b) => {
    const reply = await second(ask('How do I change my address?', a), ask('How can I change my address?', b));
    expect(hits(reply), `${reply.cache} ${reply.reason}`).toBe(false);
  });

  const questions = [
    'Wie ändere ich meine Adresse?',
    '¿Cómo cambio mi dirección?',
    '住所を変更するにはどうすればよいですか？',
    'Как изменить адрес?',
    'كيف أغير عنواني؟',
  ];
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['top_p', { top_p: 0.1 }, { top_p: 0.9 }],
    ['presence_penalty', {}, { presence_penalty: 1 }],
    ['frequency_penalty', { frequency_penalty: -1 }, { frequency_penalty: 1 }],
    ['parallel_tool_calls', { tools: [tool('a')] }, { tools: [tool('a')], parallel_tool_calls: false }],
    ['order of tools', { tools: [tool('a'), tool('b')] }, { tools: [tool('b'), tool('a')] }],
    ['a tool that is asked for', { tools: [tool('a')] }, { tools: [tool('a')], tool_choice: 'required' }],
    ['functions', {}, { functions: [{ name: 'f', parameters: {} }] }],
    ['json_object', {}, { response_format: { type: 'json_object' } }],
    ['seed 0', {}, { seed: 0 }],
    ['stop as text', { stop: 'a' }, { stop: 'b' }],
    ['logit_bias of another token', { logit_bias: { '42': 5 } }, { logit_bias: { '43': 5 } }],
    ['max_tokens of the next class', { max_tokens: 63 }, { max_tokens: 64 }],
    ['n', { n: 1 }, { n: 2 }],
    ['prediction', {}, { prediction: { type: 'content', content: 'x' } }],
  ])('%s, the same words in five languages', async (_name, a, b) => {
    for (const question of questions) {
      const space = ownSpace('fields');
      expect((await chat(s.url, ask(question, a), space)).cache).toBe('miss');
      const other = await chat(s.url, ask(question, b), space);
      expect(hits(other), `${question}: ${other.cache} ${other.reason}`).toBe(false);
      expect((await chat(s.url, ask(question, a), space)).cache).toBe('hit-exact');
    }
  });

  it.each<[string, Record<string, unknown>]>([
    ['user', { user: 'anna' }],
    ['metadata', { metadata: { a: '1' } }],
    ['service_tier', { service_tier: 'flex' }],
    ['stream', { stream: true }],
    ['a member that is null', { seed: null, stop: null }],
  ])('%s changes nothing', async (_name, more) => {
    for (const question of questions) {
      const reply = await second(ask(question), ask(question, more));
      expect(reply.cache, question).toBe('hit-exact');
    }
  });

  it('key order and white space of the JSON do not matter', async () => {
    const a = '{"model":"reprise-demo","temperature":0,"messages":[{"role":"user","content":"When do you open?"}]}';
    const b =
      '{ "messages" : [ { "content":"When do you open?", "role":"user" } ],\n "temperature": 0.0, "model" :"reprise-demo" }';
    expect((await second(a, b)).cache).toBe('hit-exact');
  });
});

describe('case 15: log-probabilities and several choices', () => {
  it.each([
    [
      { logprobs: true, top_logprobs: 2 },
      { logprobs: true, top_logprobs: 5 },
    ],
    [{}, { logprobs: true }],
    [{}, { logprobs: true, top_logprobs: 1 }],
  ])('%j then %j misses', async (a, b) => {
    for (const question of ['What is an invoice?', 'Was ist eine Rechnung?', '請求書とは何ですか？'])
      expect(hits(await second(ask(question, a), ask(question, b))), question).toBe(false);
  });

  it('n > 1 is never answered from the cache', async () => {
    const space = ownSpace('n');
    for (const n of [2, 3, 2]) {
      const reply = await chat(s.url, ask('Name a colour.', { n }), space);
      expect([reply.cache, reply.reason]).toEqual(['bypass', 'multiple-choices']);
    }
  });
});

describe('case 13: regenerate', () => {
  it.each([
    ['no-cache', 'Suggest a name for my shop.', false],
    ['max-age=0', 'Suggest a name for my shop.', false],
    ['no-cache', 'Schlag mir einen Namen für meinen Laden vor.', true],
    ['No-Cache, max-age=60', '店の名前を提案してください。', false],
    ['max-age=0', 'اقترح اسما لمتجري.', true],
  ])('%s reaches the upstream and refreshes the entry: %s (stream: %s)', async (directive, question, stream) => {
    const space = ownSpace('regenerate');
    const body = ask(question, { stream });
    await chat(s.url, body, space);
    const before = s.upstream.stats().chat;
    const again = await chat(s.url, body, { ...space, 'cache-control': directive });
    expect(again.cache).toBe('miss');
    expect(s.upstream.stats().chat).toBe(before + 1);
    const after = await chat(s.url, body, space);
    expect(after.cache).toBe('hit-exact');
    expect(s.upstream.stats().chat).toBe(before + 1);
  });
});
