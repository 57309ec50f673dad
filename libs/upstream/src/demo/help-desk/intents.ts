import { ACCOUNT_INTENTS } from './account-intents.js';
import type { Slots } from './entities.js';
import { ACT_FRAMES, CLAUSE_FRAMES, NOUN_FRAMES, QUESTION_FRAMES } from './frames.js';
import type { IntentSpec } from './intent.js';
import { ORDER_INTENTS } from './order-intents.js';
import { PhraseIndex, type Phrase } from './phrase-index.js';
import { PLACE_INTENTS } from './place-intents.js';
import { PRODUCT_INTENTS } from './product-intents.js';
import { SERVICE_INTENTS } from './service-intents.js';

/** The first of each list, then the second of each, and so on. */
function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list.slice(place, place + 1))).flat();
}

/** Every intent that can open a conversation, the most wanted ones first. */
export const INTENTS: readonly IntentSpec[] = interleaved([
  ORDER_INTENTS,
  ACCOUNT_INTENTS,
  PRODUCT_INTENTS,
  SERVICE_INTENTS,
  PLACE_INTENTS,
]);

const BY_ID = new Map(INTENTS.map((intent) => [intent.id, intent]));

export function intentNamed(id: string): IntentSpec {
  const intent = BY_ID.get(id);
  if (intent === undefined) throw new RangeError(`no such intent: ${id}`);
  return intent;
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
