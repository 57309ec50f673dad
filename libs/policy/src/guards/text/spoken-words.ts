import data from '../languages/spoken-words.json' with { type: 'json' };
import { readWordSet } from '../languages/word-list.js';

/** Signs that a text speaks of a word: its spelling, its forms, its sound, its meaning. */
const ABOUT_WORDS = new RegExp(`(?<!\\p{L})(?:${data.signs.join('|')})(?!\\p{L})`, 'iu');
/** Words that only ask. */
const asking = readWordSet(data.asking);
const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'-]*/gu;
const OPENING = /^(?:(?:please|pls|hi|hello|hey|bitte|hallo|hola|bonjour|salut)[\s,.!]+)+/iu;
const CLOSING = /[\s,.]+(?:please|pls|thanks|thank you|bitte|danke|gracias|por favor|merci)[\s.!?]*$/iu;
/** Longest text that is about a word; of a longer one the words are material. */
const MAX_LENGTH = 200;

/**
 * The words that a text speaks of, as written and in their order: "how many letters are in colour?", "what is the plural of mouse?".
 * Their spelling, number and form are the question, so that nothing may be folded. `undefined` for a text that speaks of no word.
 */
export function spokenWords(text: string): string | undefined {
  if (text.length > MAX_LENGTH || !ABOUT_WORDS.test(text)) return undefined;
  const words = text.replace(OPENING, '').replace(CLOSING, '').toLowerCase().match(WORD) ?? [];
  const bare = words.map((word) => word.replace(/['-]{1,9}$/u, ''));
  return bare.filter((word) => !asking.has(word)).join(' ');
}
