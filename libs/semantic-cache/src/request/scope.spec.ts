import { describe, expect, it } from 'vitest';
import type { ChatRequest } from './chat-request.js';
import { compileMasks, historyHash, scopeOf } from './scope.js';

const base: ChatRequest = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'Where is my parcel?' },
  ],
};
const key = (request: ChatRequest): string => scopeOf(request, []).exactKey;
const compat = (request: ChatRequest): string => scopeOf(request, []).compat;
const asks = (content: unknown, more: object = {}): ChatRequest => ({
  ...base,
  messages: [{ role: 'user', content: content as string }],
  ...more,
});

describe('exact key', () => {
  it.each([
    ['composed and decomposed letters', 'Où est le café ?', 'Ou\u0300 est le cafe\u0301 ?'],
    ['line ends', 'one\r\ntwo\rthree', 'one\ntwo\nthree'],
    ['blanks at the end', 'Where is it?', 'Where is it? \t\n'],
    ['a string and a single text part', 'Where is it?', [{ type: 'text', text: 'Where is it?' }]],
    ['Hangul', '한국어', '한국어'.normalize('NFD')],
  ])('is one for %s', (_name, a, b) => {
    expect(key(asks(a))).toBe(key(asks(b)));
  });

  it.each([
    ['leading blanks', 'x', ' x'],
    ['case', 'us', 'US'],
    ['inner blanks', 'a b', 'a  b'],
    ['compatibility characters', '①', '1'],
    ['empty and blank line inside', 'a\nb', 'a\n\nb'],
    ['zero-width characters', 'ab', 'a\u200bb'],
    ['other digits', '5', '٥'],
    ['texts of blanks', ' ', '  '],
    ['nothing and a line feed', '', '\n'],
    ['nothing and no parts', '', []],
    [
      'a text and the same in two parts',
      'a\nb',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    ],
    ['a part that says more', 'a', [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }]],
    ['a part whose text is none', '', [{ type: 'text', text: 5 }]],
  ])('differs for %s', (_name, a, b) => {
    expect(key(asks(a))).not.toBe(key(asks(b)));
  });

  it('does not depend on key order, transport, accounting or null fields', () => {
    const a = asks('x', { temperature: 0, stop: ['a'] });
    const b = {
      stop: ['a'],
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
      user: 'u',
      seed: null,
      ...asks('x'),
    };
    expect(key(a)).toBe(key(b as ChatRequest));
  });

  it.each([
    ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['tool_choice', { tool_choice: 'none' }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['stop', { stop: 'END' }],
    ['seed', { seed: 1 }],
    ['logit_bias', { logit_bias: { 50256: -100 } }],
    ['max_tokens', { max_tokens: 5 }],
    ['temperature', { temperature: 0.2 }],
    ['model', { model: 'other' }],
    ['an unknown field', { brand_new_option: true }],
    ['a field named __proto__', JSON.parse('{"__proto__": {"x": 1}}') as object],
  ])('differs with another %s', (_name, more) => {
    expect(key(asks('x', more))).not.toBe(key(asks('x')));
  });
});

describe('outside of the messages nothing is rewritten', () => {
  it.each([
    ['stop', { stop: ['\n'] }, { stop: ['\n\n'] }],
    ['stop', { stop: 'END' }, { stop: 'END ' }],
    ['tools', { tools: ['a\r\nb'] }, { tools: ['a\nb'] }],
  ])('%s', (_name, a, b) => {
    expect(key(asks('x', a))).not.toBe(key(asks('x', b)));
    expect(compat(asks('x', a))).not.toBe(compat(asks('x', b)));
  });

  it.each([-1, 0, 'many', {}, true])('max_tokens %j is not the same as none', (limit) => {
    expect(compat(asks('x', { max_tokens: limit }))).not.toBe(compat(asks('x')));
  });

  it.each([{ name: 'bob' }, { brand_new_member: 1 }])('a message that also holds %j is of another stratum', (more) => {
    const named = { ...base, messages: [{ role: 'user', content: 'x', ...more }] };
    expect(compat(named)).not.toBe(compat(asks('x')));
    expect(compat(named)).toBe(compat({ ...base, messages: [{ ...more, role: 'user', content: 'y' }] }));
  });
});

