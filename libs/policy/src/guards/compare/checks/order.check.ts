import type { Analysis, ContentWord } from '../../analyse/analysis.types.js';
import type { Pair } from '../pair.js';
import { areRequests, eitherIs } from '../pair.js';
import { isSymmetric } from './alignment.checks.js';

/** Conjunctions that open no prepositional phrase. */
const UNMARKED = new Set(['', 'and', 'or', 'but', 'und', 'oder', 'aber']);

/** Name of a content word that aligned words of both texts share. */
type Namer = (index: number) => string;

/** A run of words under one marker. */
interface Segment {
  readonly marker: string;
  readonly segment: number;
  readonly possessive: boolean;
  /** Last word before it; of a possessive, the last word of what it owns. */
  head: string;
  readonly words: string[];
  /** How many words for "best" it holds: they may move. */
  best: number;
}

/** What may not differ once harmless moves are allowed. */
interface Layout {
  /** Words outside prepositional phrases, in order. */
  readonly core: string;
  readonly best: number;
  /** Prepositional phrases by marker, in order under each; those of `of` and possessives with their heads. */
  readonly phrases: string;
}

function segmentsOf(text: Analysis, name: Namer): Segment[] {
  const symmetric = isSymmetric(text);
  const movesBest = text.types.includes('WHAT');
  const segments: Segment[] = [];
  let head = '';
  text.content.forEach((word, index) => {
    const marker = symmetric && text.pack.lexicon.sides.has(word.marker) ? '&' : word.marker;
    const label = name(index);
    let current = segments[segments.length - 1];
    if (current?.segment !== word.segment || current.possessive !== word.possessive) {
      current = { marker, segment: word.segment, possessive: word.possessive, head, words: [], best: 0 };
      segments.push(current);
    }
    if (movesBest && word.word === 'good') current.best++;
    else current.words.push(label);
    head = label;
  });
  segments.forEach((segment, index) => {
    if (segment.possessive) segment.head = segments[index + 1]?.words.at(-1) ?? '';
  });
  return segments;
}

function layoutOf(text: Analysis, name: Namer): Layout {
  const segments = segmentsOf(text, name);
  const core = segments.filter(({ marker, words, best }) => UNMARKED.has(marker) && (words.length > 0 || best > 0));
  const phrases = segments.filter(({ marker }) => !UNMARKED.has(marker));
  const row = ({ marker, words, best }: Segment): string => [marker, best, ...words].join(' ');
  const headed = (segment: Segment): string => `${row(segment)} < ${segment.marker === 'of' ? segment.head : ''}`;
  return {
    core: core.flatMap(({ marker, words }) => (marker === '' ? words : [marker, ...words])).join(' '),
    best: core.reduce((sum, { best }) => sum + best, 0),
    phrases: phrases.map(headed).sort().join('\n'),
  };
}

/**
 * "France's capital" = "capital of France"; prepositional phrases may move, words outside them and phrases under one
 * marker ("a row in a table in a cell") may not.
 */
function layoutsAgree({ a, b }: Pair, nameA: Namer, nameB: Namer): boolean {
  const left = layoutOf(a, nameA);
  const right = layoutOf(b, nameB);
  return left.core === right.core && left.best === right.best && left.phrases === right.phrases;
}

/** "colleges for merchant navy" = "merchant navy colleges": one phrase with `for` stands before its head, and the other text has no `for`. */
function isFronted(from: Analysis, to: Analysis, nameFrom: Namer, nameTo: Namer): boolean {
  if (to.content.some(({ marker }) => marker === 'for')) return false;
  const named = (text: Analysis, name: Namer): { word: ContentWord; label: string }[] =>
    text.content.map((word, index) => ({ word, label: name(index) })).filter(({ word }) => word.word !== 'good');
  const source = named(from, nameFrom);
  const target = named(to, nameTo).map(({ label }) => label);
  for (let start = 1; start < source.length; start++) {
    if (source[start]?.word.marker !== 'for' || source[start - 1]?.word.marker === 'for') continue;
    let end = start;
    while (source[end]?.word.marker === 'for') end++;
    const labels = source.map(({ label }) => label);
    const moved = [...labels.slice(0, start - 1), ...labels.slice(start, end), labels[start - 1], ...labels.slice(end)];
    if (moved.length === target.length && moved.every((label, index) => label === target[index])) return true;
  }
  return false;
}

