import { phrasePacks } from '../../phrases/phrase.registry.js';
import { readWordSet } from '../word-list.js';
import words from './words.json' with { type: 'json' };

const strongWords = readWordSet(words.strongWords);
const functionWords = readWordSet([...words.functionWords, ...words.strongWords]);
const ambiguousWords = readWordSet(words.ambiguousFunctionWords);
const others = phrasePacks.filter(({ language, functionWords: known }) => language !== 'de' && known.size > 0);

const WORD = /\p{L}+/gu;
const BEYOND_LATIN = /[^\P{L}\u0000-\u024F]/u;
/** Letters that German does not use. */
const FOREIGN_LETTER = /[àáâãåæçèêëìíîïðñòóôõøùúûýþąćęłńśźżčďěňřšťůžğışőű]/;
const GERMAN_LETTER = /[äöüß]/;

/** Endings that mark a German word of some length. */
const GERMAN_ENDING = /\p{L}{3,}(?:ieren|iert|ung|ungen|keit|heit|schaft|lich|stoffe?)$/u;

/**
 * Whether a text is German: more German function words than of any other language, and two unambiguous ones, or one that no other
 * language has, or one beside an umlaut or a German ending.
 */
export function isGerman(text: string): boolean {
  if (BEYOND_LATIN.test(text)) return false;
  const lower = text.toLowerCase();
  if (FOREIGN_LETTER.test(lower)) return false;
  const found = lower.match(WORD) ?? [];
  const count = (known: ReadonlySet<string>): number => found.filter((word) => known.has(word)).length;
  const sure = found.filter((word) => functionWords.has(word) && !ambiguousWords.has(word)).length;
  const german = count(functionWords);
  const looksGerman = GERMAN_LETTER.test(lower) || found.some((word) => GERMAN_ENDING.test(word));
  if (sure < 2 && count(strongWords) === 0 && !(looksGerman && german > 0)) return false;
  return others.every(({ functionWords: known }) => german > count(known));
}
