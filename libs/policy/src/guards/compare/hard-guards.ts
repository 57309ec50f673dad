import type { GuardFingerprint, GuardOptions, GuardReason } from '../guard.types.js';
import { areEqual } from './checks/field.checks.js';
import { analysedPair } from './compare.js';
import { RULE } from './rule.js';

/** Walls on the words that hold in every mode. */
const HARD: ReadonlySet<GuardReason> = new Set(['number', 'negation', 'name', 'opposite']);

/** The walls that hold in every mode; the reason word of the first that refuses, or `undefined`. */
export function hardGuards(
  a: GuardFingerprint,
  b: GuardFingerprint,
  options: GuardOptions = {},
): GuardReason | undefined {
  const isOn = (reason: GuardReason): boolean => options.disabled?.has(reason) !== true;
  if (a.v !== b.v) return 'version';
  if (areEqual(a, b)) return undefined;
  const pair = analysedPair(a, b, options);
  if (pair === undefined || a.language !== b.language) return isOn('language') ? 'language' : undefined;
  if (isOn('code') && a.code !== b.code) return 'code';
  return RULE.find(({ reason, passes }) => HARD.has(reason) && isOn(reason) && !passes(pair))?.reason;
}
