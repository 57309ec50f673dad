import type { Analysis } from '../analyse/analysis.types.js';
import type { GuardExtraWords, GuardFingerprint } from '../guard.types.js';
import type { LanguagePack } from '../languages/language.types.js';
import { indexSynonyms } from '../languages/lexicon.js';
import { alignWords } from './align.js';
import type { Alignment, PairLists } from './align.js';

/** Two analysed texts of one language, and what the checks share. */
export interface Pair {
  readonly a: Analysis;
  readonly b: Analysis;
  readonly fingerprints: readonly [GuardFingerprint, GuardFingerprint];
  readonly lists: PairLists;
  readonly alignment: Alignment;
}

interface ExtraLists {
  readonly hard: ReadonlySet<string>;
  readonly droppable: ReadonlySet<string>;
  readonly synonyms: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Synonyms by base form, so that "earning" finds "making". */
const baseSynonyms = new WeakMap<LanguagePack, ReadonlyMap<string, ReadonlySet<string>>>();

function synonymsByBase(pack: LanguagePack): ReadonlyMap<string, ReadonlySet<string>> {
  const known = baseSynonyms.get(pack);
  if (known !== undefined) return known;
  const index = new Map<string, Set<string>>();
  for (const [word, others] of pack.lexicon.synonyms) {
    const reached = [...others].flatMap((other) => pack.bases(other));
    for (const base of pack.bases(word)) index.set(base, new Set([...(index.get(base) ?? []), ...reached]));
  }
  baseSynonyms.set(pack, index);
  return index;
}

const NONE: ReadonlySet<string> = new Set();
const NO_EXTRAS: ExtraLists = { hard: new Set(), droppable: new Set(), synonyms: new Map() };
const extras = new WeakMap<GuardExtraWords, Map<string, ExtraLists>>();

/** The operator's words for one language, indexed once per object: what does not change costs nothing per comparison. */
function indexExtras(words: GuardExtraWords | undefined, { code }: LanguagePack): ExtraLists {
  if (words === undefined) return NO_EXTRAS;
  const byLanguage = extras.get(words) ?? new Map<string, ExtraLists>();
  extras.set(words, byLanguage);
  const known = byLanguage.get(code);
  if (known !== undefined) return known;
  const own = words.byLanguage?.[code];
  const lists = {
    hard: new Set(words.hard),
    droppable: new Set([...(words.droppable ?? []), ...(own?.droppable ?? [])]),
    synonyms: indexSynonyms([...(words.synonyms ?? []), ...(own?.synonyms ?? [])]),
  };
  byLanguage.set(code, lists);
  return lists;
}

function listsOf(a: Analysis, words: GuardExtraWords | undefined, requests: boolean): PairLists {
  const { lexicon } = a.pack;
  const extra = indexExtras(words, a.pack);
  const byBase = synonymsByBase(a.pack);
  const mends = [...a.words].some((word) => lexicon.mendable.has(word));
  const isHard = (word: string): boolean => lexicon.hard.has(word) || extra.hard.has(word);
  const operatorRelates = (x: string, y: string): boolean =>
    extra.synonyms.get(x)?.has(y) === true && !(lexicon.hard.has(x) && lexicon.hard.has(y));
  const related = (x: string, y: string): boolean =>
    lexicon.synonyms.get(x)?.has(y) === true ||
    operatorRelates(x, y) ||
    (mends && lexicon.mending.has(x) && lexicon.mending.has(y)) ||
    (requests && lexicon.requestSynonyms.get(x)?.has(y) === true);
  return {
    isHard,
    dropsRepeats: requests,
    isDroppable: (word) => lexicon.droppable.has(word) || (extra.droppable.has(word) && !isHard(word)),
    operatorSynonyms: (word) => extra.synonyms.get(word) ?? NONE,
    areSynonyms: (x, y) =>
      related(x.word, y.word) || x.bases.some((base) => y.bases.some((other) => byBase.get(base)?.has(other) === true)),
  };
}

/** Puts two analyses of one language side by side. */
export function pairUp(
  fingerprints: readonly [GuardFingerprint, GuardFingerprint],
  analyses: readonly [Analysis, Analysis],
  words: GuardExtraWords | undefined,
): Pair {
  const [a, b] = analyses;
  const lists = listsOf(a, words, areRequests({ a, b }));
  let alignment: Alignment | undefined;
  return {
    a,
    b,
    fingerprints,
    lists,
    get alignment() {
      return (alignment ??= alignWords(a, b, lists));
    },
  };
}

/** Whether the types are all requests and at least one says so. */
export function areRequests(pair: Pick<Pair, 'a' | 'b'>): boolean {
  return mayBeRequests(pair) && (pair.a.type !== 'NONE' || pair.b.type !== 'NONE');
}

/** Whether neither type asks a question: requests, wishes, and phrases without a verb. */
export function mayBeRequests({ a, b }: Pick<Pair, 'a' | 'b'>): boolean {
  return REQUEST_TYPES.has(a.type) && REQUEST_TYPES.has(b.type);
}

/** Whether a sentence of either text asks "how", in any form. */
export function asksHow({ a, b }: Pair): boolean {
  return [a, b].some(({ types }) => types.some((type) => type.startsWith('HOW')));
}

/** Whether either text is of this one type. */
export function eitherIs({ a, b }: Pair, ...types: readonly string[]): boolean {
  return types.includes(a.type) || types.includes(b.type);
}

const REQUEST_TYPES = new Set(['REQ', 'WANT', 'NONE']);

/** Multiset equality. */
export function sameMultiset(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  if (a.length === 0) return true;
  const left = [...a].sort();
  const right = [...b].sort();
  return left.every((value, index) => value === right[index]);
}

/** Set equality. */
export function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.every((value) => b.includes(value)) && b.every((value) => a.includes(value));
}
