import ar from '../languages/ar/phrases.json' with { type: 'json' };
import de from '../languages/de/phrases.json' with { type: 'json' };
import en from '../languages/en/phrases.json' with { type: 'json' };
import es from '../languages/es/phrases.json' with { type: 'json' };
import fr from '../languages/fr/phrases.json' with { type: 'json' };
import hi from '../languages/hi/phrases.json' with { type: 'json' };
import it from '../languages/it/phrases.json' with { type: 'json' };
import ja from '../languages/ja/phrases.json' with { type: 'json' };
import ko from '../languages/ko/phrases.json' with { type: 'json' };
import nl from '../languages/nl/phrases.json' with { type: 'json' };
import pl from '../languages/pl/phrases.json' with { type: 'json' };
import pt from '../languages/pt/phrases.json' with { type: 'json' };
import ru from '../languages/ru/phrases.json' with { type: 'json' };
import sv from '../languages/sv/phrases.json' with { type: 'json' };
import tr from '../languages/tr/phrases.json' with { type: 'json' };
import zh from '../languages/zh/phrases.json' with { type: 'json' };
import { compilePhrases } from './phrase.compiler.js';
import type { PhraseData, PhrasePack } from './phrase.types.js';

/** Phrase data by language; adding a language is adding its file here. */
export const PHRASE_DATA: Readonly<Record<string, PhraseData>> = {
  en,
  de,
  es,
  fr,
  it,
  pt,
  nl,
  pl,
  sv,
  tr,
  ru,
  ar,
  hi,
  zh,
  ja,
  ko,
};

/** All phrase packs. */
export const phrasePacks: readonly PhrasePack[] = Object.entries(PHRASE_DATA).map(([language, data]) =>
  compilePhrases(language, data),
);

const latinPacks = phrasePacks.filter(({ functionWords }) => functionWords.size > 0);
const byLanguage = new Map(phrasePacks.map((pack) => [pack.language, pack]));

/** Indices of the packs that have a function word, by word. */
const packsByWord = new Map<string, number[]>();
phrasePacks.forEach(({ functionWords }, index) => {
  for (const word of functionWords) packsByWord.set(word, [...(packsByWord.get(word) ?? []), index]);
});

/** Scripts in the order in which they decide; kana before Han, because Japanese has both. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ru', /\p{Script=Cyrillic}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['hi', /\p{Script=Devanagari}/u],
];

const BEYOND_LATIN = /[^\P{L}\u0000-\u024F]/u;
const WORD = /[\p{L}']+/gu;

function packOfScript(line: string): PhrasePack | undefined {
  const script = SCRIPTS.find(([, letters]) => letters.test(line));
  return script === undefined ? undefined : byLanguage.get(script[0]);
}

/** The language with the most function words of a line; a word that several languages have counts for a part only. */
function packOfWords(line: string): PhrasePack | undefined {
  const weights = phrasePacks.map(() => 0);
  for (const word of line.match(WORD) ?? []) {
    const owners = packsByWord.get(word) ?? [];
    for (const index of owners) weights[index] = (weights[index] ?? 0) + 1 / owners.length;
  }
  const most = Math.max(...weights);
  return most === 0 ? undefined : phrasePacks[weights.indexOf(most)];
}

/** The language of a lower-cased line as far as its phrases go: by script, else by function words. */
export function phrasePackOf(line: string): PhrasePack | undefined {
  return BEYOND_LATIN.test(line) ? packOfScript(line) : packOfWords(line);
}

/** {@link phrasePackOf} as a list; a line in Latin letters without any function word may be of every language that uses them. */
export function possiblePacksOf(line: string): readonly PhrasePack[] {
  const pack = phrasePackOf(line);
  if (pack !== undefined) return [pack];
  return BEYOND_LATIN.test(line) ? [] : latinPacks;
}
