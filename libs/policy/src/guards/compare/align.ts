import type { Analysis, ContentWord } from '../analyse/analysis.types.js';
import { sharesBase } from '../analyse/bases.js';
import type { GuardAlignedWords } from '../guard.types.js';

/** Word lists in force for a pair: the language's and the operator's. */
export interface PairLists {
  isHard(word: string): boolean;
  isDroppable(word: string): boolean;
  /** Whether a repeated word may be left over. */
  readonly dropsRepeats: boolean;
  areSynonyms(a: ContentWord, b: ContentWord): boolean;
  /** Words that the operator lets stand for this one. */
  operatorSynonyms(word: string): ReadonlySet<string>;
}

/** A pair of content words, by index. */
export interface AlignedPair {
  readonly a: number;
  readonly b: number;
  readonly how: GuardAlignedWords['how'];
}

/** One-to-one alignment of content words and what is left over once droppable words are gone. */
export interface Alignment {
  /** Sorted by `a`. */
  readonly pairs: readonly AlignedPair[];
  readonly leftA: readonly ContentWord[];
  readonly leftB: readonly ContentWord[];
  /** Index in `b` of each word of `a`; -1 for none. */
  readonly toB: readonly number[];
  /** Every word shares a base form with its partner and stands at the same place. */
  readonly exact: boolean;
}

interface State {
  readonly a: readonly ContentWord[];
  readonly b: readonly ContentWord[];
  readonly toB: number[];
  readonly toA: number[];
  readonly pairs: AlignedPair[];
}

type Matches = (a: ContentWord, b: ContentWord) => boolean;

interface Candidate {
  readonly a: number;
  readonly b: number;
  readonly distance: number;
}

function link(state: State, a: number, b: number, how: AlignedPair['how']): void {
  state.toB[a] = b;
  state.toA[b] = a;
  state.pairs.push({ a, b, how });
}

function candidates({ a, b, toA, toB }: State, matches: Matches): Candidate[] {
  const found: Candidate[] = [];
  a.forEach((left, i) => {
    if (toB[i] !== -1) return;
    b.forEach((right, j) => {
      if (toA[j] !== -1 || !matches(left, right)) return;
      found.push({ a: i, b: j, distance: Math.abs(i / a.length - j / b.length) });
    });
  });
  return found;
}

/**
 * Links unlinked words that match, nearest in relative position first.
 * Two candidates that exclude each other never tie on distance and index sum at once, so the result does not depend on which text comes first.
 */
function linkNearest(state: State, how: AlignedPair['how'], matches: Matches): void {
  if (state.pairs.length >= Math.min(state.a.length, state.b.length)) return;
  const found = candidates(state, matches);
  if (found.length > 1) found.sort((x, y) => x.distance - y.distance || x.a + x.b - (y.a + y.b));
  for (const { a, b } of found) {
    if (state.toB[a] === -1 && state.toA[b] === -1) link(state, a, b, how);
  }
}

/** Shortest half of a compound: a shorter one is a prefix ("re-sign" is not "resign"). */
const MIN_HALF = 3;
const PREFIXES = new Set(['non', 'pre', 'mis', 'dis', 'sub', 'anti', 'over', 'under', 'out']);

function joins(whole: string, first: string, second: string): boolean {
  return whole === first + second && first.length >= MIN_HALF && second.length >= MIN_HALF && !PREFIXES.has(first);
}

/** Links a joined compound with its two halves ("username" / "user name"): the joined word with the first half, the second is used up. */
function linkCompounds(state: State): void {
  const { a, b, toA, toB } = state;
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      if (toB[i] !== -1 || toA[j] !== -1) continue;
      const left = a[i]?.word ?? '';
      const right = b[j]?.word ?? '';
      const joinsB = toA[j + 1] === -1 && joins(left, right, b[j + 1]?.word ?? '');
      const joinsA = toB[i + 1] === -1 && joins(right, left, a[i + 1]?.word ?? '');
      if (joinsB) toA[j + 1] = i;
      if (joinsA) toB[i + 1] = j;
      if (joinsB || joinsA) link(state, i, j, 'compound');
    }
  }
}

const isNumber = (word: ContentWord): boolean => word.word.startsWith('#');
const basesAgree: Matches = (x, y) => !isNumber(x) && !isNumber(y) && sharesBase(x.bases, y.bases);

/**
 * Unlinked words that matter: in requests not a repeat of a word that both texts have, elsewhere not a repeat that ends a phrase after a
 * colour ("can white hair turn into black (hair)").
 */
function leftOver(
  words: readonly ContentWord[],
  links: readonly number[],
  other: Analysis,
  dropsRepeats: boolean,
): ContentWord[] {
  const repeats = (word: ContentWord): boolean =>
    !isNumber(word) && other.words.has(word.word) && words.filter((each) => each.word === word.word).length > 1;
  const isRepeat = (word: ContentWord): boolean => dropsRepeats && repeats(word);
  const isUnderstood = (word: ContentWord, index: number): boolean =>
    other.pack.lexicon.colours.has(words[index - 1]?.word ?? '') &&
    links[index - 1] !== -1 &&
    words[index + 1]?.segment !== word.segment &&
    repeats(word);
  return words.filter((word, index) => links[index] === -1 && !isRepeat(word) && !isUnderstood(word, index));
}

function isExact({ a, b, toB }: State): boolean {
  return a.length === b.length && toB.every((j, i) => j === i && sharesBase(a[i]?.bases ?? [], b[j]?.bases ?? []));
}

/** Aligns the content words of two texts: same word, then same base form, then listed synonyms, then split compounds. */
export function alignWords(left: Analysis, right: Analysis, lists: PairLists): Alignment {
  const a = left.content;
  const b = right.content;
  const state: State = { a, b, toB: a.map(() => -1), toA: b.map(() => -1), pairs: [] };
  linkNearest(state, 'same', (x, y) => x.word === y.word);
  linkNearest(state, 'stem', basesAgree);
  linkNearest(state, 'synonym', (x, y) => lists.areSynonyms(x, y));
  linkCompounds(state);
  return {
    pairs: state.pairs.sort((x, y) => x.a - y.a),
    leftA: leftOver(a, state.toB, right, lists.dropsRepeats),
    leftB: leftOver(b, state.toA, left, lists.dropsRepeats),
    toB: state.toB,
    exact: isExact(state),
  };
}
