import cased from '../languages/case-sensitive.json' with { type: 'json' };
import everyday from '../languages/en/common-words.json' with { type: 'json' };
import { readWordSet } from '../languages/word-list.js';
import { unifyCharacters } from '../text/normalize.js';
import data from './specific-words.json' with { type: 'json' };

/** A word or a number of a text, as it may be recognised elsewhere. */
export interface Specific {
  /**
   * - `sure`: a number, an identifier or a date word;
   * - `count`: a number below 100 or a currency: what an assistant says of itself is full of them;
   * - `name`: written as a name here, where that can be seen;
   * - `part`: of a script without capitals, in which any word may be a name;
   * - `word`: anything else.
   */
  readonly kind: 'sure' | 'count' | 'name' | 'part' | 'word';
  /** Ways in which it may be written, the fullest first. */
  readonly forms: readonly string[];
  /** A name by its capital alone: an everyday word that a text may capitalise as well. */
  readonly everyday: boolean;
}

const everydayWords = readWordSet([...everyday.words, ...cased.everyday, ...cased.functionWords]);
const dateWords = readWordSet(data.calendar);
const valueOf: ReadonlyMap<string, number> = new Map(
  Object.entries(data.counts).flatMap(([value, words]) => words.split(' ').map((word) => [word, Number(value)])),
);
const germanDeterminers = readWordSet(data.determiners);
const currencyOf: ReadonlyMap<string, string> = new Map(
  Object.entries(data.currencies).flatMap(([code, words]) => words.split(' ').map((word) => [word, code])),
);

const SYMBOL = '(?:US|R)?\\$|[€£¥₹₽₩₺₴₪฿₫₿]';
const TOKEN = new RegExp(
  `${SYMBOL}|[\\p{L}\\p{M}\\p{N}_]+(?:[-.,:'/@+][\\p{L}\\p{M}\\p{N}_]+)*|[.?!:\\n•>]|(?<=\\n\\s{0,8})[-*]`,
  'gu',
);
const BREAK = /^[.?!:\n•>*-]$/;
const SEPARATOR = /[-.,:'/@+]/u;
const DIGIT = /\d/;
const NOT_LETTERS = /[^\p{L}\p{M}]+/gu;
const NOT_DIGITS = /\D+/g;
/** Two scripts that write words without blanks and without capitals; hiragana is grammar. */
const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Katakana}ー]{2,}/gu;
const HANGUL = /^\p{Script=Hangul}+$/u;
const UNCASED = /^[\p{Lo}\p{Lm}\p{M}]+$/u;
const UNCASED_RUN = /[\p{Lo}\p{Lm}\p{M}]+|[^\p{Lo}\p{Lm}\p{M}\p{N}]+/gu;
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const INNER = /\p{Ll}\p{Lu}|_/u;
const FIRST_PERSON = new Set(['i', "i'm", "i'll", "i'd", "i've"]);

/** Currencies of scripts that write words without blanks; one character alone is also a part of other words. */
const innerCurrencies = [...currencyOf].filter(([word]) => word.length > 1 && UNCASED.test(word));

const LEAST_PART = 4;
const LEAST_STEM = 3;
const LONGEST_ENDING = 2;
/** A card or an account is often told by its end. */
const TAIL_OF = 8;
const TAIL = 4;
const LONGEST_TOKEN = 200;

const sure = (forms: readonly string[]): Specific => ({ kind: 'sure', forms, everyday: false });
const counted = (form: string): Specific => ({ kind: 'count', forms: [form], everyday: false });
const SMALL = /^\d{1,2}$/;
/** A number by its forms, a small one as a count. */
const number = (forms: readonly string[]): Specific =>
  forms.length === 1 && SMALL.test(forms[0] as string) ? counted(forms[0] as string) : sure(forms);

/** Marks of the language a text is in, as far as its capitals depend on it. */
export interface Writing {
  /** Every noun is capitalised: what stands after an article is none. */
  readonly nounsAreCapitalised: boolean;
  /** Its everyday words are known, so that any other word with a capital is a name even where a sentence begins. */
  readonly everydayWordsAreKnown: boolean;
}

/** The specifics of a text, in its order. */
export function specificsOf(text: string, writing: Writing): Specific[] {
  const found: Specific[] = [];
  let opens = true;
  let before = '';
  let digits = '';
  for (const match of unifyCharacters(text).matchAll(TOKEN)) {
    const token = match[0];
    if (BREAK.test(token)) {
      opens = true;
      before = '';
      continue;
    }
    const common = writing.nounsAreCapitalised && germanDeterminers.has(before);
    const place = { opens, common, known: writing.everydayWordsAreKnown };
    readToken(token.slice(0, LONGEST_TOKEN), place, found);
    // "48 213" may be written as one number elsewhere.
    const run = /^[\d.,-]+$/.test(token) ? digits + token.replace(NOT_DIGITS, '') : '';
    if (digits !== '' && run !== '') found.push(number(numberForms(run, [])));
    digits = run.slice(-24);
    before = token.toLowerCase();
    opens = false;
  }
  return found;
}

