import type { TextMarks } from './text-marks.js';
import type { WordHashes } from './word-hashes.js';

/** What of a text is known of an entry: its words are part of what was said. */
export interface StoredText {
  readonly vector: Float32Array;
  readonly marks: Omit<TextMarks, 'words'>;
}

/** A text with its unit vector and its marks. */
export interface TextFacts extends StoredText {
  readonly marks: TextMarks;
}

/** The state at which a request was made, as an entry keeps it. */
export interface StoredState<T extends StoredText = StoredText> {
  readonly message: T;
  /** The assistant's previous reply; on a first turn the facts of "no text" (zero vector). */
  readonly previous: T;
  /** Normalised decayed sum over the earlier messages; zeros on a first turn. */
  readonly history: Float32Array;
  /** 0 for a first turn. */
  readonly turn: number;
  readonly historyMessages: number;
  /** Every word of the conversation up to and with the message. */
  readonly said: WordHashes;
  /** Numbers and names that the user stated up to and with the message. */
  readonly stated: WordHashes;
}

/** A request in its conversation. */
export type TurnState = StoredState<TextFacts>;

/** What an entry keeps for the features: the state at which its reply was generated, and the reply. */
export interface Dossier {
  readonly state: StoredState;
  readonly reply: StoredText;
}

/** A cached entry as a candidate. */
export interface EntryState extends Dossier {
  /** Class of the reply among the candidates' replies. */
  readonly replyClass: number;
}

export const HISTORY_DECAY = 0.75;

/** Follows one conversation, text by text; each state is a copy, so that it stays as it was. */
export class ConversationFollower {
  private readonly said = new Set<number>();
  private readonly stated = new Set<number>();
  private readonly sum: Float64Array;
  private messages = 0;
  private replies = 0;
  private previous: TextFacts;

  /** `nothing`: the facts of "no text", whose vector is zero. */
  constructor(nothing: TextFacts) {
    this.previous = nothing;
    this.sum = new Float64Array(nothing.vector.length);
  }

  /** The state of the next request. */
  ask(message: TextFacts): TurnState {
    const { previous, messages } = this;
    const history = unit(this.sum);
    // A history without a reply is one all the same: only a first turn has number 0.
    const turn = messages === 0 ? 0 : Math.max(1, this.replies);
    this.tell(message);
    const said = Uint32Array.from(this.said).sort();
    const stated = Uint32Array.from(this.stated).sort();
    return { message, previous, history, turn, historyMessages: messages, said, stated };
  }

  /** A message of the user that no state is wanted of. */
  tell(message: TextFacts): void {
    for (const value of message.marks.numbers) this.stated.add(value);
    for (const value of message.marks.names) this.stated.add(value);
    this.hear(message);
  }

  /** The reply to the last request, served or fresh. */
  answer(reply: TextFacts): void {
    this.hear(reply);
    this.previous = reply;
    this.replies += 1;
  }

  /** A text that is neither the user's nor a reply: the result of a tool. */
  hear(text: TextFacts): void {
    for (const word of text.marks.words) this.said.add(word);
    this.messages += 1;
    for (let i = 0; i < this.sum.length; i++) this.sum[i] = this.sum[i]! * HISTORY_DECAY + text.vector[i]!;
  }
}

function unit(sum: Float64Array): Float32Array {
  let square = 0;
  for (const value of sum) square += value * value;
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
  return Float32Array.from(sum, (value) => value * scale);
}
