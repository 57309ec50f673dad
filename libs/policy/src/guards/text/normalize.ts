const SUPERSCRIPTS: Readonly<Record<string, string>> = {
  '⁰': '^0',
  '¹': '^1',
  '²': '^2',
  '³': '^3',
  '⁴': '^4',
  '⁵': '^5',
  '⁶': '^6',
  '⁷': '^7',
  '⁸': '^8',
  '⁹': '^9',
};

const QUOTES_AND_DASHES: Readonly<Record<string, string>> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
};

const DECIMAL_DIGIT = /^\p{Nd}$/u;

/**
 * Value of a decimal digit of any script.
 * Unicode stores them in ascending runs of ten, so the distance to the start of the run, modulo ten, is the value.
 */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (before < 50 && DECIMAL_DIGIT.test(String.fromCodePoint(code - before - 1))) before++;
  return String(before % 10);
}

/** Line ends and blanks at the ends of lines unified; everything else stays. */
export function unifyLineEnds(text: string): string {
  return text.replace(/\r\n?|\u2028|\u2029/g, '\n').replace(/[ \t]{1,200}(?=\n)/g, '');
}

/**
 * NFKC, decimal digits of every script to ASCII, quotes and dashes unified.
 * Powers keep a mark first (NFKC alone would make "5²" a "52"), and so do vulgar fractions ("1½" is not "11/2").
 */
export function unifyCharacters(text: string): string {
  return text
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (c) => SUPERSCRIPTS[c] ?? c)
    .replace(/(\d)([¼-¾⅐-⅞])/g, '$1 $2')
    .normalize('NFKC')
    .replace(/[^\P{Nd}0-9]/gu, digitValue)
    .replace(/[’‘“”„«»–—]/g, (c) => QUOTES_AND_DASHES[c] ?? c);
}

/** {@link unifyCharacters} on one line. */
export function unifyText(text: string): string {
  return unifyCharacters(text).replace(/\s+/g, ' ').trim();
}

/** Cuts the characters of `set` from both ends, in linear time. */
export function trimCharacters(text: string, set: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && set.includes(text.charAt(from))) from++;
  while (to > from && set.includes(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}
