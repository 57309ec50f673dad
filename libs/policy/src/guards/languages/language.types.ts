/** What a word does in a sentence, as far as the rule cares. */
export type WordKind =
  | 'filler'
  | 'negation'
  | 'article'
  | 'of'
  | 'into'
  | 'hard-preposition'
  | 'soft-preposition'
  | 'person'
  | 'reflexive'
  | 'indefinite'
  | 'possessive'
  | 'demonstrative-that'
  | 'existential'
  | 'pronoun'
  | 'present'
  | 'past'
  | 'future'
  | 'modal';

/** Entry of a function word; a word without an entry is a content word. */
export interface WordEntry {
  readonly kind: WordKind;
  /** Canonical form: "he" for "him", "can" for "could", `I`, `Y` or `?` for a person, the case ending of an article. */
  readonly value: string;
  /** Form that its place in the sentence is compared by ("me" is not "i"). */
  readonly place?: string;
}

/** A sentence once its question frame is read. */
export interface SentenceReading {
  /** Question type, `NONE` when there is none. */
  readonly type: string;
  /** The sentence without the frame. */
  readonly rest: string;
  /** Subject of a "how" question: `gen` (generic), `ppl` (people), `NP` (a noun); absent elsewhere. */
  readonly subject?: string;
  /** Person of a generic subject: `I`, `Y`, `?`. */
  readonly person?: string;
}

/** Number words of a language. */
export interface NumberWords {
  readonly values: ReadonlyMap<string, number>;
  readonly multipliers: ReadonlyMap<string, number>;
  readonly ordinals: ReadonlyMap<string, number>;
  readonly months: ReadonlyMap<string, string>;
  /** Month words that are other words as well ("may", "march"): not compared as numbers, not read as dates. */
  readonly ambiguousMonths: ReadonlySet<string>;
  /** Words after which "one" is no number ("which one"). */
  readonly noNumberAfter: ReadonlySet<string>;
  /** Words before which "one" is no number ("one of"). */
  readonly noNumberBefore: ReadonlySet<string>;
  /** The word "one" itself. */
  readonly one: string;
  /** The word between a multiplier and the rest ("two hundred and five"). */
  readonly and: string;
  /** Endings of ordinals in digits ("3rd"). */
  readonly ordinalEndings: ReadonlySet<string>;
  /** The ordinal that is also a unit of time ("60 second"). */
  readonly unitOrdinal: string;
  /** Between groups of three digits: `,` in English, `.` in German. */
  readonly groupSeparator: string;
}

/** Prepositions that may replace each other or vanish; `''` stands for none. See `SoftPrepositionsData`. */
export interface SoftPrepositions {
  readonly groups: readonly ReadonlySet<string>[];
  readonly alwaysGroups: readonly ReadonlySet<string>[];
  readonly headed: readonly {
    readonly heads: ReadonlySet<string>;
    readonly group: ReadonlySet<string>;
    /** Words that must follow; empty for any. */
    readonly before: ReadonlySet<string>;
  }[];
  readonly vanishing: ReadonlySet<string>;
  readonly vanishingAtStart: ReadonlySet<string>;
  readonly vanishingInRequests: ReadonlySet<string>;
  readonly beforeNumbers: ReadonlySet<string>;
  readonly bindingHeads: ReadonlySet<string>;
}

