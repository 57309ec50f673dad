import { unifyText } from '../text/normalize.js';

/** Longest text whose phrases are looked at; of a longer one, its two ends. */
const MAX_LINE = 4000;

/** A text as one lower-cased line; the middle of a very long one is cut, since requests stand at its ends. */
export function lowerLine(text: string): string {
  const bounded = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE / 2)} ${text.slice(-MAX_LINE / 2)}` : text;
  return unifyText(bounded).toLowerCase();
}
