import { possiblePacksOf } from '../phrases/phrase.registry.js';
import type { PhrasePack } from '../phrases/phrase.types.js';
import { trimCharacters } from '../text/normalize.js';
import { lowerLine } from './line.js';

/** {@link isPersonal} for a lower-cased line and its phrases. */
export function isPersonalLine(line: string, packs: readonly PhrasePack[]): boolean {
  const message = trimCharacters(line, ' ,.;:!?¿¡…。，！？、؟');
  return packs.some(({ personal }) => personal.some((pattern) => pattern.test(message)));
}

/** Whether the answer depends on who asks ("where is my order?"), in the 16 languages with phrases; how-to questions do not. */
export function isPersonal(text: string): boolean {
  const line = lowerLine(text);
  return isPersonalLine(line, possiblePacksOf(line));
}
