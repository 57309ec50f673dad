import { compareFingerprints } from './compare/compare.js';
import { parseFingerprint } from './fingerprint.parse.js';
import type { GuardExplanation, GuardOptions } from './guard.types.js';

/** The verdict on two texts with everything it rests on. */
export function explainGuard(
  textA: string,
  textB: string,
  cosine: number,
  options: GuardOptions = {},
): GuardExplanation {
  const a = parseFingerprint(textA);
  const b = parseFingerprint(textB);
  return { verdict: compareFingerprints(a, b, cosine, options), a, b, checks: [], aligned: [] };
}
