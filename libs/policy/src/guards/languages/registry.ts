import type { GuardLanguage } from '../guard.types.js';
import { german } from './de/index.js';
import { english } from './en/index.js';
import type { LanguagePack } from './language.types.js';

const packs: readonly LanguagePack[] = [english, german];

/** The pack of a language; `undefined` for `und`. */
export function languagePack(language: GuardLanguage): LanguagePack | undefined {
  return packs.find(({ code }) => code === language);
}
