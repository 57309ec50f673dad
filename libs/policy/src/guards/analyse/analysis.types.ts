import type { GuardLanguage } from '../guard.types.js';
import type { LanguagePack } from '../languages/language.types.js';

/** A word that carries meaning, with what stands around it. */
export interface ContentWord {
  /** Canonical form: alias, singular, month name, `good` for the best. */
  readonly word: string;
  /** As written, without a possessive ending. */
  readonly raw: string;
  /** Every base form that it may belong to. */
  readonly bases: readonly string[];
  /** Preposition or conjunction that governs it; `''` for none. */
  readonly marker: string;
  /** First word after its marker. */
  readonly first: boolean;
  /** Negation right before it; `''` for none. */
  readonly negation: string;
  /** Segment number: changes at every preposition, conjunction and sentence end. */
  readonly segment: number;
  /** A possessive ("France's"). */
  readonly possessive: boolean;
  /** A possessive of several ("the boys' dog"). */
  readonly pluralOwner: boolean;
  /** Counted like a number: number, calendar word, quantity. */
  readonly counted: boolean;
  /** Case ending of the article before it, where a language has one. */
  readonly articleForm: string;
  /** Article, or a word that stands for one, of the phrase that it is in; `''` for none. */
  readonly article: string;
  /** Article, possessor (`I`, `Y`, "he") or pronoun right before it; `''` for none. */
  readonly determiner: string;
}

/** A pronoun and how many content words stand before it. */
export interface PlacedPronoun {
  readonly form: string;
  readonly after: number;
}

/** What the words of a reduced text do; derived from a fingerprint, never stored. */
export interface Analysis {
  readonly language: GuardLanguage;
  readonly pack: LanguagePack;
  readonly types: readonly string[];
  /** Types joined by `+`; `NONE` for no sentence. */
  readonly type: string;
  readonly subject: string;
  readonly person: string;
  readonly names: readonly string[];
  readonly content: readonly ContentWord[];
  readonly words: ReadonlySet<string>;
  /** Every written form that a name may be found in. */
  readonly forms: ReadonlySet<string>;
  readonly negations: readonly string[];
  readonly prepositions: readonly string[];
  /** Third persons, demonstratives, indefinites, reflexives. */
  readonly pronouns: readonly string[];
  readonly persons: readonly string[];
  readonly possessives: readonly string[];
  readonly places: readonly PlacedPronoun[];
  /** First of I, you, we as written. */
  readonly firstPerson: string;
  readonly tenses: readonly string[];
  readonly modals: readonly string[];
  /** Class of each auxiliary: forms of "be" are not forms of "do". */
  readonly auxiliaries: readonly string[];
  readonly stranded: readonly string[];
  readonly symbols: readonly string[];
  /** The counted words. */
  readonly numbers: readonly string[];
}
