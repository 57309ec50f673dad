import { ACCOUNT_INTENTS } from './account-intents.js';
import type { Slots } from './entities.js';
import { ORDER_INTENTS, PLACE_INTENTS, PRODUCT_INTENTS } from './fact-intents.js';
import { ACT_FRAMES, CLAUSE_FRAMES, NOUN_FRAMES, QUESTION_FRAMES } from './frames.js';
import type { IntentSpec } from './intent.js';
import { PhraseIndex, type Phrase } from './phrase-index.js';
import { SERVICE_INTENTS } from './service-intents.js';

/** Every first-turn intent of the help desk, the most wanted ones first. */
export const INTENTS: readonly IntentSpec[] = [
  ...ORDER_INTENTS.slice(0, 2),
  ...ACCOUNT_INTENTS.slice(0, 1),
  ...SERVICE_INTENTS.slice(0, 1),
  ...PRODUCT_INTENTS,
  ...PLACE_INTENTS,
  ...ORDER_INTENTS.slice(2),
  ...SERVICE_INTENTS.slice(1),
  ...ACCOUNT_INTENTS.slice(1),
];

const BY_ID = new Map(INTENTS.map((intent) => [intent.id, intent]));

export function intentNamed(id: string): IntentSpec {
  const intent = BY_ID.get(id);
  if (intent === undefined) throw new RangeError(`no such intent: ${id}`);
  return intent;
}

export function findIntent(id: string): IntentSpec | undefined {
  return BY_ID.get(id);
}

/** Which frames fit which kind of wording. */
export const WORDING_KINDS = [
  { field: 'acts', frames: ACT_FRAMES },
  { field: 'nouns', frames: NOUN_FRAMES },
  { field: 'questions', frames: QUESTION_FRAMES },
  { field: 'clauses', frames: CLAUSE_FRAMES },
] as const;

/** Bare wordings of an intent, without frames and with slots in braces. */
export function phrasesOf(intent: IntentSpec): string[] {
  return WORDING_KINDS.flatMap(({ field }) => [...(intent[field] ?? [])]);
}

function* allPhrases(): Generator<Phrase<string>> {
  for (const intent of INTENTS) for (const text of phrasesOf(intent)) yield { id: intent.id, text };
}

export const INTENT_INDEX = new PhraseIndex(allPhrases());

/** Canonical identity of a right answer: the intent and its slots in a fixed order. */
export function answerKeyOf(intent: IntentSpec, slots: Slots): string {
  const filled: Slots = { ...intent.defaults, ...slots };
  return [intent.id, ...intent.slots.map((slot) => `${slot}=${filled[slot] ?? ''}`)].join('|');
}
