import type { Analysis, ContentWord } from '../../analyse/analysis.types.js';
import type { Pair } from '../pair.js';
import { areRequests, eitherIs } from '../pair.js';

/** Words left over that the rule may not ignore. */
function remaining(pair: Pair, words: readonly ContentWord[], { pack, content }: Analysis): readonly ContentWord[] {
  const request = eitherIs(pair, 'REQ', 'WANT');
  const bothRequests = areRequests(pair);
  const standsAlone = ({ segment }: ContentWord): boolean =>
    content.filter((word) => word.segment === segment).length === 1;
  return words.filter((left) => {
    const { word } = left;
    if (pair.lists.isDroppable(word)) return false;
    if (request && pack.lexicon.requestVerbs.has(word)) return false;
    if (request && pack.lexicon.closingVerbs.has(word) && standsAlone(left)) return false;
    return !(bothRequests && pack.lexicon.requestFillers.has(word));
  });
}

/** "mute" / "unmute": one word is the other with a prefix that turns it around. */
function isNegatedForm(x: string, y: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => x === prefix + y || y === prefix + x);
}

/** A hard word aligns only with itself, its stem, or a listed synonym, and is never left over. */
export function oppositesAgree(pair: Pair): boolean {
  const { a, b, alignment, lists } = pair;
  const leftA = remaining(pair, alignment.leftA, a);
  const leftB = remaining(pair, alignment.leftB, b);
  if ([...leftA, ...leftB].some(({ word }) => lists.isHard(word))) return false;
  const { negatingPrefixes } = a.pack.lexicon;
  return !leftA.some((x) => leftB.some((y) => isNegatedForm(x.word, y.word, negatingPrefixes)));
}

/** Nothing that matters is left over. */
export function everythingAligns(pair: Pair): boolean {
  const { a, b, alignment } = pair;
  return remaining(pair, alignment.leftA, a).length === 0 && remaining(pair, alignment.leftB, b).length === 0;
}

/** Whether a text compares two things, so that its two sides may swap. */
export function isSymmetric({ words, prepositions, pack }: Analysis): boolean {
  const { symmetric } = pack.lexicon;
  return prepositions.some((word) => symmetric.has(word)) || [...words].some((word) => symmetric.has(word));
}
