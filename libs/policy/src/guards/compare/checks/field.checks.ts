import { caseClashes } from '../../classify/case-sensitive.js';
import type { GuardFingerprint, GuardReason } from '../../guard.types.js';

/** A check on the stored fields, before any word is looked at. */
export interface FieldCheck {
  readonly reason: GuardReason;
  /** What it asks, for `explain`. */
  readonly asks: string;
  readonly passes: (a: GuardFingerprint, b: GuardFingerprint) => boolean;
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** Whether two texts are equal once case, politeness and end punctuation are folded. */
export function areEqual(a: GuardFingerprint, b: GuardFingerprint): boolean {
  return a.equal !== '' && a.equal === b.equal;
}

/** A word whose case carries meaning is in both texts, in the same case. */
function caseAgrees(a: GuardFingerprint, b: GuardFingerprint): boolean {
  const equal = areEqual(a, b);
  if (!equal && a.language !== b.language) return true;
  return !caseClashes(a.cased, b.cased, b.tokens, equal) && !caseClashes(b.cased, a.cased, a.tokens, equal);
}

/** Refuse even equal texts. */
export const ALWAYS: readonly FieldCheck[] = [
  { reason: 'version', asks: 'the same parser version', passes: (a, b) => a.v === b.v },
  { reason: 'case', asks: 'the same case where it carries meaning', passes: caseAgrees },
];

/** Refuse texts that are not equal, before their words are looked at. */
export const FIELDS: readonly FieldCheck[] = [
  { reason: 'length', asks: 'both are short enough to be analysed', passes: (a, b) => !a.tooLong && !b.tooLong },
  {
    reason: 'language',
    asks: 'both are in one analysed language',
    passes: (a, b) => a.language !== 'und' && a.language === b.language,
  },
  {
    reason: 'code',
    asks: 'the same code, addresses, quotations and symbols',
    passes: (a, b) => a.code === b.code,
  },
  {
    reason: 'format',
    asks: 'the same requested format and language',
    passes: (a, b) => sameList(a.formats, b.formats),
  },
];

/** Refuse texts whose words agree but that point at something outside them. */
export const REFERENTS: readonly FieldCheck[] = [
  {
    reason: 'referent',
    asks: 'neither points at something outside the text',
    passes: (a, b) => !a.missingReferent && !b.missingReferent,
  },
];

/** Refuse what would be served otherwise, equal texts included: the same question has another answer. */
export const SITUATION: readonly FieldCheck[] = [
  {
    reason: 'time-dependent',
    asks: 'the answer does not depend on when it is asked',
    passes: (a, b) => !a.timeDependent && !b.timeDependent,
  },
  {
    reason: 'personal',
    asks: 'the answer does not depend on who asks',
    passes: (a, b) => !a.personal && !b.personal,
  },
];
