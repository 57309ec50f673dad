/** One message of a conversation. */
export interface SpokenText {
  readonly role: string;
  readonly text: string;
}

/** What an answer took from its own conversation, as far as an answer to another one must not have it. */
export interface AnswerPrint {
  /** Hashes of the specifics that the answer and its conversation name; all of them must have been named by whoever gets it. */
  readonly taken: readonly string[];
  /** There were too many, or too much was said to know: only an equal request can have it. */
  readonly tooMany: boolean;
  /** Currencies of the answer, by code. */
  readonly currencies: readonly string[];
  /** Currencies that the last message with any asked for. */
  readonly asked: readonly string[];
}

/** What a conversation has named so far. */
export interface NamedSpecifics {
  /** Hashes of every form of every word. */
  readonly forms: ReadonlySet<string>;
  /** Currencies that the last message of the user with any asked for. */
  readonly asked: ReadonlySet<string>;
}
