export { answerGuard } from './answer/answer-guard.js';
export { answerPrint, namedSpecifics } from './answer/answer-print.js';
export type { AnswerPrint, NamedSpecifics, SpokenText } from './answer/answer.types.js';
export { compareFingerprints } from './compare/compare.js';
export { hardGuards } from './compare/hard-guards.js';
export { isPersonal } from './classify/personal.js';
export { isReferring } from './classify/referring.js';
export { requestedFormats, requestedLanguages } from './classify/requested.js';
export { isTimeDependent } from './classify/time-dependent.js';
export { describeExplanation, explainFingerprints, explainGuard } from './explain.js';
export { decodeFingerprint, encodeFingerprint } from './fingerprint.codec.js';
export { findExtraWordProblems, guardOptionsOf, guardRuleId } from './guard.options.js';
export { analysedLanguages } from './guard.types.js';
export { parseFingerprint } from './fingerprint.parse.js';
export type {
  AnalysedLanguage,
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
