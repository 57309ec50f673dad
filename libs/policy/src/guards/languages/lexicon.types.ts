/** Function words of a language as data; each list holds lines of words divided by blanks. */
export interface WordsData {
  readonly negations: readonly string[];
  readonly articles: Readonly<Record<string, string>>;
  /** Each line: forms of articles that may stand for each other. */
  readonly articleGroups: readonly string[];
  readonly fillers: readonly string[];
  readonly greetings: readonly string[];
  readonly of: readonly string[];
  readonly into: readonly string[];
  readonly conjunctions: readonly string[];
  readonly softPrepositions: readonly string[];
  readonly hardPrepositions: readonly string[];
  /** Each line is a group; `_` stands for no preposition. */
  readonly softPrepositionGroups: readonly string[];
  readonly persons: Readonly<Record<string, string>>;
  readonly obliquePersons: readonly string[];
  readonly possessives: Readonly<Record<string, string>>;
  readonly indefinitePersons: readonly string[];
  readonly reflexives: readonly string[];
  readonly demonstrativeThat: readonly string[];
  /** Each line is a group; its first word stands for the others. */
  readonly otherPronouns: readonly string[];
  readonly presentAuxiliaries: readonly string[];
  readonly pastAuxiliaries: readonly string[];
  readonly futureAuxiliaries: readonly string[];
  /** Each line is a group; its first word stands for the others. */
  readonly modals: readonly string[];
  readonly calendar: readonly string[];
  readonly quantities: readonly string[];
  readonly best: readonly string[];
  readonly droppable: readonly string[];
  readonly requestVerbs: readonly string[];
  readonly requestFillers: readonly string[];
  readonly generativeVerbs: readonly string[];
  readonly conversionVerbs: readonly string[];
  readonly symmetric: readonly string[];
  readonly orderSensitive: readonly string[];
  readonly sides: readonly string[];
  readonly possibility: string;
  readonly origins: readonly string[];
  readonly goals: readonly string[];
  readonly functionWords: readonly string[];
  readonly beforeThat: readonly string[];
  readonly afterThat: readonly string[];
}

/** Number words as data. */
export interface NumbersData {
  readonly values: Readonly<Record<string, number>>;
  readonly multipliers: Readonly<Record<string, number>>;
  readonly ordinals: Readonly<Record<string, number>>;
  readonly months: Readonly<Record<string, string>>;
  readonly ambiguousMonths: readonly string[];
  readonly noNumberAfter: readonly string[];
  readonly noNumberBefore: readonly string[];
  readonly one: string;
  readonly and: string;
  readonly ordinalEndings: readonly string[];
  readonly unitOrdinal: string;
  readonly groupSeparator: string;
}

/** All word data of a language. */
export interface LexiconData {
  readonly words: WordsData;
  readonly numbers: NumbersData;
  /** Each line: the canonical form, then its variants. */
  readonly aliases: readonly string[];
  /** Each line: words that mean the same. */
  readonly synonyms: readonly string[];
  readonly hard: readonly string[];
}
