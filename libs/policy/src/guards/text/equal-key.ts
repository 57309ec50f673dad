import type { PhrasePack } from '../phrases/phrase.types.js';
import { trimCharacters } from './normalize.js';
import type { ExactSpans } from './spans.js';
import { COMMAND } from './symbols.js';

const START = ' ,，、¿¡';
const END = ' ,，、?？。.؟…';
const MARKS = '!！';
/** Brackets, braces, semicolons, an indented line, a call or a flag: what looks like code keeps its case and its blanks. */
const LOOKS_LIKE_CODE = /[{}[\]\\;=<>]|[\p{L}\p{N}_]\(|\n[ \t]{2,}\S|(?<!\S)-{1,2}\p{L}/u;
/** A letter, a number or a symbol of any script. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{S}]/u;
const COMBINING_MARK = /\p{M}/gu;
const ASKS = /[?？¿]/u;
const ALWAYS_ASKS = /^cuale?s?$/;

/** Cuts "!" after a word of two letters or more: "5!" and "n!" keep their mark. */
function cutExclamation(text: string): string {
  const kept = trimCharacters(`x${text}`, MARKS).slice(1);
  return kept.length < text.length && /\p{L}{2}$/u.test(kept.slice(-4)) ? kept : text;
}

function cutEnds(text: string): string {
  if (/\s\.{1,2}$/.test(text)) return text;
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

/** Politeness of the text's own language only: "what does merci mean" keeps its "merci". */
function cutPoliteness(text: string, pack: PhrasePack | undefined): string {
  if (pack === undefined) return text;
  const cut = text.replace(pack.opening, '').replace(pack.closing, '').replace(pack.please, ' ');
  return cut.replace(/\s+/g, ' ');
}

/**
 * A question word at the start without its accent: in a question the accent is often left out.
 * Without accent and without question mark the word may be a conjunction ("como pan"), so that the text is told apart.
 */
function foldAccents(text: string, pack: PhrasePack | undefined, asks: boolean): string {
  if (pack?.accentedStart === undefined) return text;
  return text.replace(pack.accentedStart, (word) => {
    const bare = word.normalize('NFD').replace(COMBINING_MARK, '');
    return bare !== word || asks || ALWAYS_ASKS.test(bare) ? bare : `${bare}.`;
  });
}

/**
 * The form under which two texts count as equal: case and blanks folded, politeness and end punctuation cut.
 * `unified` is the text with its characters unified. Text that looks like code keeps case and inner blanks; exact spans (code, addresses,
 * quoted strings) are appended as written. Empty when nothing is left.
 */
export function equalKey(unified: string, spans: ExactSpans, pack: PhrasePack | undefined): string {
  const text = unified.trim();
  if (LOOKS_LIKE_CODE.test(text) || text.search(COMMAND) >= 0)
    return SAYS_SOMETHING.test(text) ? cutPunctuation(text) : '';
  const line = text.replace(/\s+/g, ' ').toLowerCase().replaceAll('ς', 'σ');
  const key = cutPunctuation(
    foldAccents(cutPunctuation(cutPoliteness(cutPunctuation(line), pack)), pack, ASKS.test(line)),
  );
  if (!SAYS_SOMETHING.test(key)) return '';
  return JSON.stringify([key, spans.code, spans.urls, spans.quotes, spans.singles]);
}
