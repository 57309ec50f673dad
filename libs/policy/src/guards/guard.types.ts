import type { AnswerPrint } from './answer/answer.types.js';

/** Languages with word lists of their own. */
export const analysedLanguages = ['en', 'de'] as const;

/** Language of an analysed text; `und` (undetermined) fails closed to `equal`. */
export type GuardLanguage = AnalysedLanguage | 'und';

/** A language with word lists. */
export type AnalysedLanguage = (typeof analysedLanguages)[number];

/**
 * Why a pair is served (first three) or refused; `docs/guides/guards.md` explains each word.
 * The order of the refusals is the order of the checks.
 */
export type GuardReason =
  | 'equal'
  | 'same-words'
  | 'aligned'
  | 'version'
  | 'case'
  | 'cosine'
  | 'length'
  | 'language'
  | 'code'
  | 'format'
  | 'no-content'
  | 'number'
  | 'negation'
  | 'name'
  | 'question-type'
  | 'tense'
  | 'modal'
  | 'pronoun'
  | 'preposition'
  | 'opposite'
  | 'unaligned'
  | 'order'
  | 'referent'
  | 'time-dependent'
  | 'personal'
  | 'foreign-specifics'
  | 'currency';

/**
 * What a text says once politeness and question frames are gone: parsed once per text and stored with the entry.
 * Plain JSON; `encodeFingerprint` gives the compact form.
 */
export interface GuardFingerprint {
  /** Version of the parser; fingerprints of different versions never match. */
  readonly v: number;
  /** Hash of the text with case, politeness, and end punctuation folded; empty when nothing is left. */
  readonly equal: string;
  /** `und` = not analysable: only `equal` can serve. */
  readonly language: GuardLanguage;
  /** Why a text is `und` although its language may be known. */
  readonly tooLong: boolean;
  /** Hash of code blocks, URLs, quoted strings and marks like `5!`; empty when there are none. */
  readonly code: string;
  /** Requested output formats and languages, sorted. */
  readonly formats: readonly string[];
  /** Written forms whose case carries meaning ("US", "WHO"), sorted. */
  readonly cased: readonly string[];
  /** Proper names and identifiers, lower-cased. */
  readonly names: readonly string[];
  /** Question type of each sentence. */
  readonly types: readonly string[];
  /** Subject of a "how" question: generic, people, or another noun. */
  readonly subject: string;
  /** Grammatical person of a generic subject. */
  readonly person: string;
  /** The reduced sentence: words and numbers, sentences divided by `¶`. */
  readonly tokens: readonly string[];
  /** The answer depends on when it is asked. */
  readonly timeDependent: boolean;
  /** The answer depends on who asks. */
  readonly personal: boolean;
  /** It points at something that is not in the text ("this circuit"). */
  readonly missingReferent: boolean;
  /** What the entry's answer took from its conversation; absent of a text that has no answer yet. */
  readonly answer?: AnswerPrint;
}

/** One check of the rule with its outcome, in the order of evaluation. */
export interface GuardCheck {
  /** The reason word that it gives when it refuses. */
  readonly reason: GuardReason;
  /** What it asks, in words. */
  readonly asks: string;
  readonly passed: boolean;
  /** Switched off by the operator: its outcome does not count. */
  readonly disabled: boolean;
}

/** A text as the rule reads it. */
export interface GuardReading {
  readonly language: GuardLanguage;
  readonly types: readonly string[];
  /** Words that carry meaning, each with the preposition that governs it: "from paris". */
  readonly words: readonly string[];
  readonly numbers: readonly string[];
  readonly negations: readonly string[];
  readonly names: readonly string[];
  readonly prepositions: readonly string[];
  readonly pronouns: readonly string[];
  readonly tenses: readonly string[];
  readonly modals: readonly string[];
  readonly formats: readonly string[];
  readonly hasCode: boolean;
  readonly timeDependent: boolean;
  readonly personal: boolean;
  readonly missingReferent: boolean;
}

/** A word of the first text and the word of the second text that stands for it. */
export interface GuardAlignedWords {
  readonly a: string;
  readonly b: string;
  readonly how: 'same' | 'stem' | 'synonym' | 'compound';
}

/** The decision on one pair of texts. */
export interface GuardVerdict {
  readonly serve: boolean;
  readonly reason: GuardReason;
}

/** An operator's changes to the rule. */
export interface GuardOptions {
  /** Checks that are switched off, by their reason word. */
  readonly disabled?: ReadonlySet<GuardReason>;
  /** Words to add to the lists. */
  readonly extraWords?: GuardExtraWords;
  /** Least cosine for `aligned`; 0.75 unless set. */
  readonly minCosine?: number;
}

/** Words an operator adds; all lower case. They are applied when two fingerprints are compared, never stored with one. */
export interface GuardExtraWords {
  /** Groups of words that mean the same; two words that the language keeps apart as opposites stay apart. */
  readonly synonyms?: readonly (readonly string[])[];
  /** Words that align only with themselves. */
  readonly hard?: readonly string[];
  /** Words that may be left over on one side; never a hard word. */
  readonly droppable?: readonly string[];
  /** More synonyms and droppable words, for the texts of one language. */
  readonly byLanguage?: Readonly<Partial<Record<AnalysedLanguage, Pick<GuardExtraWords, 'synonyms' | 'droppable'>>>>;
}

/** A verdict with everything it rests on. */
export interface GuardExplanation {
  readonly verdict: GuardVerdict;
  /** {@link guardRuleId} of the rule that was asked. */
  readonly rule: string;
  readonly cosine: number;
  readonly fingerprints: readonly [GuardFingerprint, GuardFingerprint];
  readonly a: GuardReading;
  readonly b: GuardReading;
  /** Every check in order; those on the words only when both texts can be analysed. */
  readonly checks: readonly GuardCheck[];
  readonly aligned: readonly GuardAlignedWords[];
}
