import type { LexiconData, NumbersData, SoftPrepositionsData, WordsData } from './lexicon.types.js';
import type { Lexicon, NumberWords, SoftPrepositions, WordEntry, WordKind } from './language.types.js';
import { readWords, readWordSet } from './word-list.js';

type Entries = Map<string, WordEntry>;

/** The first list that names a word settles it, so the order of the calls is the precedence. */
function addWords(entries: Entries, kind: WordKind, words: readonly string[], value?: string): void {
  for (const word of readWords(words)) {
    if (!entries.has(word)) entries.set(word, { kind, value: value ?? word });
  }
}

/** Each line is a group whose first word stands for the others. */
function addGroups(entries: Entries, kind: WordKind, lines: readonly string[]): void {
  for (const line of lines) addWords(entries, kind, [line], readWords([line])[0]);
}

function addPersons(entries: Entries, words: WordsData): void {
  const oblique = readWordSet(words.obliquePersons);
  for (const [person, forms] of Object.entries(words.persons)) {
    for (const word of readWords([forms])) {
      if (!entries.has(word))
        entries.set(word, { kind: 'person', value: person, place: oblique.has(word) ? word : 'p1' });
    }
  }
}

function addPossessives(entries: Entries, words: WordsData): void {
  for (const [person, forms] of Object.entries(words.possessives)) {
    addWords(entries, 'possessive', [forms], person);
  }
}

function addArticles(entries: Entries, words: WordsData): void {
  for (const [form, articles] of Object.entries(words.articles)) addWords(entries, 'article', [articles], form);
}

function indexEntries(words: WordsData): Entries {
  const entries: Entries = new Map();
  addWords(entries, 'filler', [...words.fillers, ...words.greetings]);
  addWords(entries, 'negation', words.negations);
  addArticles(entries, words);
  addWords(entries, 'of', words.of);
  addWords(entries, 'into', words.into);
  addWords(entries, 'hard-preposition', [...words.hardPrepositions, ...words.conjunctions]);
  addWords(entries, 'soft-preposition', words.softPrepositions);
  addPersons(entries, words);
  addWords(entries, 'reflexive', words.reflexives);
  addGroups(entries, 'indefinite', words.indefinitePersons);
  addPossessives(entries, words);
  addWords(entries, 'demonstrative-that', words.demonstrativeThat);
  addWords(entries, 'existential', words.existential);
  addGroups(entries, 'pronoun', words.otherPronouns);
  addWords(entries, 'present', words.presentAuxiliaries);
  addWords(entries, 'past', words.pastAuxiliaries, 'past');
  addWords(entries, 'future', words.futureAuxiliaries, 'fut');
  addGroups(entries, 'modal', words.modals);
  return entries;
}

function indexNumbers(data: NumbersData): NumberWords {
  return {
    values: new Map(Object.entries(data.values)),
    multipliers: new Map(Object.entries(data.multipliers)),
    ordinals: new Map(Object.entries(data.ordinals)),
    months: new Map(Object.entries(data.months)),
    ambiguousMonths: readWordSet(data.ambiguousMonths),
    noNumberAfter: readWordSet(data.noNumberAfter),
    noNumberBefore: readWordSet(data.noNumberBefore),
    one: data.one,
    and: data.and,
    ordinalEndings: readWordSet(data.ordinalEndings),
    unitOrdinal: data.unitOrdinal,
    groupSeparator: data.groupSeparator,
  };
}

function indexAliases(lines: readonly string[]): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const line of lines) {
    const [canonical = '', ...variants] = readWords([line]);
    for (const variant of variants) aliases.set(variant, canonical);
  }
  return aliases;
}

/** Synonyms by word, from groups that may overlap. */
export function indexSynonyms(groups: readonly (readonly string[])[]): Map<string, Set<string>> {
  const synonyms = new Map<string, Set<string>>();
  for (const group of groups) {
    for (const word of group) {
      const others = synonyms.get(word) ?? new Set<string>();
      for (const other of group) if (other !== word) others.add(other);
      synonyms.set(word, others);
    }
  }
  return synonyms;
}

function countedWords(words: WordsData, numbers: NumberWords): ReadonlySet<string> {
  const months = [...numbers.months.values()].filter((month) => !numbers.ambiguousMonths.has(month));
  return new Set([...readWords(words.calendar), ...readWords(words.quantities), ...months]);
}

