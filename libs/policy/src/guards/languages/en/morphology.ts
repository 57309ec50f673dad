import type { Lexicon } from '../language.types.js';

const SIBILANT_PLURAL = /(?:s|x|z|ch|sh)es$/;
const NO_PLURAL = /(?:ss|us|is|as|os)$/;
const VOWEL = /[aeiouy]/;

/** Singular of a plural, by form. */
function singular(word: string, plainIes: ReadonlySet<string>): string {
  if (plainIes.has(word)) return word.slice(0, -1);
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && SIBILANT_PLURAL.test(word)) return word.slice(0, -2);
  if (word.endsWith('s') && !NO_PLURAL.test(word)) return word.slice(0, -1);
  return word;
}

function dropFinalE(word: string): string {
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
}

function undouble(word: string): string {
  const last = word.charAt(word.length - 1);
  const doubled = word.length > 3 && last === word.charAt(word.length - 2) && last !== 's' && last !== 'l';
  return doubled ? word.slice(0, -1) : word;
}

/** English plurals, possessives and verb endings; never -er, -est or -ly. */
export function englishMorphology(
  aliases: Lexicon['aliases'],
  irregularS: ReadonlySet<string>,
  plainIes: ReadonlySet<string>,
): { lemma(word: string): string; stem(word: string): string } {
  const lemma = (word: string): string => {
    const alias = aliases.get(word);
    if (alias !== undefined) return alias;
    if (word.length <= 3 || irregularS.has(word)) return word;
    const bare = singular(word.endsWith("'s") ? word.slice(0, -2) : word, plainIes);
    return aliases.get(bare) ?? bare;
  };
  const stem = (word: string): string => {
    const base = lemma(word);
    if (base.length > 5 && base.endsWith('ing') && VOWEL.test(base.slice(0, -3))) {
      return dropFinalE(undouble(base.slice(0, -3)));
    }
    if (base.length > 4 && base.endsWith('ed') && VOWEL.test(base.slice(0, -2))) {
      return dropFinalE(undouble(base.slice(0, -2)));
    }
    return dropFinalE(base);
  };
  return { lemma, stem };
}
