import type { Lexicon } from '../language.types.js';
import { irregularInfinitive } from './verb.js';

/** Shortest stem that an ending may leave. */
const MIN_STEM = 3;
const NO_GENITIVE = /(?:ss|us|is|as|os)$/;
const INFLECTIONS = ['en', 'es', 'em', 'e', 'n'];

/**
 * German inflections by form: cases and weak plurals; never -er (plural or comparative) and never -st.
 * `keepsE` are nouns in -e that would fall together with another word ("Reise" and "Reis"), `keepsS` words whose -s is no ending.
 */
export function germanMorphology(
  aliases: Lexicon['aliases'],
  keepsE: ReadonlySet<string>,
  keepsS: ReadonlySet<string>,
): { lemma(word: string): string; bases(word: string): readonly string[] } {
  const lemma = (word: string): string => aliases.get(word) ?? irregularInfinitive(word) ?? word;
  const withoutGenitive = (word: string): string => {
    const genitive = word.length > 4 && word.endsWith('s') && !word.endsWith('es') && !NO_GENITIVE.test(word);
    return genitive && !keepsS.has(word) ? word.slice(0, -1) : word;
  };
  const withoutEnding = (inflected: string): string => {
    const word = withoutGenitive(inflected);
    if (keepsE.has(word) || keepsS.has(word)) return word;
    if (word.endsWith('n') && keepsE.has(word.slice(0, -1))) return word.slice(0, -1);
    const ending = INFLECTIONS.find((each) => word.endsWith(each) && word.length - each.length >= MIN_STEM);
    return ending === undefined ? word : word.slice(0, -ending.length);
  };
  return { lemma, bases: (word) => [withoutEnding(lemma(word))] };
}
