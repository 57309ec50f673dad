import type { ContentWord } from '../../analyse/analysis.types.js';
import type { AlignedPair } from '../align.js';
import type { Pair } from '../pair.js';
import { sameMultiset } from '../pair.js';
import { everythingAligns } from './alignment.checks.js';
import { ordersAgree } from './order.check.js';

interface Place {
  readonly x: ContentWord;
  readonly y: ContentWord;
  readonly pair: AlignedPair;
}

function placesOf({ a, b, alignment }: Pair): Place[] {
  return alignment.pairs.flatMap((pair) => {
    const x = a.content[pair.a];
    const y = b.content[pair.b];
    return x === undefined || y === undefined ? [] : [{ x, y, pair }];
  });
}

/** "from A to B" / "from B to A": a word at the start of the way in one text and at its end in the other. */
function directionsAgree(pair: Pair, places: readonly Place[]): boolean {
  const { origins, goals } = pair.a.pack.lexicon;
  return places.every(({ x, y }) => {
    const turned = (from: ContentWord, to: ContentWord): boolean => origins.has(from.marker) && goals.has(to.marker);
    return !turned(x, y) && !turned(y, x);
  });
}

/** Next to "than", "instead", "if" the shared words keep their order. */
function comparisonsAgree(pair: Pair, places: readonly Place[]): boolean {
  const { orderSensitive } = pair.a.pack.lexicon;
  if (![...pair.a.prepositions, ...pair.b.prepositions].some((word) => orderSensitive.has(word))) return true;
  return places.every(({ pair: { b } }, index) => index === 0 || b > (places[index - 1]?.pair.b ?? -1));
}

/** Whether three neighbours of a list fall. */
function hasFallingTriple(positions: readonly number[]): boolean {
  return positions.some((third, index) => {
    const first = positions[index - 2];
    const second = positions[index - 1];
    return first !== undefined && second !== undefined && first > second && second > third;
  });
}

/** "dog chases cat" / "cat chases dog": three shared words outside prepositional phrases, turned around. */
function noneTurnedAround(places: readonly Place[]): boolean {
  const core = places.filter(({ x, y }) => x.marker === '' && y.marker === '').map(({ pair }) => pair);
  const inB = core.map(({ b }) => b);
  const inA = [...core].sort((left, right) => left.b - right.b).map(({ a }) => a);
  return !hasFallingTriple(inB) && !hasFallingTriple(inA);
}

/** "switch on" / "switch off": a preposition that one side of an opposition lives by is in both texts or in none. */
export function polarPrepositionsAgree({ a, b }: Pair): boolean {
  const { polar } = a.pack.lexicon;
  const polarIn = (prepositions: readonly string[]): string[] => prepositions.filter((word) => polar.has(word));
  return sameMultiset(polarIn(a.prepositions), polarIn(b.prepositions));
}

/**
 * Role order as a wall that holds without full alignment: directions, comparisons and turned-around triples.
 * When every word has a partner, the whole order check holds.
 */
export function rolesAgree(pair: Pair): boolean {
  if (everythingAligns(pair)) return ordersAgree(pair);
  const places = placesOf(pair);
  return directionsAgree(pair, places) && comparisonsAgree(pair, places) && noneTurnedAround(places);
}
