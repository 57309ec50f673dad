import type { GuardFingerprint, GuardOptions, GuardReason } from '../guard.types.js';
import { ALWAYS, FIELDS, areEqual } from './checks/field.checks.js';
import { polarPrepositionsAgree, rolesAgree } from './checks/role.check.js';
import { analysedPair, firstFieldRefusal, isOn } from './compare.js';
import { RULE } from './rule.js';

const HARD_WORDS: ReadonlySet<GuardReason> = new Set(['number', 'negation', 'name', 'opposite']);
/** The second negation check asks for full alignment and belongs to the strict rule only. */
const HARD_RULE = RULE.filter(
  ({ reason }, index) => HARD_WORDS.has(reason) && RULE.findIndex((check) => check.reason === reason) === index,
);

/**
 * The walls that hold in every mode (`budget` included): number, negation, name, opposite, code, language, format, role order.
 * Returns the reason word of the first that refuses, `undefined` when none does. Texts that cannot be analysed are refused unless equal.
 */
export function hardGuards(
  a: GuardFingerprint,
  b: GuardFingerprint,
  options: GuardOptions = {},
): GuardReason | undefined {
  const always = firstFieldRefusal(ALWAYS, a, b, options);
  if (always !== undefined || areEqual(a, b)) return always;
  const field = firstFieldRefusal(FIELDS, a, b, options);
  if (field !== undefined) return field;
  const pair = analysedPair(a, b, options);
  if (pair === undefined) return 'language';
  const word = HARD_RULE.find(({ reason, passes }) => isOn(options, reason) && !passes(pair));
  if (word !== undefined) return word.reason;
  if (isOn(options, 'opposite') && !polarPrepositionsAgree(pair)) return 'opposite';
  return isOn(options, 'order') && !rolesAgree(pair) ? 'order' : undefined;
}
