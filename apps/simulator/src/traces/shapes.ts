import { type ChatRequest, type ChatTurn, textOf } from '@reprise/semantic-cache';
import { z } from 'zod';
import type { Skipped, TraceRecord, TraceReply } from './trace.types.js';

/** Shapes of logs that can be read. */
export const shapeNames = ['openai', 'litellm', 'langfuse'] as const;
export type ShapeName = (typeof shapeNames)[number];

type Json = Readonly<Record<string, unknown>>;

const turn = z.looseObject({ role: z.string() });
const turns = z.array(turn).min(1);
const chatRequest = z.looseObject({ model: z.string().default('unknown'), messages: turns });
const count = z.number().int().nonnegative();
const usage = z.looseObject({
  prompt_tokens: count.nullish(),
  completion_tokens: count.nullish(),
  // Langfuse
  input: count.nullish(),
  output: count.nullish(),
});
const choice = z.looseObject({ message: turn, finish_reason: z.string().nullish() });
const completion = z.looseObject({ choices: z.array(choice).min(1), usage: usage.nullish() });

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Milliseconds since 1970 of a number (s or ms) or a date; undefined for what is neither. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value < 1e11 ? value * 1000 : value;
  if (typeof value !== 'string') return undefined;
  const parsed = Date.parse(value);
  return Number.isNaN(parsed) ? undefined : parsed;
}

const estimate = (characters: number): number => Math.ceil(characters / 4);

/** What came back: a completion of the API, a message, or its bare text. */
function replyOf(given: unknown, request: ChatRequest, counts: unknown): TraceReply | undefined {
  const parsed = completion.safeParse(given);
  const first = parsed.success ? parsed.data.choices[0] : undefined;
  const message =
    first?.message ?? (isObject(given) ? turn.safeParse({ role: 'assistant', ...given }).data : undefined);
  const bare = text(given);
  const said =
    (message as ChatTurn | undefined) ?? (bare === undefined ? undefined : { role: 'assistant', content: bare });
  if (said === undefined || (textOf(said) === undefined && said['tool_calls'] === undefined)) return undefined;
  const use = usage.safeParse((parsed.success ? parsed.data.usage : undefined) ?? counts).data;
  const [prompt, completed] = [use?.prompt_tokens ?? use?.input, use?.completion_tokens ?? use?.output];
  const counted = typeof prompt === 'number' && typeof completed === 'number';
  return {
    message: said,
    finishReason: first?.finish_reason ?? 'stop',
    promptTokens: prompt ?? estimate(JSON.stringify(request.messages).length),
    completionTokens: completed ?? estimate((textOf(said) ?? '').length),
    counted,
  };
}

/** A judge's label or a reference answer of a line, as what two requests must agree in. */
function truthOf(line: Json): string | undefined {
  const { label, reference } = line;
  if (typeof label === 'string' || typeof label === 'number') return `label ${label}`;
  return typeof reference === 'string' ? `reference ${reference.trim().replace(/\s+/g, ' ')}` : undefined;
}

interface Parts {
  readonly line: Json;
  readonly id: unknown;
  readonly time: unknown;
  readonly request: unknown;
  readonly response: unknown;
  readonly usage?: unknown;
  readonly user?: unknown;
  readonly conversation?: unknown;
}

function recordOf(parts: Parts, number: number): TraceRecord | Skipped {
  const parsed = chatRequest.safeParse(parts.request);
  if (!parsed.success) return { skipped: 'no chat request' };
  const request = parsed.data as ChatRequest;
  const reply = replyOf(parts.response, request, parts.usage);
  if (reply === undefined) return { skipped: 'no answer' };
  const timeMs = timeOf(parts.time);
  const conversation = text(parts.conversation);
  const truth = truthOf(parts.line);
  return {
    id: text(parts.id) ?? `line ${number}`,
    ...(timeMs === undefined ? {} : { timeMs }),
    request,
    reply,
    user: text(parts.user) ?? text(request['user']) ?? '',
    ...(conversation === undefined ? {} : { conversation }),
    ...(truth === undefined ? {} : { truth }),
  };
}