const call = (id: string, args = '{}') => ({ id, type: 'function', function: { name: 'f', arguments: args } });

describe('ids of tool calls', () => {
  const run = (ids: readonly [string, string], results: readonly [string, string]) => ({
    ...base,
    messages: [
      { role: 'user', content: 'Look both up.' },
      { role: 'assistant', content: null, tool_calls: [call(ids[0], 'a'), call(ids[1], 'b')] },
      { role: 'tool', tool_call_id: results[0], content: 'first' },
      { role: 'tool', tool_call_id: results[1], content: 'second' },
    ],
  });

  it('are no part of the key, but what they tie together is', () => {
    const own = key(run(['x', 'y'], ['x', 'y']));
    expect(key(run(['call_1', 'call_2'], ['call_1', 'call_2']))).toBe(own);
    expect(key(run(['y', 'x'], ['y', 'x']))).toBe(own);
    expect(key(run(['x', 'y'], ['y', 'x']))).not.toBe(own);
    expect(key(run(['x', 'x'], ['x', 'x']))).not.toBe(own);
    expect(key(run(['x', 'y'], ['x', 'z']))).not.toBe(own);
  });
});

describe('history', () => {
  const turns = (id: string, more: object = {}, args = '{}') => [
    { role: 'user', content: 'Look it up.' },
    { role: 'assistant', content: null, tool_calls: [call(id, args)], ...more },
    { role: 'tool', tool_call_id: id, content: 'found' },
  ];

  it('is one whatever the ids of tool calls, and whether the client sends back what was not said', () => {
    const own = historyHash(turns('call_1'));
    expect(historyHash(turns('call_2'))).toBe(own);
    expect(historyHash(turns('call_1', { refusal: null, annotations: [], reasoning_content: 'hm' }))).toBe(own);
  });

  it('is another after other arguments, another answer or another result', () => {
    const own = historyHash(turns('call_1'));
    expect(historyHash(turns('call_1', {}, '{"a":1}'))).not.toBe(own);
    expect(historyHash(turns('call_1', { content: 'Yes.' }))).not.toBe(own);
    expect(historyHash(turns('call_1').slice(0, 2))).not.toBe(own);
  });
});

describe('compat', () => {
  it('does not depend on the spoken messages', () => {
    expect(compat(asks('x'))).toBe(compat(asks('something else')));
  });

  it.each([
    [
      'system prompt',
      {
        messages: [
          { role: 'system', content: 'Be long.' },
          { role: 'user', content: 'x' },
        ],
      },
    ],
    ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['max_tokens class', { max_tokens: 16 }],
    ['temperature class', { temperature: 0 }],
    ['model', { model: 'other' }],
    ['stop', { stop: ['x'] }],
  ])('differs with another %s', (_name, more) => {
    expect(compat({ ...base, ...more } as ChatRequest)).not.toBe(compat(base));
  });

  it('is one within a class of temperature and of token limits', () => {
    expect(compat({ ...base, temperature: 0.9, max_tokens: 300 })).toBe(
      compat({ ...base, temperature: 0.5, max_tokens: 500 }),
    );
  });
});

describe('volatile masks', () => {
  const masks = compileMasks([{ name: 'clock', pattern: '\\d{2}:\\d{2}:\\d{2}' }]);
  const at = (time: string, role = 'system'): ChatRequest => ({
    model: 'm',
    messages: [
      { role, content: `Now ${time}.` },
      { role: 'user', content: 'x' },
    ],
  });

  it('make system prompts equal that differ in the span only', () => {
    expect(scopeOf(at('10:00:00'), masks)).toEqual(scopeOf(at('11:30:59'), masks));
    expect(scopeOf(at('10:00:00'), [])).not.toEqual(scopeOf(at('11:30:59'), []));
  });

  it('never touch what a user says', () => {
    expect(scopeOf(at('10:00:00', 'user'), masks).exactKey).not.toBe(scopeOf(at('11:30:59', 'user'), masks).exactKey);
  });
});
