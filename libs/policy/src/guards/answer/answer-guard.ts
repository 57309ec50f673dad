import type { GuardOptions, GuardReason } from '../guard.types.js';
import type { AnswerPrint, NamedSpecifics } from './answer.types.js';

/**
 * Whether a stored answer says something that belongs to the conversation it was given in: a number, a date, an
 * identifier, a currency or a name that was named there and has not been named here; or money in another currency than
 * the one that is asked for. Undefined when it does not; an answer of which that is not known is refused.
 */
export function answerGuard(
  asker: NamedSpecifics,
  answer: AnswerPrint | undefined,
  { disabled }: GuardOptions = {},
): Extract<GuardReason, 'foreign-specifics' | 'currency'> | undefined {
  if (disabled?.has('foreign-specifics') !== true) {
    if (answer === undefined || answer.tooMany) return 'foreign-specifics';
    if (!answer.taken.every((hash) => asker.forms.has(hash))) return 'foreign-specifics';
  }
  if (answer === undefined || disabled?.has('currency') === true) return undefined;
  const { currencies, asked } = answer;
  if (currencies.length === 0) return undefined;
  // Who asked for the same got the answer to the same question, whatever it names.
  const answers = (currency: string): boolean => currencies.includes(currency) || asked.includes(currency);
  return [...asker.asked].every(answers) ? undefined : 'currency';
}