function keepsOrder({ alignment }: Pair): boolean {
  return alignment.pairs.every(({ b }, index, pairs) => index === 0 || b > (pairs[index - 1]?.b ?? -1));
}

/** Numbers never change places ("3 minus 5", "between 5 and 3"). */
function numbersKeepOrder({ a, b }: Pair): boolean {
  const inOrder = (text: Analysis): string => text.numbers.filter((word) => word.startsWith('#')).join(' ');
  return inOrder(a) === inOrder(b);
}

/** Next to a negation or a comparison, and across sentences of a non-request, nothing moves. */
function mayMove(pair: Pair): boolean {
  const { a, b } = pair;
  if (a.negations.length > 0 || b.negations.length > 0) return false;
  const { orderSensitive } = a.pack.lexicon;
  if ([...a.prepositions, ...b.prepositions].some((word) => orderSensitive.has(word))) return false;
  return areRequests(pair) || (a.types.length < 2 && b.types.length < 2);
}

/** Pronouns stand at the same places among equally ordered words ("who should I call" / "who should call me"). */
export function pronounsStandAlike(pair: Pair): boolean {
  const { a, b, alignment } = pair;
  if (eitherIs(pair, 'REQ', 'WANT')) return true;
  if (a.content.length !== b.content.length || a.places.length !== b.places.length) return true;
  if (!alignment.toB.every((j, i) => j === i)) return true;
  const order = (text: Analysis): string => text.places.map(({ form }) => form).join(' ');
  const forms = (text: Analysis): string =>
    text.places
      .map(({ form }) => form)
      .sort()
      .join(' ');
  if (forms(a) === forms(b) && order(a) !== order(b)) return false;
  return a.places.every(({ after }, index) => after === b.places[index]?.after);
}

/** Case ending of the article before a word; after `of` and between the sides of a comparison the case says nothing. */
function caseOf({ pack }: Analysis, word: ContentWord | undefined): string {
  if (word === undefined || word.marker === 'of' || pack.lexicon.sides.has(word.marker)) return '';
  return word.articleForm;
}

/** "der Band" is not "das Band": articles before one word that have no gender in common make it two nouns. */
function gendersAgree({ lexicon }: Analysis['pack'], x: string | undefined, y: string | undefined): boolean {
  const [left, right] = [lexicon.articleGenders.get(x ?? ''), lexicon.articleGenders.get(y ?? '')];
  return left === undefined || right === undefined || [...left].some((gender) => right.includes(gender));
}

/** "der Leiter" is not "die Leiter": of two nouns that only their gender tells apart the article is the same. */
function homonymsAgree(x: ContentWord | undefined, y: ContentWord | undefined, { lexicon }: Analysis['pack']): boolean {
  if (x === undefined || y === undefined || x.article === '' || y.article === '') return true;
  return x.article === y.article || !lexicon.genderHomonyms.has(x.word);
}

/** The case of an article tells who does what ("beißt der Hund den Mann" / "beißt den Hund der Mann"). */
function articlesAgree({ a, b, alignment }: Pair): boolean {
  const { articleGroups } = a.pack.lexicon;
  return alignment.pairs.every(({ a: i, b: j }) => {
    if (!gendersAgree(a.pack, a.content[i]?.article, b.content[j]?.article)) return false;
    if (!homonymsAgree(a.content[i], b.content[j], a.pack)) return false;
    const x = caseOf(a, a.content[i]);
    const y = caseOf(b, b.content[j]);
    if (x === y || x === '' || y === '') return true;
    return articleGroups.some((group) => group.has(x) && group.has(y));
  });
}

/** Aligned words stand in the same order, or differ by moves that change nothing. */
export function ordersAgree(pair: Pair): boolean {
  if (!pronounsStandAlike(pair) || !articlesAgree(pair)) return false;
  if (keepsOrder(pair)) return true;
  if (!mayMove(pair) || !numbersKeepOrder(pair)) return false;
  const partners = new Map(pair.alignment.pairs.map(({ a, b }) => [a, b]));
  const nameA: Namer = (index) => String(partners.get(index) ?? `a${index}`);
  const nameB: Namer = (index) => String(index);
  return (
    layoutsAgree(pair, nameA, nameB) ||
    isFronted(pair.a, pair.b, nameA, nameB) ||
    isFronted(pair.b, pair.a, nameB, nameA)
  );
}
