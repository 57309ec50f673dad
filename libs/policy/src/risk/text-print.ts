/** What the features need to know of one text; computed once per text. */
export interface TextPrint {
  readonly words: ReadonlySet<string>;
  readonly wordCount: number;
  /** The words in order, joined by blanks: two texts are "equal" when these are. */
  readonly plain: string;
  /** Digit tokens, months, weekdays, number words, parts of day. */
  readonly numbers: ReadonlySet<string>;
  /** Capitalised words that do not begin a sentence. */
  readonly names: ReadonlySet<string>;
  readonly negated: boolean;
  readonly asks: boolean;
}

const word = /[A-Za-z][A-Za-z'&.-]*[A-Za-z]|[A-Za-z]|\$?\d[\d:.,/]*\d|\$?\d/g;
const negation =
  /\b(no|not|n't|don't|doesn't|isn't|won't|can't|cannot|never|none|nothing|nope|nah|without|neither)\b|n't/i;
const listOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const numberWords = listOf(
  'january february march april june july august september october november december monday tuesday wednesday thursday ' +
    'friday saturday sunday today tomorrow two three four five six seven eight nine ten eleven twelve morning afternoon ' +
    'evening noon midnight',
);
/** `may` is mostly a verb and `one` mostly a pronoun: neither a number nor a name. */
const neither = listOf('may one');
const capitalisedAnyway = listOf("i i'm i'll i'd i've am pm ok okay yes no");
const sentenceEnd = /[.?!:]$/;

/** Words, specifics and marks of one text (risk-model.md §3). */
export function textPrint(text: string): TextPrint {
  const inOrder: string[] = [];
  const numbers = new Set<string>();
  const names = new Set<string>();
  let before = 0;
  for (const match of text.matchAll(word)) {
    const token = match[0];
    const gap = text.slice(before, match.index).trimEnd();
    const opens = sentenceEnd.test(gap) || (before === 0 && gap === '');
    before = match.index + token.length;
    const lower = token.toLowerCase();
    inOrder.push(lower);
    const first = token.charCodeAt(0);
    if (isDigit(first) || token.startsWith('$')) numbers.add(trimNumber(lower));
    else if (numberWords.has(lower)) numbers.add(lower);
    else if (neither.has(lower)) continue;
    else if (isCapital(first) && !opens && !capitalisedAnyway.has(lower)) names.add(lower);
  }
  return {
    words: new Set(inOrder),
    wordCount: inOrder.length,
    plain: inOrder.join(' '),
    numbers,
    names,
    negated: negation.test(text),
    asks: text.trimEnd().endsWith('?'),
  };
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isCapital = (code: number): boolean => code >= 65 && code <= 90;
const trimNumber = (token: string): string => token.replace(/^\$+|\$+$/g, '').replace(/[.,]+$/, '');
