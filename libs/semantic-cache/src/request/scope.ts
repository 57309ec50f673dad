import { canonicalJson, stableHash } from '@reprise/kernel';
import { canonicalText } from './canonical-text.js';
import { type ChatRequest, type ChatTurn, type ContentPart, isFraming } from './chat-request.js';

/**
 * Fields that never change what the model says: transport, accounting and the end user's label.
 * Every other field, known or not, is part of the key (fail closed).
 */
const neutral = new Set([
  'messages',
  'stream',
  'stream_options',
  'user',
  'safety_identifier',
  'metadata',
  'store',
  'service_tier',
  'prompt_cache_key',
  'prompt_cache_retention',
]);

/** A span of a system prompt that is replaced by its name before keys are made (acceptance case 16). */
export interface VolatileMask {
  readonly name: string;
  readonly pattern: RegExp;
}

const compiled = new WeakMap<object, readonly VolatileMask[]>();

/** The masks of a policy, compiled once; a pattern that does not compile is left out (libs/config refuses it before). */
export function compileMasks(
  masks: readonly { readonly name: string; readonly pattern: string }[],
): readonly VolatileMask[] {
  let known = compiled.get(masks);
  if (known === undefined) {
    known = masks.flatMap(({ name, pattern }) => {
      try {
        return [{ name, pattern: new RegExp(pattern, 'gu') }];
      } catch {
        return [];
      }
    });
    compiled.set(masks, known);
  }
  return known;
}

function masked(text: string, masks: readonly VolatileMask[]): string {
  return masks.reduce((out, mask) => out.replace(mask.pattern, `<${mask.name}>`), text);
}

const isPlainText = (part: ContentPart): boolean => typeof part['text'] === 'string' && Object.keys(part).length === 2;

interface ToolCall {
  readonly id?: unknown;
  readonly function?: unknown;
}

/**
 * Ids of tool calls by their place: they only tie a result to its call, and a replayed answer brings new ones into the
 * next request of its agent.
 */
function callPlaces(): (id: unknown) => unknown {
  const places = new Map<string, string>();
  return (id) => {
    if (typeof id !== 'string') return id;
    const place = places.get(id) ?? `call ${places.size}`;
    places.set(id, place);
    return place;
  };
}

/**
 * Messages in canonical form: a string and a single text part are the same content, and a member that is null is
 * absent. Only texts and ids of calls are rewritten: two values of any other member are one only if they are equal.
 */
function canonicalTurns(turns: readonly ChatTurn[], masks: readonly VolatileMask[]): Record<string, unknown>[] {
  const placeOf = callPlaces();
  return turns.map((turn) => {
    const { content, ...rest } = turn;
    const say = (text: string): string => (isFraming(turn) ? masked(canonicalText(text), masks) : canonicalText(text));
    const members = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined);
    const out: Record<string, unknown> = { ...Object.fromEntries(members), content: canonicalContent(content, say) };
    if (Array.isArray(out['tool_calls'])) out['tool_calls'] = placed(out['tool_calls'] as unknown[], placeOf);
    if ('tool_call_id' in out) out['tool_call_id'] = placeOf(out['tool_call_id']);
    return out;
  });
}

const placed = (calls: readonly unknown[], placeOf: (id: unknown) => unknown): unknown[] =>
  calls.map((call) => (isObject(call) ? { ...call, id: placeOf((call as ToolCall).id) } : call));

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function canonicalContent(content: ChatTurn['content'], say: (text: string) => string): unknown {
  if (typeof content === 'string') return say(content);
  if (!Array.isArray(content)) return null;
  const parts = content as readonly ContentPart[];
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text' && isPlainText(only)) return say(only['text'] as string);
  return parts.map((part) =>
    part.type === 'text' && typeof part['text'] === 'string' ? { ...part, text: say(part['text']) } : part,
  );
}

/** Limits between two powers of two are one class; what is no limit is a class of its own. */
function tokenClass(limit: unknown): string {
  if (limit === undefined) return 'none';
  return typeof limit === 'number' && limit > 0 ? `2^${Math.floor(Math.log2(limit))}` : canonicalJson(limit);
}

/** Temperatures that are close enough for an answer in other words: greedy, usual, wild. */
function temperatureClass(temperature: unknown): string {
  if (typeof temperature !== 'number') return 'usual';
  if (temperature <= 0.3) return 'greedy';
  return temperature <= 1 ? 'usual' : 'wild';
}

export interface RequestScope {
  /** Hash of everything that must be equal between two requests of one stratum. */
  readonly compat: string;
  /** Hash of the whole request in canonical form. */
  readonly exactKey: string;
}

/**
 * Keys of a request (architecture.md §3.1, steps 2 and 3). `exactKey` covers every field at its exact value;
 * `compat` leaves out the conversation, but not what the
 * current message holds beside its text (a name, fields that are not known), and puts token limits and temperature into classes. `owner` is the end user
 * whom alone the answer concerns, '' when it concerns anyone; `route` what chooses it beside the body.
 */
export function scopeOf(request: ChatRequest, masks: readonly VolatileMask[], owner = '', route = ''): RequestScope {
  const said = Object.entries(request).filter(
    ([name, value]) => !neutral.has(name) && value !== null && value !== undefined,
  );
  const fields: Record<string, unknown> = Object.fromEntries(said);
  const turns = canonicalTurns(request.messages, masks);
  const { temperature, max_tokens, max_completion_tokens, ...strict } = fields;
  const frame = request.messages.flatMap((turn, at) => (isFraming(turn) ? [[at, turns[at]]] : []));
  const { role: _role, content: _content, ...asked } = turns.at(-1) ?? {};
  const classes = [temperatureClass(temperature), tokenClass(max_tokens), tokenClass(max_completion_tokens)];
  const whose = ['chat', owner, route];
  return {
    exactKey: stableHash([...whose, canonicalJson(fields), canonicalJson(turns)]),
    compat: stableHash([...whose, canonicalJson(strict), canonicalJson(frame), canonicalJson(asked), ...classes]),
  };
}

/** Hash of a run of messages, for conversation heads and history keys. */
export function historyHash(turns: readonly ChatTurn[]): string {
  return turns.length === 0 ? '' : stableHash(canonicalTurns(turns, []).map((turn) => canonicalJson(spoken(turn))));
}

/** What was said in a message; of an answer not what clients may or may not send back (annotations, reasoning). */
function spoken(turn: Record<string, unknown>): Record<string, unknown> {
  const { role, content, tool_calls: calls } = turn;
  if (role !== 'assistant') return turn;
  if (!Array.isArray(calls) || calls.length === 0) return { role, content };
  const made = calls.map((call: unknown) =>
    isObject(call) ? [(call as ToolCall).id, (call as ToolCall).function] : call,
  );
  return { role, content, tool_calls: made };
}

/** Equal requests share a flight, but never with one that began before a purge. */
export const flightKey = (exactKey: string, purges: number): string =>
  purges === 0 ? exactKey : `${exactKey}~${purges}`;
