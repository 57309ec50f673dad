import contractionData from './contractions.json' with { type: 'json' };

const contractions = contractionData.contractions.map(({ match, put }) => ({ pattern: new RegExp(match, 'gi'), put }));
/** A capital "A" at the end of a sentence is the letter ("vitamin A"). */
const LETTER_A = /(?<=[a-z0-9,] )A(?=[?!.,)]*$|[?!.,)]+\s)/g;
/** So is any beside another single letter ("cp a b", "x y a"), but not before "u-turn" and "x-ray". */
const LETTER_A_BESIDE =
  /(?<=(?:^|\s)[b-hj-z],? )a(?=\s|[?!.,;)]|$)|(?<![^\s(])a(?=,? (?!x[- ]ray)[b-hj-tv-z](?:\s|[?!.,;)]|$))/gi;

/** "the boys' dog": the mark after a plural, kept as an ending of its own. */
const PLURAL_OWNER = /(?<=\s)(\p{L}{2,}s)'(?=\s\p{L})/giu;

/** English with its contractions written out. */
export function expandContractions(text: string): string {
  let expanded = text;
  for (const { pattern, put } of contractions) expanded = expanded.replace(pattern, put);
  return expanded;
}

/** Lower-cased English on one line: contractions expanded, brackets and quotes cut, compounds split at hyphens and slashes. */
export function prepareEnglish(written: string): string {
  const text = written.includes("s' ") ? written.replace(PLURAL_OWNER, "$1'z") : written;
  return expandContractions(text)
    .replace(LETTER_A, 'capitala')
    .replace(LETTER_A_BESIDE, 'capitala')
    .toLowerCase()
    .replace(/["()[\]{}¿¡]/g, ' ')
    .replace(/(?<=[\p{L}\p{N}_])-(?=[\p{L}\p{N}_])/gu, ' ')
    .replace(/(?<=[a-z])\/(?=[a-z])/g, ' ')
    .replace(/(?<=[\p{L}\p{N}]) & (?=[\p{L}\p{N}])/gu, ' and ')
    .replace(/\s+/g, ' ')
    .trim();
}
