import type { CapturedAnswer, CapturedToolCall, JsonObject } from '../capture/captured-answer.js';
import { isObject } from '../capture/captured-answer.js';
import { fragments } from './fragments.js';

/** What makes a replay a new response; all of it comes from the caller. */
export interface ReplayIdentity {
  /** The new response id, e.g. `chatcmpl-…`. */
  id: string;
  /** Unix time in seconds. */
  createdSeconds: number;
  /** The new id of the tool call at this place. */
  toolCallId: (index: number) => string;
}

export interface ReplayOptions {
  /** `stream_options.include_usage`: a last chunk with the usage and no choices. */
  includeUsage?: boolean;
  /** Code points of text a chunk carries. */
  fragmentCodePoints?: number;
  /** The model name to state where the answer has none. */
  model?: string;
}

export type ReplayChunk = JsonObject;

const DEFAULT_FRAGMENT = 96;
const TEXT_FIELDS = ['reasoning_content', 'reasoning', 'content', 'refusal'];

function envelope(answer: CapturedAnswer, identity: ReplayIdentity, object: string, model?: string): JsonObject {
  return {
    id: identity.id,
    object,
    created: identity.createdSeconds,
    model: answer.model ?? model ?? '',
    ...(answer.serviceTier === undefined ? {} : { service_tier: answer.serviceTier }),
    ...(answer.systemFingerprint === undefined ? {} : { system_fingerprint: answer.systemFingerprint }),
  };
}

function renamed(calls: readonly CapturedToolCall[], identity: ReplayIdentity): CapturedToolCall[] {
  return calls.map((call, index) => ({ ...call, id: identity.toolCallId(index) }));
}

/** The stored answer as a JSON completion with new ids; `usage` as stored. */
export function replayAsJson(
  answer: CapturedAnswer,
  identity: ReplayIdentity,
  options: ReplayOptions = {},
): JsonObject {
  const { tool_calls: calls, ...rest } = answer.message;
  const message: JsonObject = { ...rest, role: 'assistant', content: answer.message.content };
  if (message['refusal'] === undefined) message['refusal'] = null;
  if (calls !== undefined && calls.length > 0) message['tool_calls'] = renamed(calls, identity);
  return {
    ...envelope(answer, identity, 'chat.completion', options.model),
    choices: [{ index: 0, message, logprobs: answer.logprobs ?? null, finish_reason: answer.finishReason }],
    ...(answer.usage === undefined ? {} : { usage: answer.usage }),
  };
}

function* textDeltas(field: string, text: string, size: number): Generator<JsonObject> {
  for (const piece of fragments(text, size)) yield { [field]: piece };
}

function* toolDeltas(call: CapturedToolCall, index: number, size: number): Generator<JsonObject> {
  const target = call.function;
  if (target === undefined) {
    yield { tool_calls: [{ ...call, index }] };
    return;
  }
  yield { tool_calls: [{ ...call, index, function: { ...target, arguments: '' } }] };
  for (const piece of fragments(target.arguments, size)) {
    yield { tool_calls: [{ index, function: { arguments: piece } }] };
  }
}

/** The message as deltas: role, fields that are not text, reasoning, content, refusal, tool calls. */
function* deltas(answer: CapturedAnswer, identity: ReplayIdentity, size: number): Generator<JsonObject> {
  const { tool_calls: calls, role, ...rest } = answer.message;
  const first: JsonObject = { role, content: answer.message.content === null ? null : '' };
  for (const [field, value] of Object.entries(rest)) {
    if (!TEXT_FIELDS.includes(field) || (value !== null && typeof value !== 'string')) first[field] = value;
  }
  if (typeof rest.refusal !== 'string') first['refusal'] = null;
  yield first;
  for (const field of TEXT_FIELDS) {
    const text = rest[field];
    if (typeof text === 'string') yield* textDeltas(field, text, size);
  }
  for (const [index, call] of renamed(calls ?? [], identity).entries()) yield* toolDeltas(call, index, size);
}

/** Log-probabilities belong to the text they came with: then the text is one fragment and carries them all. */
function logprobsChunk(answer: CapturedAnswer, delta: JsonObject): unknown {
  if (!isObject(answer.logprobs)) return undefined;
  const { content, refusal } = delta;
  const carries = [content, refusal].some((text) => typeof text === 'string' && text !== '');
  return carries ? answer.logprobs : undefined;
}

/** The stored answer as `chat.completion.chunk` objects with new ids, without the terminal event. */
export function* replayAsChunks(
  answer: CapturedAnswer,
  identity: ReplayIdentity,
  options: ReplayOptions = {},
): Generator<ReplayChunk> {
  const includeUsage = options.includeUsage === true;
  const head = envelope(answer, identity, 'chat.completion.chunk', options.model);
  const usage = includeUsage ? { usage: null } : {};
  const size = isObject(answer.logprobs) ? Number.MAX_SAFE_INTEGER : (options.fragmentCodePoints ?? DEFAULT_FRAGMENT);
  for (const delta of deltas(answer, identity, size)) {
    const logprobs = logprobsChunk(answer, delta) ?? null;
    yield { ...head, choices: [{ index: 0, delta, logprobs, finish_reason: null }], ...usage };
  }
  const last = { index: 0, delta: {}, logprobs: null, finish_reason: answer.finishReason };
  yield { ...head, choices: [last], ...usage };
  if (includeUsage) yield { ...head, choices: [], usage: answer.usage ?? null };
}

/** One server-sent event around a JSON value. */
export function encodeSseData(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export const SSE_DONE = 'data: [DONE]\n\n';

/** The stored answer as the events of a stream, terminal event included; each string is one event. */
export function* replayAsSse(
  answer: CapturedAnswer,
  identity: ReplayIdentity,
  options: ReplayOptions = {},
): Generator<string> {
  for (const chunk of replayAsChunks(answer, identity, options)) yield encodeSseData(chunk);
  yield SSE_DONE;
}
