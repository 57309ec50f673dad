/** Formal address is the second person; at the start of a sentence "Sie" and "Ihr" are ambiguous and stay. */
const FORMAL: readonly (readonly [RegExp, string])[] = [
  [/(?<=[\p{L}\p{N},]\s)Sie(?!\p{L})/gu, 'du'],
  [/(?<=[\p{L}\p{N},]\s)Ihnen(?!\p{L})/gu, 'dir'],
  [/(?<=[\p{L}\p{N},]\s)Ihr(e[nmrs]?)?(?!\p{L})/gu, 'dein$1'],
];

/** A noun right after a question word: the verb stands at the end ("warum Katzen schnurren"). */
const NOUN_FIRST = /(?<![\p{L}])(wo|wann|warum|wieso|weshalb|wie|wohin|woher)\s+(?=\p{Lu}\p{Ll}+\s+\p{L}+)/giu;
const IS_CAPITAL = /\p{Lu}/u;

/** Prepositions that swallowed their article, written out. */
const MERGED: Readonly<Record<string, string>> = {
  im: 'in dem',
  ins: 'in das',
  zum: 'zu dem',
  zur: 'zu der',
  vom: 'von dem',
  beim: 'bei dem',
  ans: 'an das',
  aufs: 'auf das',
  fürs: 'für das',
  fuers: 'für das',
};
const MERGED_WORD = new RegExp(`(?<!\\p{L})(?:${Object.keys(MERGED).join('|')})(?!\\p{L})`, 'gu');
const BEST_OF_ALL = /(?<!\p{L})am (?=\p{L}+sten(?!\p{L}))/gu;
const AT_THE = /(?<!\p{L})am(?!\p{L})/gu;
const CLITIC_IT = /(?<=\p{L})'s(?!\p{L})/gu;

/** Marks a bare noun after a question word with `_`, so that no reader takes it for the verb. */
function markNouns(text: string): string {
  return text.replace(NOUN_FIRST, (match, word: string, offset: number) => {
    const next = text.charAt(offset + match.length);
    return IS_CAPITAL.test(next) ? `${word} _ ` : match;
  });
}

/** Lower-cased German on one line: formal address made informal, merged articles written out, brackets and quotes cut. */
export function prepareGerman(text: string): string {
  let informal = text;
  for (const [pattern, put] of FORMAL) informal = informal.replace(pattern, put);
  return markNouns(informal)
    .toLowerCase()
    .replace(/["()[\]{}¿¡]/g, ' ')
    .replace(/(?<=[\p{L}\p{N}_])-(?=[\p{L}\p{N}_])/gu, ' ')
    .replace(CLITIC_IT, ' es')
    .replace(MERGED_WORD, (word) => MERGED[word] ?? word)
    .replace(BEST_OF_ALL, '')
    .replace(AT_THE, 'an dem')
    .replace(/\s+/g, ' ')
    .trim();
}
