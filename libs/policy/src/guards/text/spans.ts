/** Spans of a text that are compared exactly: code, addresses, quoted strings. */
export interface ExactSpans {
  /** Fenced and inline code, as written (line ends unified). */
  readonly code: readonly string[];
  /** URLs and e-mail addresses, as written. */
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
const QUOTE = /"([^"]+)"/g;
const FACTORIAL = /(?<![\p{L}\p{N}])(?:\d+|[A-Za-z])!/gu;

export const CODE_WORD = 'CODEBLK';
export const ADDRESS_WORD = 'URLTOK';

function trimCode(span: string): string {
  return span.replace(/^`+|`+$/g, '').replace(/[ \t]+(?=\n)/g, '');
}

/** Cuts the exactly compared spans out of a text whose characters are unified. */
export function cutExactSpans(text: string): ExactSpans {
  const code = (text.match(CODE) ?? []).map(trimCode);
  const withoutCode = text.replace(CODE, ` ${CODE_WORD} `).replace(/\s+/g, ' ').trim();
  const urls = (withoutCode.match(ADDRESS) ?? []).map((url) => url.replace(/[.,?!]{1,20}$/, '')).sort();
  const rest = withoutCode.replace(ADDRESS, ` ${ADDRESS_WORD} `);
  const quotes = [...rest.matchAll(QUOTE)].map((match) => match[1] ?? '');
  return { code, urls, quotes, factorials: rest.match(FACTORIAL) ?? [], rest };
}
