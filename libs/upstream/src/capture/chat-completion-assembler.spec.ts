import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeSseData, replayAsJson, replayAsSse } from '../replay/replay.js';
import type { CapturedAnswer, CapturedToolCall } from './captured-answer.js';
import { SseCapture } from './chat-completion-assembler.js';
import { fromJsonCompletion } from './json-completion.js';

function capture(text: string, cuts: readonly number[] = []): CapturedAnswer {
  const bytes = new TextEncoder().encode(text);
  const sse = new SseCapture();
  let start = 0;
  for (const cut of [...cuts.map((at) => at % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    sse.push(bytes.subarray(start, cut));
    start = Math.max(start, cut);
  }
  return sse.finish();
}

const chunk = (delta: object, extra: object = {}): string =>
  encodeSseData({
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: null, ...extra }],
  });
const DONE = 'data: [DONE]\n\n';
const STOP = chunk({}, { finish_reason: 'stop' });

const text = fc.string({ unit: 'grapheme', maxLength: 120 });
const toolCall: fc.Arbitrary<CapturedToolCall> = fc.record({
  id: fc.string({ minLength: 1, maxLength: 8 }).map((id) => `call_${id}`),
  type: fc.constant('function'),
  function: fc.record({ name: fc.string({ minLength: 1, maxLength: 12 }), arguments: fc.json() }),
});
const message = fc.record(
  {
    role: fc.constant('assistant' as const),
    content: fc.oneof(text, fc.constant(null)),
    tool_calls: fc.array(toolCall, { minLength: 1, maxLength: 4 }),
    refusal: text,
    reasoning_content: text,
    annotations: fc.array(fc.record({ type: fc.constant('url_citation'), start: fc.nat() }), {
      minLength: 1,
      maxLength: 2,
    }),
  },
  { requiredKeys: ['role', 'content'] },
);
const usage = fc.record({ prompt_tokens: fc.nat(), completion_tokens: fc.nat(), total_tokens: fc.nat() });
const answer: fc.Arbitrary<CapturedAnswer> = fc.record({
  message,
  finishReason: fc.constantFrom('stop', 'length', 'tool_calls'),
  usage,
  model: fc.string({ minLength: 1 }),
  systemFingerprint: fc.string(),
  choices: fc.constant(1),
  complete: fc.constant(true),
  form: fc.constant('json' as const),
});
const identity = { id: 'chatcmpl-new', createdSeconds: 1, toolCallId: (index: number) => `call_new${index}` };

/** What reading back the JSON form gives: the reference for the stream form. */
function viaJson(stored: CapturedAnswer): CapturedAnswer {
  return fromJsonCompletion(JSON.parse(JSON.stringify(replayAsJson(stored, identity))));
}

/** An empty text and no text are one thing to a stream, which sends no fragment for either. */
function normal(captured: CapturedAnswer): unknown {
  const fields = Object.entries(captured.message).filter(([, value]) => value !== '' && value !== null);
  return { ...captured, form: 'any', message: Object.fromEntries(fields) };
}

