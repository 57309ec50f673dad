import type { Analysis, ContentWord } from '../../analyse/analysis.types.js';
import type { Pair } from '../pair.js';
import { areRequests, eitherIs, sameMultiset } from '../pair.js';

/** Words left over that the rule may not ignore. */
function remaining(pair: Pair, words: readonly ContentWord[], { pack }: Analysis): readonly ContentWord[] {
  const request = eitherIs(pair, 'REQ', 'WANT');
  const bothRequests = areRequests(pair);
  return words.filter(({ word }) => {
    if (pair.lists.isDroppable(word)) return false;
    if (request && pack.lexicon.requestVerbs.has(word)) return false;
    return !(bothRequests && pack.lexicon.requestFillers.has(word));
  });
}

/** A hard word aligns only with itself, its stem, or a listed synonym, and is never left over. */
export function oppositesAgree(pair: Pair): boolean {
  const { a, b, alignment, lists } = pair;
  const left = [...remaining(pair, alignment.leftA, a), ...remaining(pair, alignment.leftB, b)];
  return !left.some(({ word }) => lists.isHard(word));
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

function softlyEqual({ pack }: Analysis, x: string, y: string): boolean {
  return pack.lexicon.softGroups.some((group) => group.has(x) && group.has(y));
}

const isHardMarker = ({ pack }: Analysis, marker: string): boolean => pack.lexicon.hardPrepositions.has(marker);
const isConjunction = ({ pack }: Analysis, marker: string): boolean => pack.lexicon.conjunctions.has(marker);

/** Whether two aligned words may stand after these prepositions. */
function markersFit(text: Analysis, x: ContentWord, y: ContentWord): boolean {
  if (x.marker === y.marker) return true;
  const hardX = isHardMarker(text, x.marker);
  const hardY = isHardMarker(text, y.marker);
  if ((hardX && x.first) || (hardY && y.first)) return false;
  if (hardX || hardY || isConjunction(text, x.marker) || isConjunction(text, y.marker)) return true;
  const bothBegin = (x.first && y.first) || (x.marker !== '' && y.marker !== '');
  return !bothBegin || softlyEqual(text, x.marker, y.marker);
}

/** In yes/no questions no preposition appears or vanishes ("is it the box" / "is it in the box"). */
function yesNoMarkersFit(x: ContentWord, y: ContentWord): boolean {
  if ((x.marker === '') === (y.marker === '') || x.marker === 'of' || y.marker === 'of') return true;
  return !((x.first && x.marker !== '') || (y.first && y.marker !== ''));
}

/** Every preposition governs the same aligned word, or one that may replace it does. */
export function prepositionsGovernAlike(pair: Pair): boolean {
  const { a, b, alignment } = pair;
  if (!sameMultiset(a.stranded, b.stranded)) return false;
  const { sides } = a.pack.lexicon;
  const compares = isSymmetric(a) && isSymmetric(b);
  const yesNo = a.types.includes('YN') || b.types.includes('YN');
  return alignment.pairs.every(({ a: i, b: j }) => {
    const x = a.content[i];
    const y = b.content[j];
    if (x === undefined || y === undefined) return false;
    if (yesNo && !yesNoMarkersFit(x, y)) return false;
    return (compares && sides.has(x.marker) && sides.has(y.marker)) || markersFit(a, x, y);
  });
}