/** `{request, response}` as a gateway logs them, also `{body, response: {body}}` and a request with its `response` in it. */
function fromOpenAi(line: Json, number: number): TraceRecord | Skipped {
  const { request, body, response, choices, usage: counts, label: _label, reference: _reference, ...rest } = line;
  const inner = isObject(response) && isObject(response['body']) ? response['body'] : response;
  const { id, time, timestamp, conversation, user, ...flat } = rest;
  return recordOf(
    {
      line,
      id: id ?? line['custom_id'] ?? (isObject(inner) ? inner['id'] : undefined),
      time: time ?? timestamp ?? (isObject(inner) ? inner['created'] : undefined),
      request: request ?? body ?? flat,
      response: inner ?? (choices === undefined ? undefined : { choices, usage: counts }),
      usage: counts,
      user,
      conversation,
    },
    number,
  );
}

/** LiteLLM's standard logging payload, and the rows of its spend log. */
function fromLiteLlm(line: Json, number: number): TraceRecord | Skipped {
  if (line['status'] === 'failure') return { skipped: 'a failed call' };
  const kind = text(line['call_type']);
  if (kind !== undefined && !/completion$/.test(kind)) return { skipped: `a call of type ${kind}` };
  const parameters = isObject(line['model_parameters']) ? line['model_parameters'] : {};
  const { stream: _stream, user: _user, ...rest } = parameters;
  return recordOf(
    {
      line,
      id: line['id'] ?? line['request_id'],
      time: line['startTime'],
      request: { ...rest, model: line['model'], messages: line['messages'] },
      response: line['response'],
      usage: line,
      user: line['end_user'],
      conversation: line['trace_id'] ?? line['session_id'],
    },
    number,
  );
}

/** Langfuse's export of observations: generations with their input and output. */
function fromLangfuse(line: Json, number: number): TraceRecord | Skipped {
  const type = text(line['type']);
  if (type !== 'GENERATION') return { skipped: `an observation of type ${type ?? 'unknown'}` };
  if (line['level'] === 'ERROR') return { skipped: 'a failed call' };
  const input = line['input'];
  const messages = Array.isArray(input)
    ? input
    : isObject(input)
      ? input['messages']
      : text(input) && [{ role: 'user', content: input }];
  const parameters = isObject(line['modelParameters']) ? line['modelParameters'] : {};
  return recordOf(
    {
      line,
      id: line['id'],
      time: line['startTime'],
      request: { ...parameters, model: line['model'] ?? undefined, messages },
      response: line['output'],
      usage: line['usageDetails'] ?? line['usage'],
      user: line['userId'],
      conversation: line['sessionId'],
    },
    number,
  );
}

const readers: Readonly<Record<ShapeName, (line: Json, number: number) => TraceRecord | Skipped>> = {
  openai: fromOpenAi,
  litellm: fromLiteLlm,
  langfuse: fromLangfuse,
};

/** The shape of a line by the members that only it has. */
export function shapeOf(line: Json): ShapeName {
  if ('traceId' in line || 'modelParameters' in line) return 'langfuse';
  if ('call_type' in line || 'model_parameters' in line || ('startTime' in line && 'messages' in line))
    return 'litellm';
  return 'openai';
}

/** One line of a log as an exchange, or why it is none. */
export function readShape(line: Json, number: number, shape: ShapeName | 'auto' = 'auto'): TraceRecord | Skipped {
  return readers[shape === 'auto' ? shapeOf(line) : shape](line, number);
}

/** An exchange as a line of our own trace format, which is the OpenAI shape. */
export function traceLine({ id, timeMs, request, reply, user, conversation, truth }: TraceRecord): string {
  const [kind, ...rest] = (truth ?? '').split(' ');
  const { promptTokens: prompt_tokens, completionTokens: completion_tokens, counted } = reply;
  const line = {
    id,
    ...(timeMs === undefined ? {} : { time: new Date(timeMs).toISOString() }),
    ...(user === '' ? {} : { user }),
    ...(conversation === undefined ? {} : { conversation }),
    ...(truth === undefined ? {} : { [kind as string]: rest.join(' ') }),
    request,
    response: {
      choices: [{ message: reply.message, finish_reason: reply.finishReason }],
      ...(counted ? { usage: { prompt_tokens, completion_tokens } } : {}),
    },
  };
  return `${JSON.stringify(line)}\n`;
}
