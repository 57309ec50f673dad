import { describe, expect, it } from 'vitest';
import type { ChatRequest } from './chat-request.js';
import { compileMasks, scopeOf } from './scope.js';

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
