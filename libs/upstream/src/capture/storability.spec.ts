import { describe, expect, it } from 'vitest';
import type { CapturedAnswer } from './captured-answer.js';
import { fromJsonCompletion } from './json-completion.js';
import { storability } from './storability.js';

function completion(message: object, finish: string | null = 'stop', extra: object = {}): CapturedAnswer {
  const full = { role: 'assistant', content: null, refusal: null, ...message };
  return fromJsonCompletion({ choices: [{ index: 0, message: full, finish_reason: finish }], ...extra });
}
const good = completion({ content: 'The shop opens at nine.' });
const call = (args: string, name = 'f') => ({
  tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: args } }],
});

describe('storability', () => {
  it('lets a plain whole answer into the semantic tier', () => {
    expect(storability(good, 200, {})).toEqual({ store: true, tier: 'semantic' });
    expect(storability({ ...good, form: 'sse' }, 200, {})).toEqual({ store: true, tier: 'semantic' });
  });

  it.each([201, 204, 206, 301, 400, 401, 404, 429, 500, 503])('refuses status %i', (status) => {
    expect(storability(good, status, {})).toEqual({ store: false, reason: 'status' });
  });

  it.each([
    ['an error object', fromJsonCompletion({ error: { message: 'overloaded' } })],
    ['an error beside choices', completion({ content: 'x' }, 'stop', { error: { code: 1 } })],
    ['a text body', fromJsonCompletion('Bad gateway')],
    ['a list', fromJsonCompletion([])],
    ['nothing', fromJsonCompletion(undefined)],
  ])('refuses 200 with %s', (_, captured) => {
    expect(storability(captured, 200, {})).toEqual({ store: false, reason: 'error-body' });
  });

  it.each([
    ['no choices', fromJsonCompletion({ choices: [] })],
    ['null choices', fromJsonCompletion({ choices: null })],
    ['null content', completion({})],
    ['empty content', completion({ content: '' })],
    ['what nobody can see', completion({ content: ' \n\u200b\u2060\ufeff\u00a0\u3164' })],
    ['blank content', completion({ content: ' \n\t\u3000' })],
    ['reasoning only', completion({ content: '', reasoning_content: 'hm' })],
    ['an empty list of calls', completion({ tool_calls: [] }, 'tool_calls')],
  ])('refuses %s as empty', (_, captured) => {
    expect(storability(captured, 200, {})).toEqual({ store: false, reason: 'empty' });
  });

  it.each([
    { refusal: 'No.' },
    { content: "I'm sorry, but I can't help with that." },
    { content: 'I’m sorry, I cannot assist with this request.' },
    { content: 'I cannot help with that.' },
    { content: 'As an AI language model, I cannot do so.' },
    { content: 'Es tut mir leid, aber dabei kann ich nicht helfen.' },
    { content: 'Tut mir leid, das kann ich nicht beantworten.' },
    { content: 'Je suis désolé, mais je ne peux pas vous aider.' },
    { content: 'Lo siento, pero no puedo ayudar con eso.' },
    { content: 'Mi dispiace, ma non posso aiutarti.' },
    { content: 'Desculpe, mas não posso ajudar com isso.' },
  ])('refuses a refusal: %j', (message) => {
    expect(storability(completion(message), 200, {})).toEqual({ store: false, reason: 'refusal' });
  });

  it.each([
    'Sorry, we cannot ship furniture to islands. Smaller parcels are fine.',
    'I am sorry to hear that! Please send two photos of the box.',
    'Es tut mir leid, dass die Lampe defekt ist. Wir ersetzen sie.',
    'Unfortunately the kettle is sold out until May.',
    'I cannot help laughing is an idiom: it means that one laughs without wanting to.',
  ])('does not take an answer for a refusal: %s', (content) => {
    expect(storability(completion({ content }), 200, {})).toEqual({ store: true, tier: 'semantic' });
  });

  it('refuses filtered, broken, unfinished and unknown endings', () => {
    expect(storability(completion({ content: 'x' }, 'content_filter'), 200, {})).toMatchObject({
      reason: 'content-filter',
    });
    expect(storability({ ...good, form: 'sse', complete: false }, 200, {})).toMatchObject({ reason: 'broken-stream' });
    expect(storability(completion({ content: 'x' }, null), 200, {})).toMatchObject({ reason: 'truncated' });
    expect(storability(completion({ content: 'x' }, 'error'), 200, {})).toMatchObject({ reason: 'unknown-finish' });
    expect(storability({ ...good, choices: 2 }, 200, {})).toMatchObject({ reason: 'several-choices' });
    expect(storability({ ...good, tooLarge: true, complete: false, choices: 0 }, 200, {})).toMatchObject({
      reason: 'too-large',
    });
    expect(storability(completion({ audio: { id: 'a' } }), 200, {})).toMatchObject({ reason: 'media' });
  });

  it('keeps an answer cut by length to the exact tier, and nothing that cannot be whole', () => {
    expect(storability(completion({ content: 'The shop' }, 'length'), 200, {})).toEqual({ store: true, tier: 'exact' });
    expect(storability(completion({ content: '' }, 'length'), 200, {})).toMatchObject({ reason: 'empty' });
    expect(storability(completion(call('{"a":1}'), 'length'), 200, {})).toMatchObject({ reason: 'truncated' });
    const json = { response_format: { type: 'json_object' } };
    expect(storability(completion({ content: '{}' }, 'length'), 200, json)).toMatchObject({ reason: 'truncated' });
  });

  it.each([['{"order":"48213"}'], ['{}'], ['[1]']])('keeps a tool call with arguments %s to the exact tier', (args) => {
    expect(storability(completion(call(args), 'tool_calls'), 200, {})).toEqual({ store: true, tier: 'exact' });
    expect(storability(completion({ content: 'Let me see.', ...call(args) }), 200, {})).toEqual({
      store: true,
      tier: 'exact',
    });
    const legacy = { function_call: { name: 'f', arguments: args } };
    expect(storability(completion(legacy, 'function_call'), 200, {})).toEqual({ store: true, tier: 'exact' });
  });

  it.each([['{"order": '], [''], ['order=1'], ["{'a': 1}"], ['{"a":1}{"b":2}']])(
    'refuses tool arguments %j',
    (args) => {
      const captured = completion(call(args), 'tool_calls');
      expect(storability(captured, 200, {})).toEqual({ store: false, reason: 'invalid-tool-arguments' });
      const legacy = completion({ function_call: { name: 'f', arguments: args } }, 'function_call');
      expect(storability(legacy, 200, {})).toEqual({ store: false, reason: 'invalid-tool-arguments' });
    },
  );

  it('refuses a call without a name and text where JSON was asked for', () => {
    expect(storability(completion(call('{}', ''), 'tool_calls'), 200, {})).toMatchObject({
      reason: 'invalid-tool-arguments',
    });
    const format = { response_format: { type: 'json_schema', json_schema: {} } };
    expect(storability(good, 200, format)).toEqual({ store: false, reason: 'invalid-json' });
    expect(storability(completion({ content: '{"a":1}' }), 200, format)).toEqual({ store: true, tier: 'semantic' });
  });
});
