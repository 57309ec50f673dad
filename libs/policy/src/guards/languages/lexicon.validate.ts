import type { LexiconData } from './lexicon.types.js';
import { readWords } from './word-list.js';

const WORD = /^\S+$/u;

function problemsOfList(name: string, lines: readonly string[]): string[] {
  return readWords(lines)
    .filter((word) => word !== word.toLowerCase() || word !== word.normalize('NFKC') || !WORD.test(word))
    .map((word) => `${name}: "${word}" is not lower case and composed`);
}

function problemsOfGroups(name: string, lines: readonly string[]): string[] {
  return lines.filter((line) => new Set(readWords([line])).size < 2).map((line) => `${name}: "${line}" is no group`);
}

function problemsOfAliases(lines: readonly string[]): string[] {
  const variants = lines.flatMap((line) => readWords([line]).slice(1));
  const twice = variants.filter((word, index) => variants.indexOf(word) !== index);
  return twice.map((word) => `aliases: "${word}" has two canonical forms`);
}

function problemsOfNumbers(data: LexiconData): string[] {
  const { values, multipliers, ordinals } = data.numbers;
  return [values, multipliers, ordinals]
    .flatMap((words) => Object.entries(words))
    .filter(([, value]) => !Number.isSafeInteger(value) || value < 0)
    .map(([word]) => `numbers: "${word}" has no whole value`);
}

/** Word lists of the function words, by name. */
function wordLists(data: LexiconData): [string, readonly string[]][] {
  return Object.entries(data.words).map(
    ([name, list]: [string, string | readonly string[] | Record<string, string>]) => [
      name,
      typeof list === 'string' ? [list] : Array.isArray(list) ? list : Object.values(list),
    ],
  );
}

/** Prepositions and the heads they follow, by name. */
function softPrepositionLists({ softPrepositions }: LexiconData): [string, readonly string[]][] {
  const { headed, ...lists } = softPrepositions;
  return [
    ...Object.entries(lists).map(([name, list]): [string, readonly string[]] => [name, list]),
    ['headed', headed.flatMap(({ heads, group, before = '' }) => [heads, group, before])],
  ];
}

/** Every fault of a language's word data, in words; empty when it is sound. */
export function findLexiconProblems(data: LexiconData): string[] {
  const lists: [string, readonly string[]][] = [
    ...wordLists(data),
    ['aliases', data.aliases],
    ['synonyms', data.synonyms],
    ['requestSynonyms', data.requestSynonyms],
    ['hard', data.hard],
    ...softPrepositionLists(data),
  ];
  return [
    ...lists.flatMap(([name, lines]) => problemsOfList(name, lines)),
    ...problemsOfGroups('synonyms', data.synonyms),
    ...problemsOfGroups('aliases', data.aliases),
    ...problemsOfAliases(data.aliases),
    ...problemsOfNumbers(data),
  ];
}

/** Returns the data when it is sound; throws with every fault otherwise. */
export function validateLexicon(language: string, data: LexiconData): LexiconData {
  const problems = findLexiconProblems(data);
  if (problems.length > 0) throw new Error(`language ${language}: ${problems.join('; ')}`);
  return data;
}
