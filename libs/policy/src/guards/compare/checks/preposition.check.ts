import type { Analysis, ContentWord } from '../../analyse/analysis.types.js';
import type { SoftPrepositions } from '../../languages/language.types.js';
import type { Pair } from '../pair.js';
import { areRequests, sameMultiset } from '../pair.js';
import { isSymmetric } from './alignment.checks.js';

/** Two aligned words with what governs them. */
interface Governed {
  readonly x: ContentWord;
  readonly y: ContentWord;
  /** The words before them, when these are aligned with each other. */
  readonly heads: readonly ContentWord[];
  /** Whether the words before them are aligned with each other, or both are the first. */
  readonly sameNeighbour: boolean;
}

const inOneOf = (groups: readonly ReadonlySet<string>[], x: string, y: string): boolean =>
  groups.some((group) => group.has(x) && group.has(y));

function bind({ bindingHeads }: SoftPrepositions, heads: readonly ContentWord[]): boolean {
  return heads.some(({ bases }) => bases.some((base) => bindingHeads.has(base)));
}

/** Whether one preposition may stand for another after these heads. */
function mayReplace(pair: Pair, { x, y, heads, sameNeighbour }: Governed): boolean {
  const { soft } = pair.a.pack.lexicon;
  // inside a phrase the first word has answered
  if (sameNeighbour && !x.first && !y.first) return true;
  if (inOneOf(soft.alwaysGroups, x.marker, y.marker)) return true;
  if (x.counted && soft.beforeNumbers.has(x.marker) && soft.beforeNumbers.has(y.marker)) return true;
  const follows = soft.headed.filter((each) => heads.some(({ word }) => each.heads.has(word)));
  if (follows.some(({ group }) => group.has(x.marker) && group.has(y.marker))) return true;
  return !bind(soft, heads) && inOneOf(soft.groups, x.marker, y.marker);
}

/** Whether a preposition may be left out: "some of the", "search for", "on March 3". */
function mayVanish(pair: Pair, { x, y, heads, sameNeighbour }: Governed): boolean {
  const { lexicon } = pair.a.pack;
  const marker = x.marker === '' ? y.marker : x.marker;
  if (!sameNeighbour) return true;
  if (x.counted && lexicon.soft.beforeNumbers.has(marker)) return true;
  const asked = areRequests(pair) || heads.some(({ word }) => lexicon.closingVerbs.has(word));
  if (asked && lexicon.soft.vanishingInRequests.has(marker)) return true;
  if (heads.length === 0 && lexicon.soft.vanishingAtStart.has(marker)) return true;
  return lexicon.soft.vanishing.has(marker) && !bind(lexicon.soft, heads);
}

const isHardMarker = ({ pack }: Analysis, marker: string): boolean => pack.lexicon.hardPrepositions.has(marker);
const isConjunction = ({ pack }: Analysis, marker: string): boolean => pack.lexicon.conjunctions.has(marker);

/** Whether two aligned words may stand after these prepositions. */
function markersFit(pair: Pair, governed: Governed): boolean {
  const { x, y } = governed;
  const text = pair.a;
  if (x.marker === y.marker) return true;
  const hardX = isHardMarker(text, x.marker);
  const hardY = isHardMarker(text, y.marker);
  if ((hardX && x.first) || (hardY && y.first)) return false;
  if (hardX || hardY || isConjunction(text, x.marker) || isConjunction(text, y.marker)) return true;
  if (x.marker !== '' && y.marker !== '') return mayReplace(pair, governed);
  const begins = x.marker === '' ? y.first : x.first;
  return !begins || mayVanish(pair, governed);
}

/** In yes/no questions no preposition appears or vanishes ("is it the box" / "is it in the box"). */
function yesNoMarkersFit({ x, y }: Governed): boolean {
  if ((x.marker === '') === (y.marker === '') || x.marker === 'of' || y.marker === 'of') return true;
  return !((x.first && x.marker !== '') || (y.first && y.marker !== ''));
}

function governedPairs({ a, b, alignment }: Pair): Governed[] {
  return alignment.pairs.flatMap(({ a: i, b: j }) => {
    const x = a.content[i];
    const y = b.content[j];
    if (x === undefined || y === undefined) return [];
    const sameNeighbour = i === 0 || j === 0 ? i === j : alignment.toB[i - 1] === j - 1;
    const before = [a.content[i - 1], b.content[j - 1]].filter((word) => word !== undefined);
    return [{ x, y, heads: sameNeighbour ? before : [], sameNeighbour }];
  });
}

/** Every preposition governs the same aligned word, or one that may replace it does; the one at the end of a sentence is the same. */
export function prepositionsGovernAlike(pair: Pair): boolean {
  const { a, b } = pair;
  if (!sameMultiset(a.stranded, b.stranded)) return false;
  const { sides } = a.pack.lexicon;
  const compares = isSymmetric(a) && isSymmetric(b);
  const yesNo = a.types.includes('YN') || b.types.includes('YN');
  return governedPairs(pair).every((governed) => {
    if (yesNo && !yesNoMarkersFit(governed)) return false;
    const { x, y } = governed;
    return (compares && sides.has(x.marker) && sides.has(y.marker)) || markersFit(pair, governed);
  });
}
