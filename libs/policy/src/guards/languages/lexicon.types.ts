/** Function words of a language as data; each list holds lines of words divided by blanks. */
export interface WordsData {
  readonly negations: readonly string[];
  readonly articles: Readonly<Record<string, string>>;
  /** Each line: forms of articles that may stand for each other. */
  readonly articleGroups: readonly string[];
  /** Articles and their like by the gender (`p`: plural) that they may have; empty where articles have none. */
  readonly articleGenders: Readonly<Record<string, string>>;
  readonly fillers: readonly string[];
  /** Words that make the others the subject of talk ("say", "mean"): fillers then count as words. */
  readonly metalinguistic: readonly string[];
  readonly colours: readonly string[];
  /** Names of languages, beside which a function word is what is spoken of ("how do you say you in French"). */
  readonly languageNames: readonly string[];
  readonly greetings: readonly string[];
  readonly of: readonly string[];
  readonly into: readonly string[];
  readonly conjunctions: readonly string[];
  readonly softPrepositions: readonly string[];
  readonly hardPrepositions: readonly string[];
  readonly persons: Readonly<Record<string, string>>;
  readonly obliquePersons: readonly string[];
  readonly possessives: Readonly<Record<string, string>>;
  /** Each line is a group; its first word stands for the others. */
  readonly indefinitePersons: readonly string[];
  readonly reflexives: readonly string[];
  readonly demonstrativeThat: readonly string[];
  /** "there" of "there is". */
  readonly existential: readonly string[];
  /** Each line is a group; its first word stands for the others. */
  readonly otherPronouns: readonly string[];
  readonly presentAuxiliaries: readonly string[];
  readonly pastAuxiliaries: readonly string[];
  readonly futureAuxiliaries: readonly string[];
  /** Each line: the forms of one auxiliary, where asking with another one asks for something else ("is she like" / "does she like"). */
  readonly auxiliaryClasses: readonly string[];
  /** Articles that quantify: "some", "any". */
  readonly quantifiers: readonly string[];
  /** Quantities that an article turns around: "few" / "a few". */
  readonly paucals: readonly string[];
  /** Plurals without an ending: "children". */
  readonly irregularPlurals: readonly string[];
  /** Nouns that are not counted: their plural is a slip. */
  readonly massNouns: readonly string[];
  /** Prepositions that mean something else before a bare name: "nach Essen" / "nach dem Essen". */
  readonly articlePrepositions: readonly string[];
  /** Words that pick by place: "first", "last". */
  readonly positions: readonly string[];
  /** Each line is a group; its first word stands for the others. */
  readonly modals: readonly string[];
  readonly calendar: readonly string[];
  readonly quantities: readonly string[];
  /** Counted like numbers right after one. */
  readonly units: readonly string[];
  /** Prepositions of which one side of an opposition says all: off, after, below … */
  readonly polar: readonly string[];
  /** Prefixes that turn a word around: un-, dis- … */
  readonly negatingPrefixes: readonly string[];
  /** Each line: the forms of one grade of praise; one stands for another where a choice is asked for. */
  readonly best: readonly string[];
  readonly droppable: readonly string[];
  readonly requestVerbs: readonly string[];
  readonly searchVerbs: readonly string[];
  readonly requestFillers: readonly string[];
  /** Droppable in a request when nothing else is said with them ("… Can you help?"). */
  readonly closingVerbs: readonly string[];
  readonly generativeVerbs: readonly string[];
  readonly impersonalVerbs: readonly string[];
  readonly mendable: readonly string[];
  readonly mending: readonly string[];
  readonly reflexivePersons: readonly string[];
  readonly genderHomonyms: readonly string[];
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

/** Prepositions that may replace each other or vanish, as data; `_` stands for none. */
export interface SoftPrepositionsData {
  /** Each line is a group. */
  readonly groups: readonly string[];
  /** Groups that hold after binding heads as well. */
  readonly alwaysGroups: readonly string[];
  /** Groups that hold only after these heads ("think of" = "think about"), and only before these words where they are given ("win at chess" = "win chess"). */
  readonly headed: readonly { readonly heads: string; readonly group: string; readonly before?: string }[];
  readonly vanishing: readonly string[];
  /** With no word before: "some of the" = "some". */
  readonly vanishingAtStart: readonly string[];
  readonly vanishingInRequests: readonly string[];
  /** Before a number or a calendar word ("on March 3" = "for March 3"). */
  readonly beforeNumbers: readonly string[];
  /** Words whose preposition decides their meaning: "look at" is not "look for", "get in" not "get". */
  readonly bindingHeads: readonly string[];
}

/** All word data of a language. */
export interface LexiconData {
  readonly words: WordsData;
  readonly numbers: NumbersData;
  /** Each line: the canonical form, then its variants. */
  readonly aliases: readonly string[];
  /** Each line: words that mean the same. */
  readonly synonyms: readonly string[];
  /** Groups that hold only when both texts are requests. */
  readonly requestSynonyms: readonly string[];
  readonly softPrepositions: SoftPrepositionsData;
  readonly hard: readonly string[];
}
