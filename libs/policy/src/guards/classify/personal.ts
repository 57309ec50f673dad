import { phrasePackOf } from '../phrases/phrase.registry.js';
import type { PhrasePack } from '../phrases/phrase.types.js';
import { trimCharacters } from '../text/normalize.js';
import { lowerLine } from './line.js';

/** {@link isPersonal} for a lower-cased line and its phrases. */
export function isPersonalLine(line: string, pack: PhrasePack | undefined): boolean {
  const message = trimCharacters(line, ' ,.;:!?¿¡…。，！？、؟');
  return pack?.personal.some((pattern) => pattern.test(message)) ?? false;
}

/** Whether the answer depends on who asks ("where is my order?"), in the 16 languages with phrases; how-to questions do not. */
export function isPersonal(text: string): boolean {
  const line = lowerLine(text);
  return isPersonalLine(line, phrasePackOf(line));
}
