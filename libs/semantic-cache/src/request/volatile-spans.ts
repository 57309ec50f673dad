import { type ChatRequest, isFraming, textOf } from './chat-request.js';

const kinds: readonly (readonly [string, RegExp])[] = [
  ['uuid', /\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/i],
  ['timestamp', /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/],
  ['clock', /\b\d{1,2}:\d{2}:\d{2}\b/],
  ['epoch', /\b1[6-9]\d{8}(?:\d{3})?\b/],
  ['request-id', /\b(?:req|request|trace|session)[-_ ]?id\s*[:=]\s*\S{6,}/i],
];

/** Kinds of volatile spans in the system prompt: they make every request a new one until a mask hides them. */
export function volatileSpans(request: ChatRequest): readonly string[] {
  const frame = request.messages.filter(isFraming).map((turn) => textOf(turn) ?? '');
  return kinds.filter(([, pattern]) => frame.some((text) => pattern.test(text))).map(([name]) => name);
}
