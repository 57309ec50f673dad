import { readWords, readWordSet } from '../word-list.js';
import verbData from './verbs.json' with { type: 'json' };
import words from './words.json' with { type: 'json' };

const infinitives = new Map<string, string>();
for (const line of verbData.verbs) {
  const [infinitive = '', ...forms] = readWords([line]);
  for (const form of forms) infinitives.set(form, infinitive);
}
const simplePast = readWordSet(verbData.simplePast);
const participles = readWordSet(verbData.participles);
const separablePrefixes = readWordSet(words.separablePrefixes);

/** Infinitive of an irregular form; `undefined` for a word that is none. */
export function irregularInfinitive(word: string): string | undefined {
  return infinitives.get(word);
}

/** Whether a form is past or a participle. */
export function isPastForm(word: string): boolean {
  return simplePast.has(word) || participles.has(word) || /^(?:\p{L}{2,5})?ge\p{L}{3,}t$/u.test(word);
}

/** Whether a word is a prefix that may part from its verb. */
export function isSeparablePrefix(word: string): boolean {
  return separablePrefixes.has(word);
}

/** Third person singular: "-et" after d, t and clusters, "-elt" and "-ert" of verbs in -eln and -ern, else "-t". */
function fromThirdPerson(verb: string): string {
  if (/(?:d|t|chn|ffn|gn|tm)et$/.test(verb)) return `${verb.slice(0, -2)}en`;
  if (/[^aeiouäöü](?:el|er)t$/.test(verb) && !verb.endsWith('iert')) return `${verb.slice(0, -1)}n`;
  return `${verb.slice(0, -1)}en`;
}

/** First person singular: "-e", with the e of -eln and -ern lost or moved ("sammle", "ändere"). */
function fromFirstPerson(verb: string): string {
  if (/[^aeiouäöü]ere$/.test(verb)) return `${verb.slice(0, -1)}n`;
  if (/[mdbtgfk]le$/.test(verb)) return `${verb.slice(0, -2)}eln`;
  return `${verb}n`;
}

/** Infinitive of a finite verb; forms that are not recognised stay, so that they align with themselves only. */
export function infinitiveOf(verb: string): string {
  const irregular = infinitives.get(verb);
  if (irregular !== undefined) return isPastForm(verb) ? verb : irregular;
  if (isPastForm(verb) || verb.length < 3) return verb;
  if (verb.endsWith('n')) return verb;
  if (verb.endsWith('e')) return fromFirstPerson(verb);
  return verb.endsWith('t') ? fromThirdPerson(verb) : verb;
}
