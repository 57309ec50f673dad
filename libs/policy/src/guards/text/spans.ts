/** Spans of a text that are compared exactly: code, addresses, quoted strings. */
export interface ExactSpans {
  /** Fenced and inline code, as written (line ends unified). */
  readonly code: readonly string[];
  /** URLs and e-mail addresses, as written, in their order: "from a to b" is not "from b to a". */
  readonly urls: readonly string[];
  /** Contents of double quotes, as written. */
  readonly quotes: readonly string[];
  /** "5!" and "n!", where the mark is not an exclamation. */
  readonly factorials: readonly string[];
  /** The text on one line, code and addresses replaced by a word. */
  readonly rest: string;
}

const CODE = /```[^]*?```|`[^`]+`/g;
const ADDRESS = /https?:\/\/\S+|www\.\S+|[^\s@]{1,64}@[^\s@.]{1,64}\.\S+/gi;
const QUOTE = /"[^"]+"/g;
const FACTORIAL = /(?<![\p{L}\p{N}])(?:\d+|[A-Za-z])!/gu;

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
  const withoutCode = (code.length === 0 ? text : text.replace(CODE, ` ${CODE_WORD} `)).replace(/\s+/g, ' ').trim();
  const addresses = matchAll(withoutCode, ADDRESS, '://', 'www.', 'WWW.', '@');
  const urls = addresses.map((url) => url.replace(/[.,?!]{1,20}$/, ''));
  const rest = urls.length === 0 ? withoutCode : withoutCode.replace(ADDRESS, ` ${ADDRESS_WORD} `);
  const quotes = matchAll(rest, QUOTE, '"').map((quote) => quote.slice(1, -1));
  return { code, urls, quotes, factorials: matchAll(rest, FACTORIAL, '!'), rest };
}
