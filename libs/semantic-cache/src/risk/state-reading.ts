import { ConversationFollower, type TextFacts, textMarks, type TurnState } from '@reprise/policy';
import type { CacheDependencies } from '../dependencies.js';
import type { EmbedOutcome } from '../ports/embedder.port.js';
import { canonicalText } from '../request/canonical-text.js';
import { type ChatRequest, type ChatTurn, isFraming, textOf } from '../request/chat-request.js';
import { firstTurnVector, stateVector } from '../request/state-vector.js';

/** The state of a request: what the features compare, and where it lies in the index. */
export interface StateReading {
  readonly turn: TurnState;
  /** Unit vector of the index layout. */
  readonly vector: Float32Array;
}

type EmbedFailure = Extract<EmbedOutcome, { ok: false }>['reason'];
export type StateOutcome =
  { readonly ok: true; readonly state: StateReading } | { readonly ok: false; readonly reason: EmbedFailure };

/** Newest earlier messages whose words are read; of a longer history their sum is all that counts. */
const MOST_READ = 64;

interface Spoken {
  readonly role: string;
  readonly text: string;
}

/**
 * The state of a request from its own messages (risk-model.md §2); each text is embedded once, in process. A text that
 * the model cannot see whole fails it: two different histories would look alike.
 */
export async function readState(
  deps: Pick<CacheDependencies, 'embedder' | 'layout' | 'limits'>,
  request: ChatRequest,
): Promise<StateOutcome> {
  const { message, before, replies } = spokenOf(request);
  const recent = before.length - deps.limits.historyMessages;
  const previousAt = before.findLastIndex(({ role }) => role === 'assistant');
  const wanted = before.filter(({ text }, at) => text !== '' && (at >= recent || at === previousAt));
  const texts = [...new Set([message, ...wanted.map(({ text }) => text)])];
  const outcomes = await Promise.all(texts.map((text) => deps.embedder.embed(text)));
  const vectors = new Map<string, Float32Array>();
  for (const [at, outcome] of outcomes.entries()) {
    if (!outcome.ok) return outcome;
    vectors.set(texts[at] as string, outcome.vector);
  }
  const zeros = new Float32Array(deps.embedder.dimensions);
  const factsOf = (text: string): TextFacts => ({ vector: vectors.get(text) ?? zeros, marks: textMarks(text) });
  const follower = new ConversationFollower({ vector: zeros, marks: textMarks('') });
  for (const { role, text } of before.slice(-MOST_READ)) {
    if (role === 'assistant') follower.answer(factsOf(text));
    else if (role === 'user') follower.tell(factsOf(text));
    else follower.hear(factsOf(text));
  }
  const asked = follower.ask(factsOf(message));
  const counted = { turn: before.length === 0 ? 0 : Math.max(1, replies), historyMessages: before.length };
  const turn: TurnState = { ...asked, ...counted };
  const vector =
    before.length === 0
      ? firstTurnVector(turn.message.vector)
      : stateVector(deps.layout, turn.message.vector, turn.previous.vector, turn.history);
  return { ok: true, state: { turn, vector } };
}

function spokenOf(request: ChatRequest): { message: string; before: readonly Spoken[]; replies: number } {
  const last = request.messages.at(-1);
  const before = request.messages
    .slice(0, -1)
    .filter((turn) => !isFraming(turn))
    .map((turn: ChatTurn) => ({ role: turn.role, text: textOf(turn) ?? '' }));
  const replies = before.filter(({ role }) => role === 'assistant').length;
  return { message: last === undefined ? '' : canonicalText(textOf(last) ?? ''), before, replies };
}

/** Facts of a fresh reply; undefined when the model cannot see it whole. */
export async function readReply(
  deps: Pick<CacheDependencies, 'embedder'>,
  text: string | undefined,
): Promise<TextFacts | undefined> {
  if (text === undefined || text === '') return undefined;
  const outcome = await deps.embedder.embed(text);
  return outcome.ok ? { vector: outcome.vector, marks: textMarks(text) } : undefined;
}
