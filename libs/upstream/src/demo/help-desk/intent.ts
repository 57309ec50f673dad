import type { SlotName, Slots } from './entities.js';

/** An offer at the end of an answer that the next "yes" or "no" refers to. */
export interface Offer {
  /** Names what "yes" would set off. */
  id: string;
  question: string;
  done: (slots: Slots) => string;
}

/** One thing a customer can want, all the wordings of it, and its right answer. */
export interface IntentSpec {
  id: string;
  slots: readonly SlotName[];
  /** Slots that count as said when they are not. */
  defaults?: Slots;
  /** Verb phrases that follow "How do I". */
  acts?: readonly string[];
  /** Noun phrases that follow "Tell me". */
  nouns?: readonly string[];
  /** Questions with the verb in front, without the question mark. */
  questions?: readonly string[];
  /** The same questions as clauses that follow "Do you know". */
  clauses?: readonly string[];
  answer: (slots: Slots) => string;
  offer?: Offer;
  /** How long it takes, for "how long does that take?". */
  takes?: string;
  /** What it costs, for "is there a fee for that?". */
  fee?: string;
  /** The reason, for "why is that?". */
  because?: string;
  /** The intents that a careless reader would take for this one. */
  nearMisses?: readonly string[];
}
