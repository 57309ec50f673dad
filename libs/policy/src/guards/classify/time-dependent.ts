import { possiblePacksOf } from '../phrases/phrase.registry.js';
import type { PhrasePack } from '../phrases/phrase.types.js';
import { lowerLine } from './line.js';

/** {@link isTimeDependent} for a lower-cased line and its phrases. */
export function isTimeDependentLine(line: string, packs: readonly PhrasePack[]): boolean {
  return packs.some(({ timeDependent }) => timeDependent.test(line));
}

/** Whether the answer depends on when the question is asked ("today's weather"), in the 16 languages with phrases. */
export function isTimeDependent(text: string): boolean {
  const line = lowerLine(text);
  return isTimeDependentLine(line, possiblePacksOf(line));
}
