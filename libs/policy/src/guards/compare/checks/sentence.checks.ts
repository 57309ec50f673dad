import type { Analysis, ContentWord } from '../../analyse/analysis.types.js';
import type { Pair } from '../pair.js';
import { areRequests, asksHow, eitherIs, sameMultiset, sameSet } from '../pair.js';

/** Types that may stand for each other. */
const COMPATIBLE = new Set(['NONE WHAT', 'NONE REQ', 'NONE WANT', 'REQ WANT', 'HOW WAY']);

/** "I want to write X" asks for the thing, "how do I write X" for the way. */
function startsWithMaking({ content, pack }: Analysis): boolean {
  const verb = content[pack.verbFinal ? content.length - 1 : 0];
  return pack.lexicon.generativeVerbs.has(verb?.word ?? '');
}

function typesFit(x: string, y: string, pair: Pair): boolean {
  if (x === y) return true;
  const key = x < y ? `${x} ${y}` : `${y} ${x}`;
  if (COMPATIBLE.has(key)) return true;
  return key === 'HOW WANT' && !startsWithMaking(pair.a) && !startsWithMaking(pair.b);
}

/** Question types, sentence by sentence. */
export function questionTypesAgree(pair: Pair): boolean {
  const left = pair.a.types.length === 0 ? ['NONE'] : pair.a.types;
  const right = pair.b.types.length === 0 ? ['NONE'] : pair.b.types;
  const fit = left.length === right.length && left.every((type, index) => typesFit(type, right[index] ?? '', pair));
  return fit && auxiliariesFit(pair.a, pair.b);
}

/**
 * "is she like him" is not "does she like him": one text has only forms of one auxiliary, the other only of another.
 * In yes/no questions the first one decides ("is it studied" / "has it been studied").
 */
function auxiliariesFit(a: Analysis, b: Analysis): boolean {
  if (a.auxiliaries.length === 0 || b.auxiliaries.length === 0) return true;
  if (a.type === 'YN' && b.type === 'YN') return a.auxiliaries[0] === b.auxiliaries[0];
  return a.auxiliaries.some((each) => b.auxiliaries.includes(each));
}

/** Past and future auxiliaries, as sets. */
export function tensesAgree({ a, b }: Pair): boolean {
  return sameSet(a.tenses, b.tenses);
}

/** Forms of aligned words: never "bored" for "boring", and the same tense outside "how". */
export function inflectionsAgree(pair: Pair): boolean {
  const { a, b, alignment } = pair;
  const how = asksHow(pair);
  return alignment.pairs.every(({ a: i, b: j }) => {
    const x = a.content[i];
    const y = b.content[j];
    if (x === undefined || y === undefined || x.raw === y.raw) return true;
    // "required" / "mandatory": the forms themselves are listed
    if (a.pack.lexicon.synonyms.get(x.raw)?.has(y.raw) === true) return true;
    return !a.pack.aspectDiffers(x.raw, y.raw) && (how || !a.pack.tenseDiffers(x.raw, y.raw));
  });
}

/** Modals as sets; free in "how" and in requests, and `can` is free in "where". */
export function modalsAgree(pair: Pair): boolean {
  const { a, b } = pair;
  if (areRequests(pair) || sameSet(a.modals, b.modals)) return true;
  const possible = (modal: string): boolean => modal === a.pack.lexicon.possibility;
  if (a.type === 'WHERE') return [...a.modals, ...b.modals].every(possible);
  if (!eitherIs(pair, 'HOW')) return false;
  const firm = (modals: readonly string[]): readonly string[] => modals.filter((modal) => !possible(modal));
  return a.subject === 'gen' || b.subject === 'gen' || sameSet(firm(a.modals), firm(b.modals));
}

/** Makes the subject of "how" generic (`S`). */
export function genericPerson(text: Analysis, how: boolean): (person: string) => string {
  let subject = text.person;
  if (how && subject === '?') {
    // "how to …": the only person that is mentioned is the subject
    const mentioned = new Set([...text.persons, ...text.possessives].filter((person) => person !== '?'));
    subject = mentioned.size === 1 ? ([...mentioned][0] ?? '?') : '?';
  }
  return (person) => (how && (person === subject || person === '?') ? 'S' : person);
}

/** Persons and possessors of a text once the subject of "how" is made generic. */
function personsOf(text: Analysis, how: boolean): { persons: string[]; possessives: string[] } {
  const generic = genericPerson(text, how);
  const unique = (persons: readonly string[]): string[] => [...new Set(persons.map(generic))];
  return { persons: unique(text.persons), possessives: unique(text.possessives) };
}

