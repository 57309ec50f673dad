import { isObject, type CapturedAnswer, type CapturedToolCall } from './captured-answer.js';
import { readsAsRefusal } from './refusal-text.js';

export type NotStorableReason =
  | 'status'
  | 'too-large'
  | 'error-body'
  | 'empty'
  | 'refusal'
  | 'content-filter'
  | 'truncated'
  | 'broken-stream'
  | 'invalid-tool-arguments'
  | 'invalid-json'
  | 'several-choices'
  | 'media'
  | 'unknown-finish';

export type Storability = { store: true; tier: 'semantic' | 'exact' } | { store: false; reason: NotStorableReason };

/** What of the request matters here; further fields are ignored. */
export interface StorabilityRequest {
  response_format?: unknown;
  [field: string]: unknown;
}

function no(reason: NotStorableReason): Storability {
  return { store: false, reason };
}

/** Neither space nor control nor a character that only shapes others. */
const VISIBLE = /[^\p{Z}\p{C}\p{M}\u115f\u1160\u3164\uffa0\u2800]/u;

function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || !VISIBLE.test(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function callIsValid(call: CapturedToolCall): boolean {
  if (call.function !== undefined) return call.function.name !== '' && isJson(call.function.arguments);
  const custom = call['custom'];
  return isObject(custom) && typeof custom['name'] === 'string' && custom['name'] !== '';
}

/** Tool calls in the current and in the older single-function form. */
function toolCalls(captured: CapturedAnswer): CapturedToolCall[] {
  const calls = captured.message.tool_calls ?? [];
  const legacy = captured.message['function_call'];
  if (!isObject(legacy)) return calls;
  const { name, arguments: args } = legacy;
  const call = {
    id: '',
    type: 'function',
    function: { name: typeof name === 'string' ? name : '', arguments: typeof args === 'string' ? args : '' },
  };
  return [...calls, call];
}

function wantsJson(request: StorabilityRequest): boolean {
  const format = request.response_format;
  return isObject(format) && (format['type'] === 'json_object' || format['type'] === 'json_schema');
}

function envelopeProblem(captured: CapturedAnswer, httpStatus: number): NotStorableReason | undefined {
  if (httpStatus !== 200) return 'status';
  if (captured.tooLarge === true) return 'too-large';
  if (captured.error !== undefined) return 'error-body';
  if (captured.finishReason === 'content_filter') return 'content-filter';
  if (captured.form === 'sse' && !captured.complete) return 'broken-stream';
  if (captured.choices === 0) return 'empty';
  if (captured.choices > 1) return 'several-choices';
  if (!captured.complete) return 'truncated';
  return undefined;
}

function contentProblem(captured: CapturedAnswer, calls: readonly CapturedToolCall[]): NotStorableReason | undefined {
  const { content, refusal } = captured.message;
  if (!isBlank(refusal)) return 'refusal';
  if (isObject(captured.message['audio'])) return 'media';
  if (calls.length === 0 && isBlank(content)) return 'empty';
  if (calls.length === 0 && typeof content === 'string' && readsAsRefusal(content)) return 'refusal';
  if (!calls.every(callIsValid)) return 'invalid-tool-arguments';
  return undefined;
}

/**
 * Whether an answer may be stored, and up to which tier (cases 20–22); what is not known to be good is not stored.
 * Tool calls and answers cut by `length` are for the exact tier only.
 */
export function storability(captured: CapturedAnswer, httpStatus: number, request: StorabilityRequest): Storability {
  const envelope = envelopeProblem(captured, httpStatus);
  if (envelope !== undefined) return no(envelope);
  const calls = toolCalls(captured);
  const content = contentProblem(captured, calls);
  if (content !== undefined) return no(content);
  if (captured.finishReason === 'length') {
    return calls.length > 0 || wantsJson(request) ? no('truncated') : { store: true, tier: 'exact' };
  }
  if (!['stop', 'tool_calls', 'function_call'].includes(captured.finishReason ?? '')) return no('unknown-finish');
  if (calls.length > 0) return { store: true, tier: 'exact' };
  if (wantsJson(request) && !isJson(captured.message.content ?? '')) return no('invalid-json');
  return { store: true, tier: 'semantic' };
}
