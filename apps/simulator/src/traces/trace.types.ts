import type { ChatRequest, ChatTurn } from '@reprise/semantic-cache';

/** One exchange of a trace: what was asked, what came back, and what is known about it. */
export interface TraceRecord {
  readonly id: string;
  /** When it was asked, ms since 1970; absent: a second after the one before. */
  readonly timeMs?: number;
  readonly request: ChatRequest;
  readonly reply: TraceReply;
  /** The end user, '' if not known. */
  readonly user: string;
  readonly conversation?: string;
  /** The conversation ends with it: what it taught is learned. */
  readonly last?: true;
  /** Under which it is decided, and its coins are drawn; absent: a number. */
  readonly requestId?: string;
  /**
   * Requests of equal truth may share an answer: a judge's label, or a reference answer. Absent: nobody knows.
   */
  readonly truth?: string;
}

export interface TraceReply {
  readonly message: ChatTurn;
  readonly finishReason: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Whether the log counted the tokens; else they are a quarter of the characters. */
  readonly counted: boolean;
}

/** A line that is fine but no chat exchange, and why. */
export interface Skipped {
  readonly skipped: string;
}

export const isSkipped = (outcome: object): outcome is Skipped => 'skipped' in outcome;
