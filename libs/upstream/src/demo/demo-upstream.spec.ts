import { Readable } from 'node:stream';
import { buffer, json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { CapturedAnswer } from '../capture/captured-answer.js';
import { SseCapture } from '../capture/chat-completion-assembler.js';
import { fromJsonCompletion } from '../capture/json-completion.js';
import { storability, type Storability } from '../capture/storability.js';
import { UpstreamError } from '../openai/upstream-error.js';
import type { DemoClock } from './demo-clock.js';
import type { DemoFault } from './demo-faults.js';
import { demoTokens } from './demo-tokens.js';
import { createDemoUpstream, type DemoUpstream } from './demo-upstream.js';
import { answerFor } from './help-desk/ground-truth.js';

/** A clock that only counts how long it would have slept. */
function countingClock(): DemoClock & { sleptMs: number } {
  const clock = {
    sleptMs: 0,
    nowMs: () => 1_800_000_000_000,
    sleep: async (ms: number, signal: AbortSignal) => {
      signal.throwIfAborted();
      clock.sleptMs += ms;
    },
  };
  return clock;
}

const messages = [{ role: 'user', content: 'How do I reset my password?' }];
const instant = { latency: { firstTokenMs: 0, tokensPerSecond: 0 } };

function ask(demo: DemoUpstream, body: object, signal = new AbortController().signal) {
  const bytes = Buffer.from(JSON.stringify({ model: 'reprise-demo', messages, ...body }));
  return demo.send({ method: 'POST', path: '/v1/chat/completions', headers: {}, body: bytes, signal });
}

async function captured(demo: DemoUpstream, body: object): Promise<{ answer: CapturedAnswer; status: number }> {
  const reply = await ask(demo, body);
  if (reply.headers['content-type'] !== 'text/event-stream; charset=utf-8') {
    return { answer: fromJsonCompletion(await json(reply.body)), status: reply.status };
  }
  const sse = new SseCapture();
  try {
    for await (const part of reply.body) sse.push(part as Uint8Array);
  } catch (error) {
    expect(error).toBeInstanceOf(UpstreamError);
  }
  return { answer: sse.finish(), status: reply.status };
}

describe('createDemoUpstream', () => {
  it('says the same in both forms, with the same usage, and what it is', async () => {
    const demo = createDemoUpstream(instant);
    const whole = await captured(demo, {});
    const stream = await captured(demo, { stream: true, stream_options: { include_usage: true } });
    expect({ ...stream.answer, form: 'json' }).toEqual(whole.answer);
    expect(whole.answer).toMatchObject({ message: { content: answerFor(messages).text }, complete: true });
    expect(whole.answer.systemFingerprint).toBe('reprise-demo');
    expect(whole.answer.usage?.completion_tokens).toBe(demoTokens(answerFor(messages).text).length);
  });

  it('gives every response an id of its own and the time of its clock', async () => {
    const demo = createDemoUpstream({ ...instant, clock: countingClock() });
    const bodies = await Promise.all([ask(demo, {}), ask(demo, {})].map(async (reply) => json((await reply).body)));
    const ids = new Set(bodies.map((body) => (body as { id: string }).id));
    expect(ids.size).toBe(2);
    expect(bodies[0]).toMatchObject({ created: 1_800_000_000 });
  });

  it.each([false, true])('takes as long as its latency says (stream: %s)', async (stream) => {
    const clock = countingClock();
    const demo = createDemoUpstream({ latency: { firstTokenMs: 300, tokensPerSecond: 100 }, clock });
    const { answer } = await captured(demo, { stream, stream_options: { include_usage: true } });
    const tokensMs = (answer.usage?.completion_tokens ?? 0) * 10;
    expect(clock.sleptMs).toBeGreaterThan(300 + tokensMs * 0.5);
    expect(clock.sleptMs).toBeLessThan(300 + tokensMs * 2);
  });

  it('reads a streamed body and refuses what is not a chat request', async () => {
    const demo = createDemoUpstream(instant);
    const send = (text: string) =>
      demo.send({
        method: 'POST',
        path: '/v1/chat/completions',
        headers: {},
        body: Readable.from([Buffer.from(text.slice(0, 5)), Buffer.from(text.slice(5))]),
        signal: new AbortController().signal,
      });
    expect((await send(JSON.stringify({ model: 'm', messages }))).status).toBe(200);
    const bad = [
      '{"model":',
      '[]',
      '{}',
      '{"model":"m","messages":[1]}',
      '{"model":"m","messages":[{"role":"user"}],"n":0}',
    ];
    for (const text of bad) {
      const reply = await send(text);
      expect([text, reply.status]).toEqual([text, 400]);
      expect(await json(reply.body)).toMatchObject({ error: { type: 'invalid_request_error' } });
    }
  });

  it('ends with the caller: before the answer and inside the stream', async () => {
    const demo = createDemoUpstream({ latency: { firstTokenMs: 60_000, tokensPerSecond: 0 } });
    const early = new AbortController();
    const waiting = ask(demo, {}, early.signal);
    early.abort();
    await expect(waiting).rejects.toMatchObject({ aborted: true });
    const late = new AbortController();
    const slow = createDemoUpstream({ latency: { firstTokenMs: 0, tokensPerSecond: 0.01 } });
    const reply = await ask(slow, { stream: true }, late.signal);
    reply.body.once('data', () => late.abort());
    await expect(buffer(reply.body)).rejects.toMatchObject({ aborted: true });
    expect([demo.stats().aborted, slow.stats().aborted]).toEqual([1, 1]);
  });

  it('makes no more of a stream than the reader takes', async () => {
    const clock = countingClock();
    const demo = createDemoUpstream({ latency: { firstTokenMs: 0, tokensPerSecond: 1_000 }, clock });
    const long = [{ role: 'tool', content: 'x'.repeat(100_000) }];
    const reply = await ask(demo, { stream: true, n: 16, messages: long });
    await new Promise((resolve) => reply.body.once('readable', resolve));
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const unread = clock.sleptMs;
    await buffer(reply.body);
    expect(unread).toBeLessThan(clock.sleptMs / 2);
  });
});

describe('faults of the demo', () => {
  const reasons: [DemoFault, boolean, Storability][] = [
    ['status-500', false, { store: false, reason: 'status' }],
    ['status-429', true, { store: false, reason: 'status' }],
    ['error-200', false, { store: false, reason: 'error-body' }],
    ['error-event', true, { store: false, reason: 'error-body' }],
    ['no-choices', false, { store: false, reason: 'empty' }],
    ['empty', false, { store: false, reason: 'empty' }],
    ['empty', true, { store: false, reason: 'empty' }],
    ['refusal', false, { store: false, reason: 'refusal' }],
    ['refusal', true, { store: false, reason: 'refusal' }],
    ['content-filter', true, { store: false, reason: 'content-filter' }],
    ['length', false, { store: true, tier: 'exact' }],
    ['length', true, { store: true, tier: 'exact' }],
    ['bad-arguments', false, { store: false, reason: 'invalid-tool-arguments' }],
    ['bad-arguments', true, { store: false, reason: 'invalid-tool-arguments' }],
    ['broken-stream', true, { store: false, reason: 'broken-stream' }],
    ['no-done', true, { store: false, reason: 'broken-stream' }],
  ];

  it.each(reasons)('%s (stream: %s) is judged %j', async (fault, stream, expected) => {
    const demo = createDemoUpstream({ ...instant, faults: true });
    const { answer, status } = await captured(demo, { model: `demo-fault-${fault}`, stream });
    expect(storability(answer, status, {})).toEqual(expected);
  });

  it('are off unless allowed', async () => {
    const { answer, status } = await captured(createDemoUpstream(instant), { model: 'demo-fault-status-500' });
    expect(storability(answer, status, {})).toEqual({ store: true, tier: 'semantic' });
  });
});
