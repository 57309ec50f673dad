/** Spans of a text that are compared exactly: code, addresses, quoted strings. */
export interface ExactSpans {
  /** Fenced and inline code, as written (line ends unified). */
  readonly code: readonly string[];
  /** URLs and e-mail addresses, as written, in their order: "from a to b" is not "from b to a". */
  readonly urls: readonly string[];
  /** Contents of double quotes, as written. */
  readonly quotes: readonly string[];
  /** Contents of single quotes, as written. */
  readonly singles: readonly string[];
  /** "5!" and "n!", where the mark is not an exclamation. */
  readonly factorials: readonly string[];
  /** The text on one line, code and addresses replaced by a word. */
  readonly rest: string;
}

const CODE = /```[^]*?```|`[^`]+`/g;
const ADDRESS = /https?:\/\/\S+|www\.\S+|[^\s@]{1,64}@[^\s@.]{1,64}\.\S+/gi;
const QUOTE = /"[^"]+"/g;
/** Never the apostrophe inside or at the end of a word. */
const SINGLE = /(?<![\p{L}\p{N}])'[^'\n]{1,80}'(?![\p{L}\p{N}])/gu;
const FACTORIAL = /(?<![\p{L}\p{N}])(?:\d+|[A-Za-z])!/gu;

/** A quotation whose case or blanks are the point: one character, or blanks where prose has none. */
export const ODD_QUOTE = /^.$|^\s|\s$|\s\s/u;

export const CODE_WORD = 'CODEBLK';
export const ADDRESS_WORD = 'URLTOK';

function trimCode(span: string): string {
  return span.replace(/^`+|`+$/g, '').replace(/[ \t]+(?=\n)/g, '');
}

/** Matches only where the text has a character without which there is none: most texts cost nothing. */
function matchAll(text: string, pattern: RegExp, ...signs: readonly string[]): readonly string[] {
  return signs.some((sign) => text.includes(sign)) ? (text.match(pattern) ?? []) : [];
}

/** Cuts the exactly compared spans out of a text whose characters are unified. */
export function cutExactSpans(text: string): ExactSpans {
  const code = matchAll(text, CODE, '`').map(trimCode);
  const withoutCode = code.length === 0 ? text : text.replace(CODE, ` ${CODE_WORD} `);
  const addresses = matchAll(withoutCode, ADDRESS, '://', 'www.', 'WWW.', '@');
  const urls = addresses.map((url) => url.replace(/[.,?!]{1,20}$/, ''));
  const prose = urls.length === 0 ? withoutCode : withoutCode.replace(ADDRESS, ` ${ADDRESS_WORD} `);
  const unquoted = (quote: string): string => quote.slice(1, -1);
  return {
    code,
    urls,
    quotes: matchAll(prose, QUOTE, '"').map(unquoted),
    singles: matchAll(prose, SINGLE, "'").map(unquoted),
    factorials: matchAll(prose, FACTORIAL, '!'),
    rest: prose.replace(/\s+/g, ' ').trim(),
  };
}
