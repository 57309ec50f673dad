import type { Lexicon } from '../language.types.js';

const SIBILANT_PLURAL = /(?:s|x|z|ch|sh)es$/;
/** After these "-es" is the ending ("boxes"), after the others "-s" ("houses"). */
const NEEDS_ES = /(?:ss|x|zz|sh|[^a]ch)$/;
const NO_PLURAL = /(?:ss|us|is|as|os)$/;
const VOWEL = /[aeiouy]/;
/** One short vowel before one consonant: the verb lost an e, or it would have doubled ("rating" is of "rate", "planning" of "plan"). */
const SHORT_SYLLABLE = /^[^aeiou]*[aeiouy][^aeiouywx]$/;
const DOUBLED = /([^aeiou])\1$/;

/** Morphology of a language: one canonical form, and every base that a form may belong to. */
export interface Morphology {
  lemma(word: string): string;
  bases(word: string): readonly string[];
}

/** Bases of a verb form without its "-ing" or "-ed". */
function verbBases(stripped: string): readonly string[] {
  if (DOUBLED.test(stripped)) return [stripped, stripped.slice(0, -1)];
  if (SHORT_SYLLABLE.test(stripped)) return [`${stripped}e`];
  return stripped.endsWith('i') ? [`${stripped.slice(0, -1)}y`] : [stripped, `${stripped}e`];
}

/** Bases of a form that may be a verb's; the form itself stays one of them ("building", "wedding"). */
function inflectedBases(word: string): readonly string[] {
  if (word.length > 4 && word.endsWith('ing') && VOWEL.test(word.slice(0, -3)))
    return [word, ...verbBases(word.slice(0, -3))];
  if (word.length > 4 && word.endsWith('ed') && VOWEL.test(word.slice(0, -2)))
    return [word, ...verbBases(word.slice(0, -2))];
  return [word];
}

/** English plurals, possessives and verb endings; never -er, -est or -ly. */
export function englishMorphology(
  aliases: Lexicon['aliases'],
  irregularS: ReadonlySet<string>,
  plainIes: ReadonlySet<string>,
): Morphology {
  /** Singulars of a plural, the likelier first. */
  const singulars = (plural: string): readonly string[] => {
    const word = plural.endsWith("'s") ? plural.slice(0, -2) : plural;
    if (word.length <= 3 || irregularS.has(word)) return [word];
    if (plainIes.has(word)) return [word.slice(0, -1)];
    if (word.length > 4 && word.endsWith('ies')) return [`${word.slice(0, -3)}y`];
    if (word.length > 4 && SIBILANT_PLURAL.test(word)) {
      const [short, long] = [word.slice(0, -2), word.slice(0, -1)];
      return NEEDS_ES.test(short) ? [short] : [long, short];
    }
    return [word.endsWith('s') && !NO_PLURAL.test(word) ? word.slice(0, -1) : word];
  };
  const lemma = (word: string): string => {
    const alias = aliases.get(word);
    if (alias !== undefined) return alias;
    const [singular = word] = singulars(word);
    return aliases.get(singular) ?? singular;
  };
  const bases = (word: string): readonly string[] => {
    const alias = aliases.get(word);
    const forms = alias === undefined ? singulars(word).map((form) => aliases.get(form) ?? form) : [alias];
    return forms.flatMap(inflectedBases);
  };
  return { lemma, bases };
}
