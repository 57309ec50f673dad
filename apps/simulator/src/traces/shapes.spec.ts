import { describe, expect, it } from 'vitest';
import { readShape, traceLine } from './shapes.js';
import { isSkipped, type TraceRecord } from './trace.types.js';

const messages = [{ role: 'user', content: 'What is a heron?' }];
const answer = { role: 'assistant', content: 'A bird.' };
const response = {
  id: 'chatcmpl-1',
  created: 1_760_000_000,
  choices: [{ message: answer, finish_reason: 'stop' }],
  usage: { prompt_tokens: 11, completion_tokens: 3 },
};

function read(line: Record<string, unknown>): TraceRecord {
  const outcome = readShape(line, 5);
  if (isSkipped(outcome)) throw new Error(outcome.skipped);
  return outcome;
}

const reason = (line: Record<string, unknown>): string => {
  const outcome = readShape(line, 5);
  return isSkipped(outcome) ? outcome.skipped : 'read';
};

describe('logs of a gateway', () => {
  it('are read as request and response, as batch results, and flat', () => {
    const request = { model: 'm', messages, temperature: 0 };
    const forms = [
      { request, response },
      { custom_id: 'c', body: request, response: { status_code: 200, body: response } },
      { ...request, response },
      { ...request, choices: response.choices, usage: response.usage },
    ];
    for (const form of forms) {
      const { request: asked, reply } = read(form);
      expect(asked).toEqual(request);
      expect(reply).toMatchObject({ message: answer, promptTokens: 11, completionTokens: 3, counted: true });
    }
    expect(read(forms[0] ?? {})).toMatchObject({ id: 'chatcmpl-1', timeMs: 1_760_000_000_000 });
    expect(read(forms[1] ?? {}).id).toBe('c');
  });

  it('without a count of tokens have an estimate, and say so', () => {
    expect(read({ request: { model: 'm', messages }, response: 'A bird.' }).reply).toMatchObject({
      completionTokens: 2,
      counted: false,
    });
  });

  it('keep calls of tools and the reason of the end', () => {
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }],
    };
    const { reply } = read({
      request: { model: 'm', messages },
      response: { choices: [{ message: call, finish_reason: 'tool_calls' }] },
    });
    expect(reply).toMatchObject({ message: call, finishReason: 'tool_calls' });
  });

  it('carry labels and reference answers', () => {
    const line = { request: { model: 'm', messages }, response };
    expect(read({ ...line, label: 3 }).truth).toBe('label 3');
    expect(read({ ...line, reference: ' a  wading bird ' }).truth).toBe('reference a wading bird');
    expect(read(line).truth).toBeUndefined();
  });

  it('without a request or an answer are left out', () => {
    expect(reason({ response })).toBe('no chat request');
    expect(reason({ request: { model: 'm', messages: [] }, response })).toBe('no chat request');
    expect(reason({ request: { model: 'm', messages }, response: { error: 'x' } })).toBe('no answer');
  });
});

describe('LiteLLM', () => {
  const line = {
    id: 'l1',
    call_type: 'acompletion',
    model: 'gpt-4o-mini',
    messages,
    response,
    startTime: 1_760_000_000.5,
    end_user: 'u',
    model_parameters: { temperature: 0.2, stream: true },
    prompt_tokens: 11,
    completion_tokens: 3,
  };

  it('is read with its parameters, user and time', () => {
    expect(read(line)).toMatchObject({
      id: 'l1',
      timeMs: 1_760_000_000_500,
      user: 'u',
      request: { model: 'gpt-4o-mini', messages, temperature: 0.2 },
      reply: { promptTokens: 11, counted: true },
    });
    expect(read(line).request).not.toHaveProperty('stream');
  });

  it('takes counts from the line when the response has none', () => {
    expect(read({ ...line, response: 'A bird.' }).reply).toMatchObject({ promptTokens: 11, completionTokens: 3 });
  });

  it('leaves out failures and other calls', () => {
    expect(reason({ ...line, status: 'failure' })).toBe('a failed call');
    expect(reason({ ...line, call_type: 'aembedding' })).toBe('a call of type aembedding');
  });
});

describe('Langfuse', () => {
  const line = {
    id: 'o1',
    traceId: 't1',
    type: 'GENERATION',
    model: 'gpt-4o-mini',
    modelParameters: { temperature: 0 },
    startTime: '2026-01-02T03:04:05.678Z',
    input: messages,
    output: answer,
    usageDetails: { input: 11, output: 3, total: 14 },
    sessionId: 's1',
  };

  it('is read from generations, whatever form the input has', () => {
    const forms = [line, { ...line, input: { messages } }, { ...line, input: 'What is a heron?', output: 'A bird.' }];
    for (const form of forms) {
      expect(read(form)).toMatchObject({
        id: 'o1',
        timeMs: Date.parse('2026-01-02T03:04:05.678Z'),
        conversation: 's1',
        request: { model: 'gpt-4o-mini', messages, temperature: 0 },
        reply: { message: answer, promptTokens: 11, completionTokens: 3 },
      });
    }
  });

  it('leaves out spans and failures', () => {
    expect(reason({ ...line, type: 'SPAN' })).toBe('an observation of type SPAN');
    expect(reason({ ...line, level: 'ERROR' })).toBe('a failed call');
  });
});

it('a trace line is read as what it was written from', () => {
  const record = read({
    id: 'x',
    user: 'u',
    label: 'a b',
    time: '2026-01-02T03:04:05.678Z',
    request: { model: 'm', messages },
    response,
  });
  expect(read(JSON.parse(traceLine(record)) as Record<string, unknown>)).toEqual(record);
});
