import type { GuardLanguage } from '../guard.types.js';
import { isGerman } from './de/detect.js';
import { isEnglish } from './en/detect.js';

/** The analysed language that a text is written in; `und` in any doubt. */
export function detectLanguage(text: string): GuardLanguage {
  if (isEnglish(text)) return 'en';
  return isGerman(text) ? 'de' : 'und';
}