/** Word lists of a language, validated and indexed. */
export interface Lexicon {
  readonly entries: ReadonlyMap<string, WordEntry>;
  readonly numbers: NumberWords;
  /** Canonical spelling by variant ("colour" → "color"). */
  readonly aliases: ReadonlyMap<string, string>;
  /** The canonical spellings of `aliases`. */
  readonly canonicals: ReadonlySet<string>;
  /** Synonyms by word; symmetric. */
  readonly synonyms: ReadonlyMap<string, ReadonlySet<string>>;
  /** Words that align only with themselves or a listed synonym. */
  readonly hard: ReadonlySet<string>;
  /** Calendar words and quantities: compared like numbers. */
  readonly counted: ReadonlySet<string>;
  /** Words counted like numbers right after one. */
  readonly units: ReadonlySet<string>;
  /** Prepositions that must be in both texts or in none, in every mode. */
  readonly polar: ReadonlySet<string>;
  readonly negatingPrefixes: readonly string[];
  /** Words for the good and the best, each with its grade. */
  readonly best: ReadonlyMap<string, string>;
  /** Auxiliaries by class. */
  readonly auxiliaryClasses: ReadonlyMap<string, string>;
  readonly quantifiers: ReadonlySet<string>;
  readonly paucals: ReadonlySet<string>;
  readonly irregularPlurals: ReadonlySet<string>;
  readonly massNouns: ReadonlySet<string>;
  readonly articlePrepositions: ReadonlySet<string>;
  readonly positions: ReadonlySet<string>;
  /** Synonyms that hold only when both texts are requests. */
  readonly requestSynonyms: ReadonlyMap<string, ReadonlySet<string>>;
  readonly soft: SoftPrepositions;
  readonly hardPrepositions: ReadonlySet<string>;
  readonly conjunctions: ReadonlySet<string>;
  /** May be left over on one side. */
  readonly droppable: ReadonlySet<string>;
  /** May be left over in a request: find, look, get … */
  readonly requestVerbs: ReadonlySet<string>;
  /** Verbs of a search, which gets a list for one thing as for several. */
  readonly searchVerbs: ReadonlySet<string>;
  /** Droppable in a request when they stand alone. */
  readonly closingVerbs: ReadonlySet<string>;
  /** May be left over when both are requests: nice, available … */
  readonly requestFillers: ReadonlySet<string>;
  /** Verbs that make something: "I want to write X" is no question how to write X. */
  readonly generativeVerbs: ReadonlySet<string>;
  /** Verbs that everybody does alike: "how do you" is "how do I" before one with its object. */
  readonly impersonalVerbs: ReadonlySet<string>;
  /** Verbs that turn `into` to `to`. */
  readonly conversionVerbs: ReadonlySet<string>;
  /** Forms of articles that may stand for each other before one word ("ein" and "der"). */
  readonly articleGroups: readonly ReadonlySet<string>[];
  /** Nouns that are two, told apart by their gender only ("Leiter"). */
  readonly genderHomonyms: ReadonlySet<string>;
  /** Persons that may be reflexive ("ich ziehe mich um"): their verb is another one without them. */
  readonly reflexivePersons: ReadonlySet<string>;
  /** Words for mending, which are synonyms of a broken thing only: a meeting is fixed, not repaired. */
  readonly mending: ReadonlySet<string>;
  readonly mendable: ReadonlySet<string>;
  /** Genders that an article may have, by article. */
  readonly articleGenders: ReadonlyMap<string, string>;
  /** Words that allow their two sides to swap: difference, compare, versus … */
  readonly symmetric: ReadonlySet<string>;
  /** Markers of the two sides of a comparison: between, and, or … */
  readonly sides: ReadonlySet<string>;
  /** Prepositions of the start and of the end of a way: from / to. */
  readonly origins: ReadonlySet<string>;
  readonly goals: ReadonlySet<string>;
  /** The modal of possibility, free in "where". */
  readonly possibility: string;
  /** Prepositions next to which nothing may move: than, instead, if … */
  readonly orderSensitive: ReadonlySet<string>;
  /** Words that make the others the subject of talk. */
  readonly metalinguistic: ReadonlySet<string>;
  /** After a colour a repeated noun is understood. */
  readonly colours: ReadonlySet<string>;
  /** Names of languages. */
  readonly languageNames: ReadonlySet<string>;
  /** Words that are no names even when capitalised. */
  readonly neverNames: ReadonlySet<string>;
  /** Words before "that" which make it a pronoun ("like that"). */
  readonly beforeThat: ReadonlySet<string>;
  /** Words after "that" which make it a pronoun ("that is"). */
  readonly afterThat: ReadonlySet<string>;
}

/** Everything the rule knows about one language. */
export interface LanguagePack {
  readonly code: 'en' | 'de';
  readonly lexicon: Lexicon;
  /** Whether every noun is capitalised: a capital then makes no name, and a name may be inflected. */
  readonly nounsAreCapitalised: boolean;
  /** Whether the main verb ends the reduced sentence. */
  readonly verbFinal: boolean;
  /** Lower-cased text on one line, contractions expanded, brackets and quotes cut. */
  prepare(text: string): string;
  /** Cuts the question frame off a sentence. */
  readSentence(sentence: string): SentenceReading;
  /** Canonical form of a content word (alias, plural). */
  lemma(word: string): string;
  /** Every base form that a word may belong to; two words agree when they share one. */
  bases(word: string): readonly string[];
  /** Whether two forms of one word differ in tense ("-ed" on one side). */
  tenseDiffers(a: string, b: string): boolean;
  /** Whether one form tells what is done and the other what does it ("bored" / "boring"). */
  aspectDiffers(a: string, b: string): boolean;
}
