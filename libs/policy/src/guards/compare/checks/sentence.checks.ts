import type { Analysis } from '../../analyse/analysis.types.js';
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
  return left.length === right.length && left.every((type, index) => typesFit(type, right[index] ?? '', pair));
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
  if (eitherIs(pair, 'HOW') || areRequests(pair) || sameSet(a.modals, b.modals)) return true;
  return a.type === 'WHERE' && [...a.modals, ...b.modals].every((modal) => modal === a.pack.lexicon.possibility);
}

/** Persons and possessors of a text once the subject of "how" is made generic (`S`). */
function personsOf(text: Analysis, how: boolean): { persons: string[]; possessives: string[] } {
  let subject = text.person;
  if (how && subject === '?') {
    // "how to …": the only person that is mentioned is the subject
    const mentioned = new Set([...text.persons, ...text.possessives].filter((person) => person !== '?'));
    subject = mentioned.size === 1 ? ([...mentioned][0] ?? '?') : '?';
  }
  const generic = (person: string): string => (how && (person === subject || person === '?') ? 'S' : person);
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

/** Pronouns: third persons and demonstratives as sets, the subject of "how", I and you. */
export function pronounsAgree(pair: Pair): boolean {
  const { a, b } = pair;
  if (!sameSet(a.pronouns, b.pronouns)) return false;
  const wanting = [a, b].some(({ types }) => types.includes('WANT'));
  if (asksHow(pair) && a.subject !== b.subject && !wanting) return false;
  if (!personsAgree(pair)) return false;
  return !(hasYesNo(a) || hasYesNo(b)) || a.firstPerson === b.firstPerson;
}

/** Hard prepositions and conjunctions as multisets, prepositions at the end of a sentence as multisets. */
export function prepositionsAgree({ a, b }: Pair): boolean {
  return sameMultiset(a.prepositions, b.prepositions);
}
