/** Phrases of one language as data: what may be cut, what refers back, what depends on the time or on the asker. */
export interface PhraseData {
  /** Unicode script that gives the language away; `Latin` for languages told apart by their function words. */
  readonly script: string;
  readonly functionWords: readonly string[];
  /** Question words whose accent is often left out; at the start of a text it does not count. */
  readonly accentedQuestionWords: readonly string[];
  readonly politeness: {
    readonly please: readonly string[];
    readonly greetings: readonly string[];
    readonly thanks: readonly string[];
  };
  readonly referring: {
    /** Whole messages, lower case, without end punctuation. */
    readonly messages: readonly string[];
    /** Beginnings that hang a message on the one before. */
    readonly openers: readonly string[];
    readonly pronouns: readonly string[];
    /** Words too general to be what a pronoun stands for; only where antecedents are looked for. */
    readonly generic: readonly string[];
    readonly patterns: readonly string[];
    /** Patterns in which a pronoun refers to nothing ("is it safe to …"). */
    readonly expletives: readonly string[];
  };
  readonly timeDependent: readonly string[];
  readonly personal: {
    readonly possessives: readonly string[];
    readonly nouns: readonly string[];
    /** `{{mine}}` stands for the possessives, `{{noun}}` for the nouns. */
    readonly patterns: readonly string[];
  };
}

/** Phrases of one language, ready to run on a lower-cased line. */
export interface PhrasePack {
  readonly language: string;
  readonly functionWords: ReadonlySet<string>;
  /** Question words at the start, with and without their accent. */
  readonly accentedStart: RegExp | undefined;
  readonly please: RegExp;
  /** Greetings and thanks at the start, divided from the rest. */
  readonly opening: RegExp;
  readonly closing: RegExp;
  readonly messages: ReadonlySet<string>;
  readonly opener: RegExp | undefined;
  readonly pronouns: ReadonlySet<string>;
  readonly generic: ReadonlySet<string>;
  readonly referring: readonly RegExp[];
  readonly expletives: readonly RegExp[];
  readonly timeDependent: RegExp;
  readonly personal: readonly RegExp[];
}
