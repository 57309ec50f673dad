import { stableHash } from '@reprise/kernel';
import { canonicalText } from './canonical-text.js';
import { type ChatRequest, isFraming, textOf } from './chat-request.js';
import { historyHash } from './scope.js';

/** The texts that a request's state is embedded from (risk-model.md §2). */
export interface ChatState {
  /** Current user message. */
  readonly message: string;
  /** The assistant's previous reply, absent on first turns. */
  readonly previousReply?: string;
  /** All earlier messages of both roles, oldest first. */
  readonly history: readonly string[];
  readonly firstTurn: boolean;
  /** Hash of all messages before the current one, framing left out; '' on first turns. */
  readonly historyKey: string;
  /** Hash of all messages before the current one, framing included: where the conversation stands. */
  readonly head: string;
}

export function chatStateOf(request: ChatRequest): ChatState {
  const before = request.messages.slice(0, -1);
  const spoken = before.filter((turn) => !isFraming(turn));
  const previous = spoken.findLast((turn) => turn.role === 'assistant');
  const reply = previous === undefined ? undefined : textOf(previous);
  const last = request.messages.at(-1);
  return {
    message: last === undefined ? '' : canonicalText(textOf(last) ?? ''),
    ...(reply === undefined ? {} : { previousReply: reply }),
    history: spoken.map((turn) => textOf(turn) ?? '').filter((text) => text !== ''),
    firstTurn: spoken.length === 0,
    historyKey: historyHash(spoken),
    head: historyHash(before),
  };
}

/** A vector layout: which parts of the state are indexed and with which weights (squared cosine shares). */
export interface IndexLayout {
  readonly name: string;
  readonly message: number;
  readonly previousReply: number;
  readonly history: number;
}

/** Default layout: similarity = .5 cos(q) + .3 cos(p) + .2 cos(h) (risk-model.md §2). */
export const defaultLayout: IndexLayout = { name: 'qph-532', message: 0.5, previousReply: 0.3, history: 0.2 };

/** Name of the vector set: requests of two strata never meet. */
export function stratumOf(compat: string, embedder: string, layout: Pick<IndexLayout, 'name'>): string {
  return stableHash([compat, embedder, layout.name], 24);
}
