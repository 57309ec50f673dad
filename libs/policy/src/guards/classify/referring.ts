import { trimCharacters, unifyText } from '../text/normalize.js';

/** Longest message that is looked at; a longer one says what it is about. */
const MAX_REFERRING_LENGTH = 120;
const EDGE = ' ,.;:!?¿¡…。，！？、؟"\'()';

const MESSAGES: ReadonlySet<string> = new Set(
  [
    'yes|no|yeah|yep|nope|sure|ok|okay|right|correct|continue|go on|go ahead|proceed|next|more|tell me more|again|try again',
    'do it|do that|same|stop|why|why not|how|how so|what|who|where|when|which|which one|and then|then what|what else|really',
    'are you sure|explain|elaborate|shorter|longer|another one|one more|yes please|no thanks|please do|never mind|both|neither',
    'ja|nein|weiter|mach das|mach weiter|warum|noch einmal|das zweite|sí|si|continúa|continua|sigue|por qué|el segundo',
    'oui|non|continue|continuez|pourquoi|le deuxième|sim|não|sì|perché|il secondo|да|нет|продолжай|дальше|почему|второй',
    '是|是的|不|不是|继续|为什么|第二个|はい|いいえ|続けて|なぜ|نعم|لا|تابع|استمر|لماذا|네|아니요|계속|tak|nie|dalej|evet|hayır|devam',
  ]
    .join('|')
    .split('|'),
);

/**
 * Whether a message can only be understood with the turns before it ("yes", "continue", "the second one", "how much is it?").
 * Such a message may be answered from another conversation only when the history is equal.
 */
export function isReferring(text: string): boolean {
  if (text.length > MAX_REFERRING_LENGTH) return false;
  const message = trimCharacters(unifyText(text).toLowerCase(), EDGE);
  if (message === '' || MESSAGES.has(message)) return true;
  return (
    /\b(?:it|its|he|him|she|her|they|them|this|that|these|those|ones?)\b/.test(message) &&
    message.split(' ').length <= 6
  );
}
