import { cutExactSpans } from './spans.js';
import type { ExactSpans } from './spans.js';
import { trimCharacters, unifyCharacters, unifyLineEnds } from './normalize.js';

const START = ' ,，、¿¡';
const END = ' ,，、?？。.؟…';
const MARKS = '!！';
/** Brackets, braces, semicolons, an indented line or a call: what looks like code keeps its case and its blanks. */
const LOOKS_LIKE_CODE = /[{}[\]\\;=<>]|\p{L}\(|\n[ \t]{2,}\S/u;

/** Cuts "!" after a word of two letters or more: "5!" and "n!" keep their mark. */
function cutExclamation(text: string): string {
  const kept = trimCharacters(`x${text}`, MARKS).slice(1);
  return kept.length < text.length && /\p{L}{2}$/u.test(kept) ? kept : text;
}

function cutEnds(text: string): string {
  let from = 0;
  while (from < text.length && START.includes(text.charAt(from))) from++;
  let to = text.length;
  while (to > from && END.includes(text.charAt(to - 1))) to--;
  return cutExclamation(text.slice(from, to));
}

/** Cuts punctuation from both ends only: "1.000"/"1,000" and "a, not b"/"a not, b" stay apart. */
function cutPunctuation(text: string): string {
  let current = text;
  for (let round = 0; round < 4; round++) {
    const next = cutEnds(current);
    if (next === current) break;
    current = next;
  }
  return current;
}

function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/**
 * The form under which two texts count as equal: characters unified, case and blanks folded, end punctuation cut.
 * Text that looks like code keeps case and inner blanks; exact spans (code, addresses, quoted strings) are appended as written.
 */
export function equalKey(
  text: string,
  spans: ExactSpans = cutExactSpans(unifyCharacters(unifyLineEnds(text))),
): string {
  const unified = unifyCharacters(unifyLineEnds(text)).trim();
  if (LOOKS_LIKE_CODE.test(unified)) return cutPunctuation(unified);
  const key = cutPunctuation(foldCase(unified.replace(/\s+/g, ' ')));
  if (key === '') return '';
  return JSON.stringify([key, spans.code, spans.urls, spans.quotes]);
}
