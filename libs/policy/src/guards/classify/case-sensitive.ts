import data from '../languages/case-sensitive.json' with { type: 'json' };
import { readWordSet } from '../languages/word-list.js';

const acronyms = readWordSet(data.acronyms);
const proper = readWordSet(data.proper);
/** Units and formulas in mixed capitals: Mb is not MB, mW not MW, Co not CO. */
const units = readWordSet(data.units);
const WORD = /\p{L}+|[.?!:]/gu;
const LOWER = /\p{Ll}/u;

const isUpper = (text: string): boolean => text === text.toUpperCase() && text !== text.toLowerCase();

/** `U` for a capitalised acronym, `C` for a capitalised name; `''` where the case says nothing. */
function caseMark(word: string, sentenceStart: boolean): string {
  const lower = word.toLowerCase();
  if (word === lower) return '';
  if (word.length > 1 && isUpper(word)) return acronyms.has(lower) || proper.has(lower) ? 'U' : '';
  if (units.has(lower) && !isUpper(word)) return word;
  return !sentenceStart && proper.has(lower) && isUpper(word.charAt(0)) ? 'C' : '';
}

/**
 * Words whose case carries meaning in a text: "US" beside "us", "Polish" beside "polish"; sorted.
 * A text in capitals only says nothing by its case.
 */
export function casedWords(text: string): string[] {
  if (!LOWER.test(text)) return [];
  const found: string[] = [];
  let sentenceStart = true;
  for (const [word] of text.matchAll(WORD)) {
    if ('.?!:'.includes(word)) {
      sentenceStart = true;
      continue;
    }
    const mark = caseMark(word, sentenceStart);
    if (mark !== '') found.push(`${word.toLowerCase()}:${mark}`);
    sentenceStart = false;
  }
  return found.sort();
}
