import words from './words.json' with { type: 'json' };
import { readWordSet } from '../word-list.js';

const functionWords = readWordSet(words.functionWords);
const ambiguous = readWordSet(words.ambiguousFunctionWords);

/** Whether a text is English: ASCII letters only and at least one unambiguous English function word. */
export function isEnglish(text: string): boolean {
  if (/[^\P{L}A-Za-z]/u.test(text)) return false;
  const found = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return found.some((word) => functionWords.has(word) && !ambiguous.has(word));
}