function possessorsFit(a: readonly string[], b: readonly string[], free: boolean): boolean {
  if (sameSet(a, b)) return true;
  return free && (a.length === 0 || b.length === 0) && [...a, ...b].every((person) => 'SIY'.includes(person));
}

const ASKING = new Set(['REQ', 'WANT', 'NONE', 'HOW']);

/** I and you: who acts on whom. In "how" the generic subject is free, in requests the asker is. */
function personsAgree(pair: Pair): boolean {
  const { a, b } = pair;
  const how = asksHow(pair);
  const wanting = how && eitherIs(pair, 'WANT');
  const requests = ASKING.has(a.type) && ASKING.has(b.type);
  const left = personsOf(a, how);
  const right = personsOf(b, how);
  const kept = (persons: readonly string[]): string[] => {
    if (how) return persons.filter((person) => person !== 'S');
    if (requests) return persons.filter((person) => person !== 'I');
    return persons.map((person) => (person === '?' ? 'I' : person));
  };
  if (!wanting && !sameSet(kept(left.persons), kept(right.persons))) return false;
  return wanting || possessorsFit(left.possessives, right.possessives, how || requests);
}

function hasYesNo({ types }: Analysis): boolean {
  return types.includes('YN');
}

/**
 * "How do you ship orders?" asks the other, "how do I ship orders?" oneself: only a verb that everybody does alike, with its object, may
 * have either ("how do you spell necessary").
 */
function askersDiffer({ a, b }: Pair): boolean {
  if (a.person === b.person || (a.person !== 'Y' && b.person !== 'Y')) return false;
  const doesAlike = ({ content, pack }: Analysis): boolean => {
    const verb = content[pack.verbFinal ? content.length - 1 : 0];
    return content.length > 1 && verb?.bases.some((base) => pack.lexicon.impersonalVerbs.has(base)) === true;
  };
  return !doesAlike(a) || !doesAlike(b);
}

/** Pronouns: third persons and demonstratives as sets, the subject of "how", I and you. */
export function pronounsAgree(pair: Pair): boolean {
  const { a, b } = pair;
  if (!sameSet(a.pronouns, b.pronouns)) return false;
  const wanting = [a, b].some(({ types }) => types.includes('WANT'));
  if (asksHow(pair) && a.subject !== b.subject && !wanting) return false;
  if (!personsAgree(pair)) return false;
  if (asksHow(pair) && askersDiffer(pair)) return false;
  return !(hasYesNo(a) || hasYesNo(b)) || a.firstPerson === b.firstPerson;
}

/** "is my dog in your garden" is not "is your dog in my garden": possessors and pronouns stand before the same words. */
export function ownersAgree(pair: Pair): boolean {
  const { a, b, alignment } = pair;
  const how = asksHow(pair);
  const [genericA, genericB] = [genericPerson(a, how), genericPerson(b, how)];
  const owners = new Set([...a.possessives, ...a.pronouns, ...b.possessives, ...b.pronouns, ...PERSONS]);
  return alignment.pairs.every(({ a: i, b: j }) => {
    const x = genericA(a.content[i]?.determiner ?? '');
    const y = genericB(b.content[j]?.determiner ?? '');
    return x === y || !owners.has(x) || !owners.has(y);
  });
}

const PERSONS = ['I', 'Y', 'S'];

const INDEFINITE = new Set(['a', 'an']);
const OWNERS = new Set(['I', 'Y']);

/**
 * "a deal" is not "the deal", "my account" is not "an account". A missing article says nothing ("what are (the) symptoms"), and of a
 * possessor ("a nurse's average salary") it is another word's.
 */
export function articlesAlike({ a, b, alignment }: Pair): boolean {
  if (a.pack.nounsAreCapitalised || [...a.content, ...b.content].some(({ possessive }) => possessive)) return true;
  return alignment.pairs.every(({ a: i, b: j }) => {
    const x = a.content[i];
    const y = b.content[j];
    if (x === undefined || y === undefined) return true;
    return !isOneOfMany(x, y, b) && !isOneOfMany(y, x, a);
  });
}

/** `one` has an indefinite article, `known` a definite one or an owner. */
function isOneOfMany(one: ContentWord, known: ContentWord, { possessives }: Analysis): boolean {
  if (!INDEFINITE.has(one.article)) return false;
  return known.article === 'the' || (possessives.length > 0 && OWNERS.has(known.determiner));
}

/** Hard prepositions and conjunctions as multisets, prepositions at the end of a sentence as multisets. */
export function prepositionsAgree({ a, b }: Pair): boolean {
  return sameMultiset(a.prepositions, b.prepositions);
}