interface Place {
  /** It begins a sentence. */
  readonly opens: boolean;
  /** Its capital is that of any noun. */
  readonly common: boolean;
  /** Everyday words of its language are known. */
  readonly known: boolean;
}

function readToken(token: string, place: Place, to: Specific[]): void {
  const whole = token.toLowerCase();
  pushCurrency(whole, to);
  const parts = whole.split(SEPARATOR);
  if (DIGIT.test(token)) {
    to.push(number(numberForms(whole, parts)));
    // "3000円", "20eur".
    pushCurrency(whole.replace(NOT_LETTERS, ''), to);
    for (const run of runsOf(whole)) if (UNCASED.test(run)) readWord(run, place, to);
    if (parts.length > 1) for (const part of parts) if (DIGIT.test(part)) to.push(number(numberForms(part, [])));
    return;
  }
  if (token.includes('@')) to.push(sure([whole]));
  const sum = sumOf(parts);
  if (sum !== undefined) to.push(counted(String(sum)));
  const written = token.split(SEPARATOR).flatMap(runsOf);
  written.forEach((part, at) => readWord(part, { ...place, opens: place.opens && at === 0 }, to));
}

/** "twenty-three". */
function sumOf([tens = '', ones = '', ...more]: readonly string[]): number | undefined {
  const [ten, one] = [valueOf.get(tens), valueOf.get(ones)];
  if (ten === undefined || one === undefined || more.length > 0) return undefined;
  return ten % 10 === 0 && one < 10 ? ten + one : undefined;
}

/** Scripts are written without a blank between them. */
const runsOf = (word: string): readonly string[] => word.match(UNCASED_RUN) ?? [];

function pushCurrency(word: string, to: Specific[]): void {
  const code = currencyOf.get(word);
  if (code !== undefined) to.push(counted(`¤${code}`));
}

/** As written, without its separators, its digits, and the end of a long one. */
function numberForms(whole: string, parts: readonly string[]): string[] {
  const forms = [whole];
  if (parts.length > 1) forms.push(parts.join(''));
  const plain = whole.replace(/[.,](?:00|-)$/, '');
  const digits = plain.replace(NOT_DIGITS, '');
  if (digits !== '') forms.push(digits);
  if (digits.length >= TAIL_OF) forms.push(digits.slice(-TAIL));
  return [...new Set(forms)];
}

function readWord(word: string, place: Place, to: Specific[]): void {
  const lower = word.toLowerCase();
  if (lower === '') return;
  pushCurrency(lower, to);
  const value = valueOf.get(lower);
  if (value !== undefined || dateWords.has(lower)) {
    to.push(value === undefined ? sure([lower]) : counted(String(value)));
    return;
  }
  if (UNCASED.test(word)) {
    for (const [name, code] of innerCurrencies) if (word.includes(name)) to.push(counted(`¤${code}`));
    to.push(...partsOf(word));
    return;
  }
  const kind = isName(word, lower, place) ? 'name' : 'word';
  // "plan B"; a small letter alone says nothing.
  if (word.length < 2 && kind === 'word') return;
  to.push({ kind, forms: stems(lower), everyday: everydayWords.has(lower) });
}

function isName(word: string, lower: string, { opens, common, known }: Place): boolean {
  if (FIRST_PERSON.has(lower) || word === lower) return false;
  if (INNER.test(word) || (word.length > 1 && word === word.toUpperCase())) return true;
  if (common) return false;
  // At the start of a sentence a capital says nothing of an everyday word, or of a letter.
  return !opens || (known && word.length > 1 && !everydayWords.has(lower));
}

/** A name in another case of its grammar: "Annas", "Анны". */
function stems(lower: string): string[] {
  const forms = [lower];
  for (let cut = 1; cut <= LONGEST_ENDING && lower.length - cut >= LEAST_STEM; cut++) forms.push(lower.slice(0, -cut));
  return forms;
}

function partsOf(word: string): Specific[] {
  const part = (text: string): Specific => ({ kind: 'part', forms: [text], everyday: false });
  if (HANGUL.test(word)) return word.length < 2 ? [] : [part(word.slice(0, 2))];
  const ideographs = word.match(IDEOGRAPHIC) ?? [];
  if (ideographs.length > 0 || /[\p{Script=Hiragana}\p{Script=Han}\p{Script=Katakana}]/u.test(word))
    return ideographs.flatMap((run) => grams(run, 2)).map(part);
  if (UNSPACED.test(word)) return grams(word, LEAST_PART).map(part);
  return [...word].length < LEAST_PART ? [] : [part(word)];
}

function grams(text: string, size: number): string[] {
  const points = [...text];
  if (points.length <= size) return [text];
  return points.slice(0, points.length - size + 1).map((_, at) => points.slice(at, at + size).join(''));
}

/** The currencies that a text names, by their codes. */
export function currenciesOf(specifics: readonly Specific[]): ReadonlySet<string> {
  return new Set(
    specifics.flatMap(({ forms: [form] }) => (form !== undefined && form.startsWith('¤') ? [form.slice(1)] : [])),
  );
}
