import { canonicalJson, stableHash } from '@reprise/kernel';
import { canonicalText, canonicalValue } from './canonical-text.js';
import { type ChatRequest, type ChatTurn, isFraming, isTextOnly, textOf } from './chat-request.js';

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

/** Messages in canonical form: a string and a single text part are the same content. */
function canonicalTurn(turn: ChatTurn, masks: readonly VolatileMask[]): unknown {
  const { content, ...rest } = turn;
  const text = isTextOnly(turn) ? canonicalText(textOf(turn) ?? '') : undefined;
  const value = text === undefined ? canonicalValue(content ?? null) : isFraming(turn) ? masked(text, masks) : text;
  return { ...(canonicalValue(rest) as object), content: value };
}

const tokenClass = (limit: unknown): string =>
  typeof limit === 'number' && limit > 0 ? `2^${Math.floor(Math.log2(limit))}` : 'none';

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
 * `compat` leaves out the conversation and puts token limits and temperature into classes. `owner` is the end user
 * whom alone the answer concerns, '' when it concerns anyone.
 */
export function scopeOf(request: ChatRequest, masks: readonly VolatileMask[], owner = ''): RequestScope {
  const said = Object.entries(request).filter(
    ([name, value]) => !neutral.has(name) && value !== null && value !== undefined,
  );
  const fields: Record<string, unknown> = Object.fromEntries(
    said.map(([name, value]) => [name, canonicalValue(value)]),
  );
  const turns = request.messages.map((turn) => canonicalTurn(turn, masks));
  const { temperature, max_tokens, max_completion_tokens, ...strict } = fields;
  const frame = request.messages.flatMap((turn, at) => (isFraming(turn) ? [[at, turns[at]]] : []));
  const classes = [temperatureClass(temperature), tokenClass(max_tokens), tokenClass(max_completion_tokens)];
  return {
    exactKey: stableHash(['chat', owner, canonicalJson(fields), canonicalJson(turns)]),
    compat: stableHash(['chat', owner, canonicalJson(strict), canonicalJson(frame), ...classes]),
  };
}

/** Hash of a run of messages, for conversation heads and history keys. */
export function historyHash(turns: readonly ChatTurn[]): string {
  return turns.length === 0 ? '' : stableHash(turns.map((turn) => canonicalJson(canonicalTurn(turn, []))));
}
