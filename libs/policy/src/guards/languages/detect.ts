import type { GuardLanguage } from '../guard.types.js';
import { isEnglish } from './en/detect.js';

/** The analysed language that a text is written in; `und` in any doubt. */
export function detectLanguage(text: string): GuardLanguage {
  return isEnglish(text) ? 'en' : 'und';
}