describe('ChatCompletionAssembler', () => {
  it('puts a replayed stream together to what the JSON form says, wherever it is cut', () => {
    fc.assert(
      fc.property(
        answer,
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.nat(20_000), { maxLength: 40 }),
        (stored, size, cuts) => {
          const events = [...replayAsSse(stored, identity, { includeUsage: true, fragmentCodePoints: size })].join('');
          expect(normal(capture(events, cuts))).toEqual(normal(viaJson(stored)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('merges interleaved tool-call fragments by index', () => {
    const events = [
      chunk({
        role: 'assistant',
        tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'two', arguments: '{"y"' } }],
      }),
      chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'one', arguments: '' } }] }),
      chunk({
        tool_calls: [
          { index: 0, function: { arguments: '{"x":1}' } },
          { index: 1, function: { arguments: ':2}' } },
        ],
      }),
      chunk({}, { finish_reason: 'tool_calls' }),
      DONE,
    ];
    expect(capture(events.join('')).message.tool_calls).toEqual([
      { id: 'a', type: 'function', function: { name: 'one', arguments: '{"x":1}' } },
      { id: 'b', type: 'function', function: { name: 'two', arguments: '{"y":2}' } },
    ]);
  });

  it('tells calls without index apart by their ids', () => {
    const call = (id: string, args: string) =>
      chunk({ tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: args } }] });
    const rest = chunk({ tool_calls: [{ function: { arguments: '2}' } }] });
    const calls = capture([call('a', '{"n":1}'), call('b', '{"n":'), rest, DONE].join('')).message.tool_calls;
    expect(calls?.map((one) => [one.id, one.function?.arguments])).toEqual([
      ['a', '{"n":1}'],
      ['b', '{"n":2}'],
    ]);
  });

  it('collects reasoning under both names, refusal, logprobs, fingerprint and usage', () => {
    const head = encodeSseData({
      model: 'm',
      system_fingerprint: 'fp',
      service_tier: 'flex',
      choices: [{ index: 0, delta: { role: 'assistant', content: '' } }],
    });
    const events = [
      head,
      chunk({ reasoning_content: 'th' }),
      chunk({ reasoning_content: 'ink', reasoning: 'a' }),
      chunk({ reasoning: 'b', content: 'x' }, { logprobs: { content: [{ token: 'x' }], refusal: null } }),
      chunk({ content: 'y', refusal: null }, { logprobs: { content: [{ token: 'y' }], refusal: null } }),
      STOP,
      encodeSseData({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }),
      DONE,
    ];
    expect(capture(events.join(''))).toMatchObject({
      message: { content: 'xy', reasoning_content: 'think', reasoning: 'ab', refusal: null },
      logprobs: { content: [{ token: 'x' }, { token: 'y' }] },
      model: 'm',
      systemFingerprint: 'fp',
      serviceTier: 'flex',
      usage: { total_tokens: 3 },
      finishReason: 'stop',
      complete: true,
      choices: 1,
    });
  });

  it.each([
    ['without the terminal event', [chunk({ content: 'a' }), STOP]],
    ['without a finish reason', [chunk({ content: 'a' }), DONE]],
    ['with an event that is not JSON', [chunk({ content: 'a' }), 'data: {"choi\n\n', STOP, DONE]],
    ['with an error object inside', [chunk({ content: 'a' }), encodeSseData({ error: { message: 'x' } }), STOP, DONE]],
    ['with an error event', [chunk({ content: 'a' }), 'event: error\ndata: {"message":"x"}\n\n', STOP, DONE]],
    ['cut inside the terminal event', [chunk({ content: 'a' }), STOP, 'data: [DONE]\n']],
    ['without anything', []],
  ])('is incomplete %s', (_, events) => {
    expect(capture(events.join('')).complete).toBe(false);
  });

  it('is incomplete at any proper prefix of a stream', () => {
    const whole = new TextEncoder().encode([chunk({ role: 'assistant', content: 'né ✓' }), STOP, DONE].join(''));
    for (let length = 0; length < whole.length; length += 1) {
      const sse = new SseCapture();
      sse.push(whole.subarray(0, length));
      expect(sse.finish().complete).toBe(false);
    }
  });

  it('counts the choices of a stream and keeps the first', () => {
    const second = encodeSseData({ choices: [{ index: 1, delta: { content: 'other' }, finish_reason: 'stop' }] });
    const captured = capture([second, chunk({ content: 'first' }), STOP, DONE].join(''));
    expect([captured.choices, captured.message.content]).toEqual([2, 'first']);
  });

  it('never throws and never says complete for arbitrary JSON events', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 6 }), (values) => {
        expect(capture(values.map(encodeSseData).join('')).complete).toBe(false);
        for (const value of values) expect(fromJsonCompletion(value).complete).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
