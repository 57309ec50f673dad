import type { GuardLanguage } from '../guard.types.js';
import data from '../languages/letter-case.json' with { type: 'json' };
import everyday from '../languages/en/common-words.json' with { type: 'json' };
import caseSensitive from '../languages/case-sensitive.json' with { type: 'json' };
import { readWordSet } from '../languages/word-list.js';
import { hashText } from '../text/hash.js';

const shortNames = readWordSet(data.shortNames);
const romanNumerals = readWordSet(data.romanNumerals);
const letterHeads = readWordSet(data.letterHeads);
const letterTails = readWordSet(data.letterTails);
const codeWords = readWordSet(data.codeWords);
const technicalNames = readWordSet(data.technicalNames);
const everydayWords = readWordSet([...everyday.words, ...caseSensitive.everyday, ...caseSensitive.functionWords]);
const TECHNICAL = new RegExp(`(?<![\\p{L}\\p{N}])(?:${data.technical.join('|')})(?![\\p{L}\\p{N}])`, 'iu');

/** A run of letters of a script that has case. */
const RUN = /[\p{Lu}\p{Ll}\p{Lt}][\p{Lu}\p{Ll}\p{Lt}\p{M}]*/gu;
const ANY_UPPER = /\p{Lu}|\p{Lt}/u;
const CASELESS_SCRIPT = /\p{Lo}/u;
/** Longest stretch before and after a run that is looked at. */
const REACH = 24;
const OPENS_SENTENCE = /(?:^|[.?!:…]["')\]]?\s+|[¿¡])[\s"'(*]*$/u;
/** "\d", "%m", "+x", "$s", "^M", " -d", " :w": a letter that a sign before it makes a command. */
const SIGN_BEFORE = /[\\%+$^]$|(?:^|\s)[-:.]$/u;
const CALL_AFTER = /^[([{]/u;
/** "U.S.", "J. K.", "O'Brien", "it's", "B2B", "x86", "snake_case": another rule's. */
const OTHER_BEFORE = /\p{L}['.]$|\p{L}\d{1,9}$|_$/u;
const OTHER_AFTER = /^(?:\.\p{L}|\.\s+\p{Lu}|'\p{L}|\d|_)/u;
/** "T-shirt", "x-ray", not "M-yyyy". */
const COMPOUND_AFTER = /^-(?!(\p{L})\1)\p{L}{3,}/u;
const REPEATED = /^(\p{L})\1+$/iu;
const WORD_BEFORE = /(\p{L}+)\s+$/u;
const WORD_AFTER = /^\s+(\p{L}+)/u;

/** Most characters of a word's forms that are stored as written. */
const MAX_FORMS = 48;

/** Prefix of the form of a word that must be written so in both texts. */
export const AS_WRITTEN = '=';

interface Run {
  readonly word: string;
  readonly lower: string;
  readonly before: string;
  readonly after: string;
  /** First word of a sentence: its capital says nothing. */
  readonly opens: boolean;
  /** A sign makes it a command or a call. */
  readonly joined: boolean;
}

/** How a whole text is written. */
interface Writing {
  readonly language: GuardLanguage;
  readonly technical: boolean;
  readonly title: boolean;
}

const isUpper = (text: string): boolean => text !== text.toLowerCase() && text === text.toUpperCase();
const isTitle = (word: string): boolean => isUpper(word.charAt(0)) && word.slice(1) === word.slice(1).toLowerCase();

function readRuns(text: string): Run[] {
  const glued = CASELESS_SCRIPT.test(text);
  return [...text.matchAll(RUN)].map((match) => {
    const [word] = match;
    const end = match.index + word.length;
    const before = text.slice(Math.max(0, match.index - REACH), match.index);
    const after = text.slice(end, end + REACH);
    const start = OPENS_SENTENCE.test(match.index > REACH ? `…${before}` : before);
    const joined = SIGN_BEFORE.test(before) || CALL_AFTER.test(after);
    return { word, lower: word.toLowerCase(), before, after, opens: start && !glued, joined };
  });
}

/** A letter whose case nobody doubts: "vitamin D", "T shirt", "10K", "3D", "5 PM". */
function isIdentifiedLetter({ lower, before, after }: Run): boolean {
  if (/\d$/.test(before) && (lower === 'k' || lower === 'd')) return true;
  if (/\d\s?$/.test(before) && (lower === 'am' || lower === 'pm')) return true;
  const head = WORD_BEFORE.exec(before)?.[1]?.toLowerCase() ?? '';
  const tail = WORD_AFTER.exec(after)?.[1]?.toLowerCase() ?? '';
  return lower.length === 1 && (letterHeads.has(head) || letterTails.has(tail));
}

/** Whether a short run is a word of the language or a name that is written either way. */
function isShortWord(run: Run, { language, title }: Writing): boolean {
  const { word, lower } = run;
  if (lower === 'i' && language !== 'de') return true;
  if (lower === 'a' && language === 'en') return title || isIdentifiedLetter(run);
  if (shortNames.has(lower) || (romanNumerals.has(lower) && (isUpper(word) || word === lower))) return true;
  return lower.length > 1 && (everydayWords.has(lower) || (title && isTitle(word)));
}

/** Whether the case of a run counts, and how firmly: `hard` in every text, `soft` not against one without capitals. */
function weight(run: Run, writing: Writing): 'hard' | 'soft' | undefined {
  const { word, lower, before, after } = run;
  if (run.joined) return 'hard';
  if (OTHER_BEFORE.test(before) || OTHER_AFTER.test(after)) return undefined;
  if (lower.length <= 2 || (REPEATED.test(word) && !shortNames.has(lower))) {
    if (isShortWord(run, writing) || COMPOUND_AFTER.test(after) || isIdentifiedLetter(run)) return undefined;
    if (run.opens && isTitle(word)) return undefined;
    return lower.length === 2 && isTitle(word) && !/\d\s?$/.test(before) ? 'soft' : 'hard';
  }
  if (!writing.technical || technicalNames.has(lower)) return undefined;
  if (codeWords.has(lower)) return 'hard';
  return run.opens && isTitle(word) ? undefined : 'soft';
}

/** Forms in their order; of many, their hash, since the marks are stored with the entry. */
function shortened(forms: string): string {
  return forms.length > MAX_FORMS ? hashText(forms) : forms;
}

/** Whether a text is technical: about commands, patterns, formats or programs, where case is syntax. */
export function isTechnical(text: string): boolean {
  return TECHNICAL.test(text);
}

/**
 * Marks of the words whose case carries meaning although no list of abbreviations or names has them: one or two letters, one letter repeated,
 * a letter with a sign, and in technical texts every word. `lower:=form` counts against every text, `lower:c` only against one with capitals;
 * a word that is written in several ways has its forms in their order ("f(x) if F(x)").
 */
export function letterCaseMarks(text: string, language: GuardLanguage, title: boolean): string[] {
  if (!ANY_UPPER.test(text)) return [];
  const writing = { language, title, technical: isTechnical(text) };
  const forms = new Map<string, string[]>();
  const soft = new Set<string>();
  for (const run of readRuns(text)) {
    const kind = weight(run, writing);
    if (kind === 'soft' && run.word !== run.lower) soft.add(`${run.lower}:c`);
    if (kind !== 'hard') continue;
    const written = forms.get(run.lower) ?? [];
    forms.set(run.lower, written);
    if (written[written.length - 1] !== run.word) written.push(run.word);
  }
  const hard = [...forms].filter(([lower, written]) => written.some((form) => form !== lower));
  return [...soft, ...hard.map(([lower, written]) => `${lower}:${AS_WRITTEN}${shortened(written.join(','))}`)];
}
