import { readWordSet } from '../word-list.js';
import commonWords from './common-words.json' with { type: 'json' };
import foreign from './foreign.json' with { type: 'json' };
import words from './words.json' with { type: 'json' };

const functionWords = readWordSet(words.functionWords);
const ambiguousWords = readWordSet(words.ambiguousFunctionWords);
const foreignWords = readWordSet(foreign.words);
/** Everyday words that no other language written in ASCII letters spells alike. */
const contentWords = readWordSet(commonWords.words);

const WORD = /\p{L}+/gu;
const BEYOND_LATIN = /[^\P{L}\u0000-\u024F]/u;
const ACCENTED = /[^\P{L}A-Za-z]/u;

interface Evidence {
  /** Function words that only English has. */
  readonly english: number;
  /** Function words that other languages have as well ("a", "in", "so"). */
  readonly ambiguous: number;
  readonly content: number;
  readonly foreign: number;
}

function weigh(text: string): Evidence {
  const found = text.toLowerCase().match(WORD) ?? [];
  const count = (test: (word: string) => boolean): number => found.filter(test).length;
  return {
    english: count((word) => functionWords.has(word) && !ambiguousWords.has(word)),
    ambiguous: count((word) => ambiguousWords.has(word)),
    content: count((word) => contentWords.has(word)),
    foreign: count((word) => foreignWords.has(word)),
  };
}

/**
 * Whether a text is English: more unambiguous English function words than foreign ones; with an accent two and no foreign one.
 * A name that is a foreign word ("van") is outweighed by ambiguous ones. Without any, no foreign word and two everyday English words, or one beside an ambiguous function word.
 */
export function isEnglish(text: string): boolean {
  if (BEYOND_LATIN.test(text)) return false;
  const { english, ambiguous, content, foreign: other } = weigh(text);
  if (ACCENTED.test(text)) return english >= 2 && other === 0;
  if (english > other || (english > 0 && english + ambiguous > 2 * other)) return true;
  return other === 0 && (content >= 2 || (content === 1 && ambiguous >= 1));
}