function indexGenders(data: WordsData['articleGenders']): ReadonlyMap<string, string> {
  const genders = new Map<string, string>();
  for (const [gender, articles] of Object.entries(data)) {
    for (const article of readWords([articles])) genders.set(article, (genders.get(article) ?? '') + gender);
  }
  return genders;
}

const prepositionsOf = (line: string): ReadonlySet<string> =>
  new Set(readWords([line]).map((word) => (word === '_' ? '' : word)));

function indexSoftPrepositions(data: SoftPrepositionsData): SoftPrepositions {
  return {
    groups: data.groups.map(prepositionsOf),
    alwaysGroups: data.alwaysGroups.map(prepositionsOf),
    headed: data.headed.map(({ heads, group, before = '' }) => ({
      heads: readWordSet([heads]),
      group: prepositionsOf(group),
      before: readWordSet([before]),
    })),
    vanishing: readWordSet(data.vanishing),
    vanishingAtStart: readWordSet(data.vanishingAtStart),
    vanishingInRequests: readWordSet(data.vanishingInRequests),
    beforeNumbers: prepositionsOf(data.beforeNumbers.join(' ')),
    bindingHeads: readWordSet(data.bindingHeads),
  };
}

/** Words by the first of their line. */
function groupsByWord(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(lines.flatMap((line) => readWords([line]).map((word, _, [first = '']) => [word, first] as const)));
}

/** Lists that are plain sets of words. */
function indexSets(words: WordsData) {
  return {
    units: readWordSet(words.units),
    polar: readWordSet(words.polar),
    best: groupsByWord(words.best),
    auxiliaryClasses: groupsByWord(words.auxiliaryClasses),
    quantifiers: readWordSet(words.quantifiers),
    paucals: readWordSet(words.paucals),
    irregularPlurals: readWordSet(words.irregularPlurals),
    massNouns: readWordSet(words.massNouns),
    articlePrepositions: readWordSet(words.articlePrepositions),
    positions: readWordSet(words.positions),
    hardPrepositions: readWordSet(words.hardPrepositions),
    conjunctions: readWordSet(words.conjunctions),
    droppable: readWordSet(words.droppable),
    requestVerbs: readWordSet(words.requestVerbs),
    searchVerbs: readWordSet(words.searchVerbs),
    closingVerbs: readWordSet(words.closingVerbs),
    requestFillers: readWordSet(words.requestFillers),
    generativeVerbs: readWordSet(words.generativeVerbs),
    impersonalVerbs: readWordSet(words.impersonalVerbs),
    mendable: readWordSet(words.mendable),
    mending: readWordSet(words.mending),
    reflexivePersons: readWordSet(words.reflexivePersons),
    genderHomonyms: readWordSet(words.genderHomonyms),
    conversionVerbs: readWordSet(words.conversionVerbs),
    symmetric: readWordSet(words.symmetric),
    orderSensitive: readWordSet(words.orderSensitive),
    sides: readWordSet(words.sides),
    origins: readWordSet(words.origins),
    goals: readWordSet(words.goals),
    metalinguistic: readWordSet(words.metalinguistic),
    colours: readWordSet(words.colours),
    languageNames: readWordSet(words.languageNames),
    neverNames: readWordSet([...words.functionWords, ...words.fillers, ...words.greetings]),
    beforeThat: readWordSet(words.beforeThat),
    afterThat: readWordSet(words.afterThat),
  };
}

/** Indexes the validated word data of a language. */
export function buildLexicon(data: LexiconData): Lexicon {
  const { words } = data;
  const numbers = indexNumbers(data.numbers);
  const aliases = indexAliases(data.aliases);
  return {
    ...indexSets(words),
    entries: indexEntries(words),
    numbers,
    aliases,
    canonicals: new Set(aliases.values()),
    synonyms: indexSynonyms(data.synonyms.map((line) => readWords([line]))),
    requestSynonyms: indexSynonyms(data.requestSynonyms.map((line) => readWords([line]))),
    soft: indexSoftPrepositions(data.softPrepositions),
    hard: readWordSet(data.hard),
    counted: countedWords(words, numbers),
    negatingPrefixes: readWords(words.negatingPrefixes),
    articleGenders: indexGenders(words.articleGenders),
    articleGroups: words.articleGroups.map((line) => readWordSet([line])),
    possibility: words.possibility,
  };
}
