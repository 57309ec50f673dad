import { analysisOf } from '../analyse/analysis.js';
import type { GuardFingerprint, GuardOptions, GuardReason, GuardVerdict } from '../guard.types.js';
import { ALWAYS, FIELDS, REFERENTS, SITUATION, areEqual } from './checks/field.checks.js';
import type { FieldCheck } from './checks/field.checks.js';
import { pairUp } from './pair.js';
import type { Pair } from './pair.js';
import { RULE } from './rule.js';

/** Least cosine for words that align but are not the same in the same order; measured, see docs/guides/guards.md. */
export const DEFAULT_MIN_COSINE = 0.75;
/** Least cosine when both texts have the same words in the same order. */
export const SAME_WORDS_MIN_COSINE = 0.6;

/** Whether a check is switched on. */
export function isOn(options: GuardOptions, reason: GuardReason): boolean {
  return options.disabled?.has(reason) !== true;
}

/** Reason of the first check on the fields that refuses. */
export function firstFieldRefusal(
  checks: readonly FieldCheck[],
  a: GuardFingerprint,
  b: GuardFingerprint,
  options: GuardOptions,
): GuardReason | undefined {
  return checks.find(({ reason, passes }) => isOn(options, reason) && !passes(a, b))?.reason;
}

/** The two analyses side by side; `undefined` when one is missing or they are of two languages. */
export function analysedPair(a: GuardFingerprint, b: GuardFingerprint, options: GuardOptions): Pair | undefined {
  const left = analysisOf(a);
  const right = analysisOf(b);
  if (left === undefined || right === undefined || left.language !== right.language) return undefined;
  return pairUp([a, b], [left, right], options.extraWords);
}

/** Least cosine that the pair needs. */
export function leastCosine(exact: boolean, options: GuardOptions): number {
  return exact ? SAME_WORDS_MIN_COSINE : (options.minCosine ?? DEFAULT_MIN_COSINE);
}

const refuse = (reason: GuardReason): GuardVerdict => ({ serve: false, reason });

function compareWords(pair: Pair, cosine: number, options: GuardOptions): GuardVerdict {
  const refusal = RULE.find(({ reason, passes }) => isOn(options, reason) && !passes(pair));
  if (refusal !== undefined) return refuse(refusal.reason);
  const outside = firstFieldRefusal(REFERENTS, ...pair.fingerprints, options);
  if (outside !== undefined) return refuse(outside);
  const { exact } = pair.alignment;
  if (isOn(options, 'cosine') && !(cosine >= leastCosine(exact, options))) return refuse('cosine');
  return { serve: true, reason: exact ? 'same-words' : 'aligned' };
}

function compareTexts(a: GuardFingerprint, b: GuardFingerprint, cosine: number, options: GuardOptions): GuardVerdict {
  const always = firstFieldRefusal(ALWAYS, a, b, options);
  if (always !== undefined) return refuse(always);
  if (areEqual(a, b)) return { serve: true, reason: 'equal' };
  const floor = Math.min(leastCosine(true, options), leastCosine(false, options));
  if (isOn(options, 'cosine') && !(cosine >= floor)) return refuse('cosine');
  const field = firstFieldRefusal(FIELDS, a, b, options);
  if (field !== undefined) return refuse(field);
  const pair = analysedPair(a, b, options);
  return pair === undefined ? refuse('language') : compareWords(pair, cosine, options);
}

/**
 * Whether the answer to one text may serve the other, from both fingerprints and the cosine of their vectors.
 * Symmetric and deterministic; what cannot be analysed is refused. `time-dependent` and `personal` come last: without them the pair would
 * be served, so a caller that has a short maximum age, or stays within one user, may switch them off.
 */
export function compareFingerprints(
  a: GuardFingerprint,
  b: GuardFingerprint,
  cosine: number,
  options: GuardOptions = {},
): GuardVerdict {
  const verdict = compareTexts(a, b, cosine, options);
  if (!verdict.serve) return verdict;
  const situation = firstFieldRefusal(SITUATION, a, b, options);
  return situation === undefined ? verdict : refuse(situation);
}
