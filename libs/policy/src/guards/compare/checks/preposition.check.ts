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

/** Whether a list lets one preposition, or none, stand for another between these words. */
function isListed({ headed }: SoftPrepositions, { x, y, heads }: Governed): boolean {
  return headed.some(
    (each) =>
      each.group.has(x.marker) &&
      each.group.has(y.marker) &&
      heads.some(({ word }) => each.heads.has(word)) &&
      (each.before.size === 0 || (each.before.has(x.word) && x.article === '' && y.article === '')),
  );
}

const opens = (word: ContentWord): boolean => word.first && !word.possessive;

/** Whether one preposition may stand for another after these heads. */
function mayReplace(pair: Pair, { x, y, heads, sameNeighbour }: Governed): boolean {
  const { soft } = pair.a.pack.lexicon;
  // inside a phrase the first word has answered; an owner ("the firewall's") opens none
  if (sameNeighbour && !opens(x) && !opens(y)) return true;
  if (inOneOf(soft.alwaysGroups, x.marker, y.marker)) return true;
  if (x.counted && soft.beforeNumbers.has(x.marker) && soft.beforeNumbers.has(y.marker)) return true;
  if (isListed(soft, { x, y, heads, sameNeighbour })) return true;
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
  if (isListed(lexicon.soft, { x, y, heads, sameNeighbour })) return true;
  if (heads.length === 0 && lexicon.soft.vanishingAtStart.has(marker)) return true;
  return lexicon.soft.vanishing.has(marker) && !bind(lexicon.soft, heads);
}

const isHardMarker = ({ pack }: Analysis, marker: string): boolean => pack.lexicon.hardPrepositions.has(marker);
const isConjunction = ({ pack }: Analysis, marker: string): boolean => pack.lexicon.conjunctions.has(marker);

/** "nach Essen" is not "nach dem Essen": a bare name beside a noun with its article. */
function articlesChange({ pack }: Analysis, x: ContentWord, y: ContentWord): boolean {
  return pack.lexicon.articlePrepositions.has(x.marker) && (x.article === '') !== (y.article === '');
}

/** Whether two aligned words may stand after these prepositions. */
function markersFit(pair: Pair, governed: Governed): boolean {
  const { x, y } = governed;
  const text = pair.a;
  if (x.marker === y.marker) return !(x.first && y.first && articlesChange(text, x, y));
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
