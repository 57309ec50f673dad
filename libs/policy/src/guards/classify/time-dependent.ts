import { phrasePackOf } from '../phrases/phrase.registry.js';
import type { PhrasePack } from '../phrases/phrase.types.js';
import { lowerLine } from './line.js';

/** {@link isTimeDependent} for a lower-cased line and its phrases. */
export function isTimeDependentLine(line: string, pack: PhrasePack | undefined): boolean {
  return pack?.timeDependent.test(line) ?? false;
}

/** Whether the answer depends on when the question is asked ("today's weather"), in the 16 languages with phrases. */
export function isTimeDependent(text: string): boolean {
  const line = lowerLine(text);
  return isTimeDependentLine(line, phrasePackOf(line));
}
