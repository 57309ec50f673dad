// Verdicts of the guard rule on labelled pairs.
import { compareFingerprints, parseFingerprint } from '@reprise/policy';

/** @typedef {import('./pairs.mjs').Pair} Pair */
/** @typedef {import('@reprise/policy').GuardOptions} GuardOptions */

/**
 * @typedef {object} Score
 * @property {number} positives
 * @property {number} negatives
 * @property {number} servedPositives
 * @property {number} servedNegatives
 */

/** @type {Map<string, import('@reprise/policy').GuardFingerprint>} */
const parsed = new Map();

/** A text's fingerprint, parsed once however often a rule is asked. @param {string} text */
function fingerprintOf(text) {
  const fingerprint = parsed.get(text) ?? parseFingerprint(text);
  parsed.set(text, fingerprint);
  return fingerprint;
}

/** Verdict on one pair. @param {Pair} pair @param {number} cosine @param {GuardOptions} [options] */
export function verdictOn(pair, cosine, options) {
  return compareFingerprints(fingerprintOf(pair.a), fingerprintOf(pair.b), cosine, options);
}

/**
 * How many of each label are served.
 * @param {readonly Pair[]} pairs
 * @param {(pair: Pair) => number} cosineOf
 * @param {GuardOptions} [options]
 * @returns {Score}
 */
export function score(pairs, cosineOf, options) {
  const total = { positives: 0, negatives: 0, servedPositives: 0, servedNegatives: 0 };
  for (const pair of pairs) {
    const { serve } = verdictOn(pair, cosineOf(pair), options);
    if (pair.label === 1) {
      total.positives += 1;
      total.servedPositives += serve ? 1 : 0;
    } else {
      total.negatives += 1;
      total.servedNegatives += serve ? 1 : 0;
    }
  }
  return total;
}

const share = (/** @type {number} */ part, /** @type {number} */ whole) =>
  whole === 0 ? 'none' : `${part} of ${whole} (${((100 * part) / whole).toFixed(2)} %)`;

/** A score in words. @param {Score} total */
export function describeScore(total) {
  return `same answer ${share(total.servedPositives, total.positives)}, other answer ${share(total.servedNegatives, total.negatives)}`;
}
