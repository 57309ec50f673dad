import { hasInexactNumber, isIllFormed, nestsDeeper } from './canonical-text.js';
import { type ChatRequest, type ChatTurn, type ContentPart, isTextOnly } from './chat-request.js';

/** Why a request is proxied unchanged; each is one word of docs/reference/reasons.md. */
export type BypassReason =
  | 'multiple-choices'
  | 'stored-upstream'
  | 'live-search'
  | 'audio-output'
  | 'media-by-reference'
  | 'unknown-content'
  | 'ill-formed-text'
  | 'inexact-number'
  | 'too-deep'
  | 'too-many-messages';

export interface ClassifyLimits {
  readonly jsonDepth: number;
  readonly maxMessages: number;
}

/** Parts whose bytes stand in the request itself, so that the exact key covers them. */
function partBypass(part: ContentPart): BypassReason | undefined {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return undefined;
    case 'image_url': {
      const url = (part['image_url'] as { url?: unknown } | undefined)?.url;
      return typeof url === 'string' && url.startsWith('data:') ? undefined : 'media-by-reference';
    }
    case 'input_audio':
      return undefined;
    case 'file':
      return typeof (part['file'] as { file_data?: unknown } | undefined)?.file_data === 'string'
        ? undefined
        : 'media-by-reference';
    default:
      return 'unknown-content';
  }
}

function messageBypass(turn: ChatTurn): BypassReason | undefined {
  if (!Array.isArray(turn.content)) return undefined;
  for (const part of turn.content as readonly ContentPart[]) {
    const reason = partBypass(part);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** A request that must not be cached at all, or undefined. Unknown kinds are never cached. */
export function bypassReason(request: ChatRequest, limits: ClassifyLimits): BypassReason | undefined {
  if (nestsDeeper(request, limits.jsonDepth)) return 'too-deep';
  if (request.messages.length > limits.maxMessages) return 'too-many-messages';
  if (isIllFormed(request)) return 'ill-formed-text';
  if (hasInexactNumber(request)) return 'inexact-number';
  if (typeof request['n'] === 'number' && request['n'] !== 1) return 'multiple-choices';
  if (request['store'] === true) return 'stored-upstream';
  if (request['web_search_options'] !== undefined && request['web_search_options'] !== null) return 'live-search';
  const modalities = request['modalities'];
  if (Array.isArray(modalities) && modalities.some((m) => m !== 'text')) return 'audio-output';
  for (const turn of request.messages) {
    const reason = messageBypass(turn);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Why the semantic tier does not look at a cacheable request. */
export type ExactOnlyReason = 'no-text' | 'media' | 'tool-turn' | 'logprobs' | 'no-words' | 'too-long';

const hasWord = /[\p{L}\p{N}]/u;

/** Whether the last message can be looked up by meaning; the exact tier always can. */
export function exactOnlyReason(request: ChatRequest, maxChars: number): ExactOnlyReason | undefined {
  const last = request.messages.at(-1);
  if (last === undefined || last.role !== 'user') return last?.role === 'tool' ? 'tool-turn' : 'no-text';
  if (request['logprobs'] === true || typeof request['top_logprobs'] === 'number') return 'logprobs';
  if (!request.messages.every((turn) => turn.content === null || turn.content === undefined || isTextOnly(turn))) {
    return 'media';
  }
  const text = typeof last.content === 'string' ? last.content : undefined;
  const joined =
    text ?? (Array.isArray(last.content) ? last.content.map((p: ContentPart) => p['text']).join('\n') : '');
  if (joined === '') return 'no-text';
  if (!hasWord.test(joined)) return 'no-words';
  if (joined.length > maxChars) return 'too-long';
  return undefined;
}
