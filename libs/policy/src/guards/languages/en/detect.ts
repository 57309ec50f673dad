import { readWordSet } from '../word-list.js';
import foreign from './foreign.json' with { type: 'json' };
import words from './words.json' with { type: 'json' };

const functionWords = readWordSet(words.functionWords);
const ambiguous = readWordSet(words.ambiguousFunctionWords);
const foreignWords = readWordSet(foreign.words);

const WORD = /\p{L}+/gu;
const BEYOND_LATIN = /[^\P{L}\u0000-\u024F]/u;
const ACCENTED = /[^\P{L}A-Za-z]/u;

/** Whether a text is English: more unambiguous English function words than foreign ones; with an accent two and no foreign one. */
export function isEnglish(text: string): boolean {
  if (BEYOND_LATIN.test(text)) return false;
  const found = text.toLowerCase().match(WORD) ?? [];
  const english = found.filter((word) => functionWords.has(word) && !ambiguous.has(word)).length;
  const other = found.filter((word) => foreignWords.has(word)).length;
  if (ACCENTED.test(text)) return english >= 2 && other === 0;
  return english > other;
}
