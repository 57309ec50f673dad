export { compareFingerprints } from './compare/compare.js';
export { hardGuards } from './compare/hard-guards.js';
export { isPersonal } from './classify/personal.js';
export { isReferring } from './classify/referring.js';
export { requestedFormats, requestedLanguages } from './classify/requested.js';
export { isTimeDependent } from './classify/time-dependent.js';
export { describeExplanation, explainGuard } from './explain.js';
export { decodeFingerprint, encodeFingerprint } from './fingerprint.codec.js';
export { parseFingerprint } from './fingerprint.parse.js';
export type {
  GuardAlignedWords,
  GuardCheck,
  GuardExplanation,
  GuardExtraWords,
  GuardFingerprint,
  GuardLanguage,
  GuardOptions,
  GuardReading,
  GuardReason,
  GuardVerdict,
} from './guard.types.js';
