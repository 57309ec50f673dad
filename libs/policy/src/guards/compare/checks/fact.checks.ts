import type { Analysis, ContentWord } from '../../analyse/analysis.types.js';
import { sharesBase } from '../../analyse/bases.js';
import type { LanguagePack } from '../../languages/language.types.js';
import type { Pair } from '../pair.js';
import { mayBeRequests, sameMultiset } from '../pair.js';

/** Articles of one thing. */
const ONE = new Set(['a', 'an', 'ein', 'eine', 'einen', 'einem', 'einer']);

/** "a name" is not "names": one text asks for one of what the other asks for several of. */
function asksForOne(one: ContentWord, several: ContentWord, { nounsAreCapitalised }: LanguagePack): boolean {
  if (!ONE.has(one.article) || one.raw === several.raw || several.article !== '') return false;
  return nounsAreCapitalised || several.raw.endsWith('s');
}

/** A request to find something gets a list either way. */
function isSearch({ content, pack }: Analysis): boolean {
  return content.some(({ word }) => pack.lexicon.searchVerbs.has(word));
}

/** In a request that is no search the thing that is asked for has the same grammatical number. */
function requestedCountsAgree(pair: Pair): boolean {
  const { a, b, alignment } = pair;
  if (!mayBeRequests(pair) || isSearch(a) || isSearch(b)) return true;
  return alignment.pairs.every(({ a: i, b: j }) => {
    const x = a.content[i];
    const y = b.content[j];
    return x === undefined || y === undefined || !(asksForOne(x, y, a.pack) || asksForOne(y, x, a.pack));
  });
}

/** Numbers, calendar words and quantities: equal as multisets; the requested thing in the same grammatical number. */
export function numbersAgree(pair: Pair): boolean {
  return sameMultiset(pair.a.numbers, pair.b.numbers) && requestedCountsAgree(pair);
}

/** Negations: equal as multisets; each stands before the same aligned word (`negationsStandAlike`). */
export function negationsAgree({ a, b }: Pair): boolean {
  return sameMultiset(a.negations, b.negations);
}

/** Every negation stands before the same aligned word. */
export function negationsStandAlike({ a, b, alignment }: Pair): boolean {
  if (a.negations.length === 0) return true;
  const negatedB = b.content.filter(({ negation }) => negation !== '');
  const negatedA = a.content.map((word, index) => ({ word, index })).filter(({ word }) => word.negation !== '');
  return (
    negatedA.length === negatedB.length &&
    negatedA.every(({ word, index }) => {
      const partner = alignment.pairs.find((pair) => pair.a === index);
      return partner !== undefined && b.content[partner.b]?.negation === word.negation;
    })
  );
}

const plain = (form: string): string => form.replace(/[.']/g, '');

function plainForms(forms: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...forms].map(plain));
}

/** Where every noun is capitalised, a noun in another form or a listed synonym counts as found. */
function isFoundInflected(name: string, { pack, content }: Analysis): boolean {
  const bases = pack.bases(name);
  const synonyms = pack.lexicon.synonyms.get(pack.lemma(name));
  return content.some((word) => sharesBase(word.bases, bases) || synonyms?.has(word.word) === true);
}

/** Whether a name of one text is found in the other. */
function isFound(name: string, other: Analysis): boolean {
  const { forms, pack } = other;
  if (forms.has(name) || forms.has(pack.lexicon.aliases.get(name) ?? name) || /\d/.test(name)) return true;
  if (pack.lexicon.neverNames.has(name)) return true;
  if (pack.nounsAreCapitalised && isFoundInflected(name, other)) return true;
  if (name.endsWith('s') && forms.has(`${name.slice(0, -1)}'s`)) return true;
  return plainForms(forms).has(plain(name));
}

/**
 * Names in their exact form (plural kept) are words of the other text. Names with digits are left to the numbers. An operator may let a name be
 * dropped, or another stand for it.
 */
export function namesAgree({ a, b, lists }: Pair): boolean {
  const agrees = (name: string, other: Analysis): boolean =>
    isFound(name, other) ||
    lists.isDroppable(name) ||
    [...lists.operatorSynonyms(name)].some((synonym) => other.forms.has(synonym));
  return a.names.every((name) => agrees(name, b)) && b.names.every((name) => agrees(name, a));
}
