import type { Lexicon, NumberWords } from '../languages/language.types.js';

/** Divides the sentences in a token list. */
export const SENTENCE_END = '¶';

const DIGITS = /^(-?)([$€£¥₹]?)(\d[\d.,:/]*?)[.,:]?(\p{L}{0,3}|%|°[cf]?)$/u;
/** Groups of digits: two or three after a comma (lakhs), exactly three after a dot. */
const GROUPED: Readonly<Record<string, RegExp>> = {
  ',': /^\d{1,3}(?:,\d{2,3})+(?:\.\d+)?$/,
  '.': /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/,
};
const PLAIN = /^#\d+(?:\.\d+)?$/;
const LARGE_UNITS = new Set(['#100', '#1000', '#1000000', '#1000000000']);
const DIGIT = /\d/;

interface Reading {
  /** Tokens that the number becomes. */
  readonly tokens: readonly string[];
  /** Index after the last token read. */
  readonly next: number;
}

/** Whether "one" at this place is a pronoun ("which one", "one of"). */
function isPronounOne(
  numbers: NumberWords,
  word: string,
  before: string | undefined,
  after: string | undefined,
): boolean {
  if (word !== numbers.one) return false;
  if (before !== undefined && numbers.noNumberAfter.has(before)) return true;
  return after !== undefined && (after === SENTENCE_END || numbers.noNumberBefore.has(after));
}

/** Whether a further number word adds to what is read so far: "twenty" + "three", "hundred" + "five", but not "five" + "three". */
function continues(current: number, value: number): boolean {
  if (current === 0 || current % 100 === 0) return true;
  return current % 10 === 0 && value < 10;
}

/** Reads "twenty-three", "two hundred and five thousand" from `from`; the value and where it ends. */
function readNumberWords(numbers: NumberWords, words: readonly string[], from: number): Reading {
  let total = 0;
  let current = 0;
  let index = from;
  for (; index < words.length; index++) {
    const word = words[index] ?? '';
    const value = numbers.values.get(word);
    const multiplier = numbers.multipliers.get(word);
    if (value !== undefined) {
      if (!continues(current, value)) break;
      current += value;
    } else if (multiplier !== undefined) {
      current = Math.max(current, 1) * multiplier;
      if (multiplier >= 1000) {
        total += current;
        current = 0;
      }
    } else if (!joinsNumber(numbers, words, index, from)) break;
  }
  return { tokens: [`#${total + current}`], next: index };
}

/** Whether "and" at `index` stands inside a number ("hundred and five"). */
function joinsNumber(numbers: NumberWords, words: readonly string[], index: number, from: number): boolean {
  return (
    index > from &&
    words[index] === numbers.and &&
    numbers.multipliers.has(words[index - 1] ?? '') &&
    numbers.values.has(words[index + 1] ?? '')
  );
}

function plainDigits(digits: string, separator: string): string {
  const cut = digits.replace(/[.,:]+$/, '');
  return GROUPED[separator]?.test(cut) === true ? cut.replaceAll(separator, '') : cut;
}

/** Digits with a sign, a currency before or a unit after: "$5", "30k", "3rd", "20%", "6pm". */
function readDigits(lexicon: Lexicon, word: string): readonly string[] | undefined {
  const match = DIGITS.exec(word);
  if (match === null) return undefined;
  const [, sign = '', currency = '', digits = '', suffix = ''] = match;
  const value = plainDigits(digits, lexicon.numbers.groupSeparator);
  const money = currency === '' ? [] : [lexicon.aliases.get(currency) ?? currency];
  if (suffix === 'k' && /^\d+(?:\.\d+)?$/.test(value)) return [`#${sign}${Math.round(Number(value) * 1000)}`, ...money];
  if (lexicon.numbers.ordinalEndings.has(suffix)) return [`#o${value}`, ...money];
  const unit = suffix === '' ? [] : [lexicon.aliases.get(suffix) ?? suffix];
  return [`#${sign}${value}`, ...unit, ...money];
}

function readOrdinal(numbers: NumberWords, word: string, before: string | undefined): readonly string[] | undefined {
  const value = numbers.ordinals.get(word);
  if (value === undefined) return undefined;
  return word === numbers.unitOrdinal && before?.startsWith('#') === true ? undefined : [`#o${value}`];
}

function readOne(lexicon: Lexicon, words: readonly string[], index: number, before: string | undefined): Reading {
  const { numbers } = lexicon;
  const word = (words[index] ?? '').replace(/^['.,]+|['.,]+$/g, '');
  const next = index + 1;
  if (numbers.values.has(word) || numbers.multipliers.has(word)) {
    if (isPronounOne(numbers, word, before, words[next])) return { tokens: [word], next };
    const reading = readNumberWords(numbers, words, index);
    return reading.next > index ? reading : { tokens: [word], next };
  }
  const tokens = DIGIT.test(word) ? readDigits(lexicon, word) : readOrdinal(numbers, word, before);
  if (tokens !== undefined) return { tokens, next };
  if (DIGIT.test(word)) return { tokens: [`#${word}`], next };
  return { tokens: word === '' ? [] : [word], next };
}

/** "5 thousand": digits before a large unit are one number. */
function joinLargeUnits(tokens: readonly string[]): string[] {
  const joined: string[] = [];
  for (const token of tokens) {
    const before = joined[joined.length - 1] ?? '';
    if (LARGE_UNITS.has(token) && PLAIN.test(before)) {
      joined[joined.length - 1] = `#${Math.round(Number(before.slice(1)) * Number(token.slice(1)))}`;
    } else joined.push(token);
  }
  return joined;
}

/**
 * Numbers of a token list to values: cardinals `#5`, ordinals `#o5`, other tokens with a digit `#x5`.
 * In a text that names a month an ordinal is a day ("3rd of May" = "May 3").
 */
export function readNumbers(lexicon: Lexicon, words: readonly string[]): string[] {
  const tokens: string[] = [];
  for (let index = 0; index < words.length;) {
    const reading = readOne(lexicon, words, index, tokens[tokens.length - 1]);
    tokens.push(...reading.tokens);
    index = reading.next;
  }
  const joined = joinLargeUnits(tokens);
  const dated = joined.some((token) => lexicon.numbers.months.has(token));
  return dated ? joined.map((token) => (token.startsWith('#o') ? `#${token.slice(2)}` : token)) : joined;
}
