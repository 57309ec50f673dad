import { phrasePacks, possiblePacksOf } from '../phrases/phrase.registry.js';
import type { PhrasePack } from '../phrases/phrase.types.js';
import { trimCharacters } from '../text/normalize.js';
import { expandContractions } from '../languages/en/prepare.js';
import { hasOpenPronoun } from './antecedent.js';
import { lowerLine } from './line.js';

/** A longer message says what it is about. */
const MAX_REFERRING_LENGTH = 200;
/** Longest message, in words, that an opener ("and …") hangs on the one before. */
const MAX_OPENER_WORDS = 12;
const EDGE = ' ,.;:!?¿¡…。，！？、؟"\'()';
const LETTER = /\p{L}/u;
const OWN_CONTEXT = /```|`[^`]+`|"[^"]{3,}"|:\s*\S+\s+\S+\s+\S+/;

/** The message without politeness and end punctuation. */
function core(message: string, pack: PhrasePack): string {
  const cut = message.replace(pack.opening, '').replace(pack.closing, '').replace(pack.please, ' ');
  return trimCharacters(cut.replace(/\s+/g, ' '), EDGE);
}

const knownMessages: ReadonlySet<string> = new Set(phrasePacks.flatMap(({ messages }) => [...messages]));

function isKnownMessage(message: string): boolean {
  return knownMessages.has(message);
}

function hangsOnBefore(message: string, pack: PhrasePack): boolean {
  const opened = pack.opener?.test(message) === true && message.split(' ').length <= MAX_OPENER_WORDS;
  return opened || pack.referring.some((pattern) => pattern.test(message));
}

/** {@link isReferring} for a lower-cased line and the phrases of its language. */
export function isReferringLine(line: string, packs: readonly PhrasePack[]): boolean {
  if (line.length > MAX_REFERRING_LENGTH) return false;
  const whole = trimCharacters(line, EDGE);
  if (!LETTER.test(whole) || isKnownMessage(whole)) return true;
  const hasContext = OWN_CONTEXT.test(line);
  return packs.some((pack) => {
    const message = core(pack.language === 'en' ? expandContractions(whole) : whole, pack);
    if (!LETTER.test(message) || isKnownMessage(message)) return true;
    return !hasContext && (hangsOnBefore(message, pack) || hasOpenPronoun(message, pack));
  });
}

/**
 * Whether a message can only be understood with the turns before it: "yes", "continue", "the second one", "how much is it?".
 * Such a message may be answered from another conversation only when the history is equal; in doubt it is one.
 */
export function isReferring(text: string): boolean {
  if (text.length > MAX_REFERRING_LENGTH) return false;
  const line = lowerLine(text);
  return isReferringLine(line, possiblePacksOf(line));
}
