import type { GuardLanguage } from '../guard.types.js';
import data from '../languages/case-sensitive.json' with { type: 'json' };
import everyday from '../languages/en/common-words.json' with { type: 'json' };
import { readWordSet } from '../languages/word-list.js';
import { AS_WRITTEN, letterCaseMarks } from './letter-case.js';

const acronyms = readWordSet(data.acronyms);
const proper = readWordSet(data.proper);
/** Units and formulas in mixed capitals: Mb is not MB, mW not MW, Co not CO. */
const units = readWordSet(data.units);
/** Function words: a capital inside a sentence makes them a name ("It", "Her"). */
const functionWords = readWordSet(data.functionWords);
/** Products that many people write without their inner capitals. */
const mixedCaseNames = readWordSet(data.mixedCaseNames);
const everydayWords = readWordSet([...everyday.words, ...data.everyday]);
const germanWords = readWordSet(data.german);
const exams = readWordSet(data.exams);
const examWords = readWordSet(data.examWords);
const placed = readWordSet(data.placed);
const SMALL_ACRONYM = new RegExp(`\\b(?:us|${[...exams].join('|')})\\b`);

const WORD = /\p{L}[\p{L}\p{N}_]*|_[\p{L}\p{N}_]+|[.?!:"]/gu;
const LETTERS = /\p{L}+/gu;
/** Three letters or more, not one letter repeated. */
const LONG_WORD = /(?<!\p{L})(?!(\p{L})\1+(?!\p{L}))\p{L}{3,}/gu;
const LOWER = /\p{Ll}/u;
const UPPER = /\p{Lu}/u;
/** Written as programs are: a capital inside, or an underscore. */
const IDENTIFIER = /\p{Ll}\p{Lu}|\p{L}_|_\p{L}/u;
const ARTICLES = new Set(['the', 'a', 'an']);
const INDEFINITE = new Set(['a', 'an', 'my', 'your', 'our']);
const DETERMINERS = new Set([
  ...INDEFINITE,
  'the',
  'his',
  'her',
  'their',
  'this',
  'that',
  'every',
  'each',
  'no',
  'one',
]);
const IN = new Set(['in', 'to', 'from']);
const BEFORE_EXAM = new Set(['for', 'in', 'of', 'about', 'through', 'on']);
/** Words that title case leaves in lower case. */
const MIN_TITLE_WORD = 4;

/** Stands for a text without any capital, or in title case: it says nothing by its case. */
export const CASELESS = '~';

const isUpper = (text: string): boolean => text === text.toUpperCase() && text !== text.toLowerCase();
const isCapitalised = (word: string): boolean => isUpper(word.charAt(0));

/** How a text is written, as far as the case of one of its words depends on it. */
interface Writing {
  readonly title: boolean;
  readonly language: GuardLanguage;
}

/** `U` for a capitalised acronym, `C` for a capitalised name, the form itself for a unit; `''` where the case says nothing. */
function listedMark(word: string, sentenceStart: boolean): string {
  const lower = word.toLowerCase();
  if (word === lower) return '';
  if (word.length > 1 && isUpper(word)) return acronyms.has(lower) || proper.has(lower) ? 'U' : '';
  if (units.has(lower) && !isUpper(word)) return word;
  return !sentenceStart && proper.has(lower) && isCapitalised(word) ? 'C' : '';
}

const isKnown = (word: string): boolean => everydayWords.has(word) || functionWords.has(word);

/** A word of the text with what stands before it and after it. */
interface Place {
  readonly word: string;
  readonly sentenceStart: boolean;
  /** Part of a run of capitals that a rare word identifies ("Pokemon Go", "New York"), or after "a": its case adds nothing. */
  readonly identified: boolean;
  /** First of its run: a function word there is part of the name ("It Follows"). */
  readonly opensRun: boolean;
}

/**
 * `C` for a function word written as a name, `c` for an everyday word, `i` where a neighbour says that it is a name
 * (where the language is not known, for any): the latter counts only against a text that uses capitals.
 */
function capitalMark(place: Place, { title, language }: Writing): string {
  const { word, sentenceStart, identified } = place;
  if (sentenceStart || title || !isCapitalised(word) || (word.length > 1 && isUpper(word))) return '';
  const lower = word.toLowerCase();
  if (language === 'de') return germanWords.has(lower) ? 'c' : '';
  if (language === 'und') return 'c';
  if (functionWords.has(lower)) return identified && (!place.opensRun || ARTICLES.has(lower)) ? '' : 'C';
  if (!everydayWords.has(lower)) return '';
  return identified ? 'i' : 'c';
}

/** Marks of one word, as `lower:mark`. */
function marksOf(place: Place, writing: Writing): string[] {
  const { word, sentenceStart } = place;
  const lower = word.toLowerCase();
  if (word === lower && !word.includes('_')) return [];
  if (IDENTIFIER.test(word)) return word === lower || mixedCaseNames.has(lower) ? [] : [`${lower}:${word}`];
  const listed = (word.match(LETTERS) ?? []).flatMap((letters) => {
    const mark = listedMark(letters, sentenceStart);
    return mark === '' ? [] : [`${letters.toLowerCase()}:${mark}`];
  });
  if (listed.length > 0) return listed;
  const mark = capitalMark(place, writing);
  return mark === '' ? [] : [`${lower}:${mark}`];
}

const isStop = (token: string | undefined): boolean => token === undefined || '.?!:"'.includes(token);

/** The words of a text in their runs of capitals. */
function placesOf(tokens: readonly string[]): Place[] {
  const places: Place[] = [];
  const startsSentence = (at: number): boolean => isStop(tokens[at - 1]);
  const inRun = (at: number): boolean => !isStop(tokens[at]) && !startsSentence(at) && isCapitalised(tokens[at] ?? '');
  for (let at = 0; at < tokens.length;) {
    let end = at;
    while (inRun(end)) end++;
    const run = tokens.slice(at, end);
    const identified = run.some((word) => !isKnown(word.toLowerCase())) || INDEFINITE.has(tokens[at - 1] ?? '');
    run.forEach((word, index) => places.push({ word, sentenceStart: false, identified, opensRun: index === 0 }));
    const word = tokens[end];
    if (word !== undefined && !isStop(word))
      places.push({ word, sentenceStart: startsSentence(end), identified: false, opensRun: false });
    at = end + 1;
  }
  return places;
}

/** "the us", "jobs in us": the country, written small. */
function isCountry(tokens: readonly string[], at: number): boolean {
  const before = tokens[at - 1] ?? '';
  return before === 'the' || (IN.has(before) && placed.has((tokens[at - 2] ?? '').toLowerCase()));
}

/** An exam written small: after a preposition or a word of exams, with another such word near, and no noun with an article or another noun. */
function isExam(tokens: readonly string[], at: number): boolean {
  const [before = '', after] = [tokens[at - 1], tokens[at + 1]];
  const named = BEFORE_EXAM.has(before) || examWords.has(before);
  const ends =
    isStop(after) || examWords.has(after ?? '') || (functionWords.has(after ?? '') && !DETERMINERS.has(after ?? ''));
  return named && ends && tokens.some((token) => examWords.has(token.toLowerCase()));
}

/** Abbreviations that people write small, where they cannot be the word that is spelt alike. */
function smallAcronyms(tokens: readonly string[]): string[] {
  return tokens
    .filter((token, at) => (token === 'us' ? isCountry(tokens, at) : exams.has(token) && isExam(tokens, at)))
    .map((token) => `${token}:U`);
}

/** Headlines capitalise nearly every word. */
function isTitle(words: readonly string[]): boolean {
  const later = words.slice(1).filter((word) => word !== 'I');
  const capitalised = later.filter(isCapitalised);
  if (capitalised.length >= 2 && capitalised.length >= 0.75 * later.length) return true;
  const long = later.filter((word) => word.length >= MIN_TITLE_WORD);
  return long.length >= 3 && long.every(isCapitalised);
}

/** Capitals throughout, in words enough to tell: "WHAT IS A FJORD", not "YYYY-MM-DD". */
function isInCapitals(text: string): boolean {
  return !LOWER.test(text) && (text.match(LONG_WORD)?.length ?? 0) >= 2;
}

/** What is asked to be defined is a word or a notion, whatever its first letter. */
const DEFINES = /\bdefin(?:e|es|ed|ing|ition|itions)\b/iu;

/**
 * Words whose case carries meaning in a text: "US" beside "us", "Polish" beside "polish", "White House" beside "white house", `fooBar`; sorted.
 * {@link CASELESS} for a text without capitals and for a headline. A text in capitals only has none.
 */
export function casedWords(text: string, language: GuardLanguage): string[] {
  const hasUpper = UPPER.test(text);
  if (hasUpper && isInCapitals(text)) return [];
  const small = language === 'en' && SMALL_ACRONYM.test(text);
  if (!hasUpper && !small) return [CASELESS];
  const tokens = text.match(WORD) ?? [];
  const found = new Set<string>(small ? smallAcronyms(tokens) : []);
  if (!hasUpper) return [...found.add(CASELESS)].sort();
  const title = language !== 'de' && isTitle(tokens.filter((token) => !isStop(token)));
  if (title) found.add(CASELESS);
  for (const place of placesOf(tokens)) for (const mark of marksOf(place, { title, language })) found.add(mark);
  for (const mark of letterCaseMarks(text, language, title)) found.add(mark);
  const marks = [...found].sort();
  const isSoft = (mark: string): boolean => mark.endsWith(':c');
  return marks.some(isSoft) && DEFINES.test(text) ? marks.filter((mark) => !isSoft(mark)) : marks;
}

/**
 * Whether the marked words of one text clash with the other text, which has `tokens`; `equal` = the same words throughout.
 * A soft mark (`c`) says nothing against a text without capitals; a word that must be as written is missed wherever it is absent.
 */
export function caseClashes(
  from: readonly string[],
  to: readonly string[],
  tokens: readonly string[],
  equal: boolean,
): boolean {
  return from.some((marked) => {
    if (marked === CASELESS || marked.endsWith(':i') || to.includes(marked)) return false;
    if (marked.includes(`:${AS_WRITTEN}`)) return true;
    if (marked.endsWith(':c') && (to.includes(CASELESS) || to.includes(`${marked.slice(0, -1)}i`))) return false;
    return equal || tokens.includes(marked.slice(0, marked.indexOf(':')));
  });
}
