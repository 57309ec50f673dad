import type { TextPrint } from './text-print.js';

/** A text with its unit vector, its place on the frozen axes and its print. */
export interface TextFacts {
  readonly vector: Float32Array;
  /** Eight numbers: the principal components, scaled by 3. */
  readonly axes: Float64Array;
  readonly print: TextPrint;
}

/** A request in its conversation. */
export interface TurnState {
  readonly message: TextFacts;
  /** The assistant's previous reply; on a first turn the facts of "no text" (zero vector). */
  readonly previous: TextFacts;
  /** Normalised decayed sum over the earlier messages; zeros on a first turn. */
  readonly history: Float32Array;
  /** 0 for a first turn. */
  readonly turn: number;
  readonly historyMessages: number;
  /** Every word of the conversation up to and with the message. */
  readonly said: ReadonlySet<string>;
  /** Numbers and names that the user stated up to and with the message. */
  readonly stated: ReadonlySet<string>;
}

/** A cached entry: the state at which its reply was generated. */
export interface EntryState {
  readonly state: TurnState;
  readonly reply: TextFacts;
  /** Class of the reply: equal numbers, nearly equal replies (leader clusters, cosine ≥ .9). */
  readonly replyClass: number;
}

export const HISTORY_DECAY = 0.75;

/** Follows one conversation, text by text; each state is a copy, so that it stays as it was. */
export class ConversationFollower {
  private readonly said = new Set<string>();
  private readonly stated = new Set<string>();
  private readonly sum: Float64Array;
  private messages = 0;
  private turn = 0;
  private previous: TextFacts;

  /** `nothing`: the facts of "no text", whose vector is zero. */
  constructor(nothing: TextFacts) {
    this.previous = nothing;
    this.sum = new Float64Array(nothing.vector.length);
  }

  /** The state of the next request. */
  ask(message: TextFacts): TurnState {
    for (const word of message.print.words) this.said.add(word);
    for (const value of [...message.print.numbers, ...message.print.names]) this.stated.add(value);
    const state: TurnState = {
      message,
      previous: this.previous,
      history: unit(this.sum),
      turn: this.turn,
      historyMessages: this.messages,
      said: new Set(this.said),
      stated: new Set(this.stated),
    };
    this.add(message);
    return state;
  }

  /** The reply to the last request, served or fresh. */
  answer(reply: TextFacts): void {
    for (const word of reply.print.words) this.said.add(word);
    this.add(reply);
    this.previous = reply;
    this.turn += 1;
  }

  private add(text: TextFacts): void {
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
