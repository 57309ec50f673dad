import { analysisOf } from '../analyse/analysis.js';
import type { GuardFingerprint, GuardOptions, GuardReason, GuardVerdict } from '../guard.types.js';
import { pairUp } from './pair.js';
import type { Pair } from './pair.js';
import { RULE } from './rule.js';

/** Least cosine for a semantic answer before any label is known (guards.md §2). */
export const DEFAULT_MIN_COSINE = 0.85;
/** Least cosine when both texts have the same words in the same order. */
export const SAME_WORDS_MIN_COSINE = 0.7;

/** A check on the stored fields, before any word is looked at. */
interface FieldCheck {
  readonly reason: GuardReason;
  readonly asks: string;
  readonly passes: (a: GuardFingerprint, b: GuardFingerprint) => boolean;
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** Refuse even equal texts. */
export const ALWAYS: readonly FieldCheck[] = [
  { reason: 'version', asks: 'the same parser version', passes: (a, b) => a.v === b.v },
  {
    reason: 'time-dependent',
    asks: 'the answer does not depend on when it is asked',
    passes: (a, b) => !a.timeDependent && !b.timeDependent,
  },
  { reason: 'personal', asks: 'the answer does not depend on who asks', passes: (a, b) => !a.personal && !b.personal },
  { reason: 'case', asks: 'the same case where it carries meaning', passes: (a, b) => sameList(a.cased, b.cased) },
];

/** Refuse texts that are not equal. */
export const FIELDS: readonly FieldCheck[] = [
  { reason: 'length', asks: 'both are short enough to be analysed', passes: (a, b) => !a.tooLong && !b.tooLong },
  {
    reason: 'language',
    asks: 'both are in one analysed language',
    passes: (a, b) => a.language !== 'und' && a.language === b.language,
  },
  { reason: 'code', asks: 'the same code, addresses, quotations and symbols', passes: (a, b) => a.code === b.code },
  {
    reason: 'format',
    asks: 'the same requested format and language',
    passes: (a, b) => sameList(a.formats, b.formats),
  },
  {
    reason: 'referent',
    asks: 'neither points at something outside the text',
    passes: (a, b) => !a.missingReferent && !b.missingReferent,
  },
];

function isOn(options: GuardOptions, reason: GuardReason): boolean {
  return options.disabled?.has(reason) !== true;
}

/** Whether two texts are equal once case, politeness and end punctuation are folded. */
export function areEqual(a: GuardFingerprint, b: GuardFingerprint): boolean {
  return a.equal !== '' && a.equal === b.equal;
}

function firstRefusal(
  checks: readonly FieldCheck[],
  a: GuardFingerprint,
  b: GuardFingerprint,
  options: GuardOptions,
): GuardReason | undefined {
  return checks.find(({ reason, passes }) => isOn(options, reason) && !passes(a, b))?.reason;
}

/** The two analyses side by side; `undefined` when one is missing. */
export function analysedPair(a: GuardFingerprint, b: GuardFingerprint, options: GuardOptions): Pair | undefined {
  const left = analysisOf(a);
  const right = analysisOf(b);
  return left === undefined || right === undefined ? undefined : pairUp([a, b], [left, right], options.extraWords);
}

const refuse = (reason: GuardReason): GuardVerdict => ({ serve: false, reason });

function compareWords(pair: Pair, cosine: number, options: GuardOptions): GuardVerdict {
  const refusal = RULE.find(({ reason, passes }) => isOn(options, reason) && !passes(pair));
  if (refusal !== undefined) return refuse(refusal.reason);
  const { exact } = pair.alignment;
  const least = exact ? SAME_WORDS_MIN_COSINE : (options.minCosine ?? DEFAULT_MIN_COSINE);
  if (isOn(options, 'cosine') && !(cosine >= least)) return refuse('cosine');
  return { serve: true, reason: exact ? 'same-words' : 'aligned' };
}

/**
 * Whether the answer to one text may serve the other, from both fingerprints and the cosine of their vectors.
 * Symmetric and deterministic; what cannot be analysed is refused.
 */
export function compareFingerprints(
  a: GuardFingerprint,
  b: GuardFingerprint,
  cosine: number,
  options: GuardOptions = {},
): GuardVerdict {
  const always = firstRefusal(ALWAYS, a, b, options);
  if (always !== undefined) return refuse(always);
  if (areEqual(a, b)) return { serve: true, reason: 'equal' };
  const floor = Math.min(SAME_WORDS_MIN_COSINE, options.minCosine ?? DEFAULT_MIN_COSINE);
  if (isOn(options, 'cosine') && !(cosine >= floor)) return refuse('cosine');
  const field = firstRefusal(FIELDS, a, b, options);
  if (field !== undefined) return refuse(field);
  const pair = analysedPair(a, b, options);
  return pair === undefined ? refuse('language') : compareWords(pair, cosine, options);
}
