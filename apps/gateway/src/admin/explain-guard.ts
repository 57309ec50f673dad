import type { NamespacePolicy } from '@reprise/config';
import { decodeFingerprint, explainFingerprints, type GuardExplanation, guardOptionsOf } from '@reprise/policy';

/** What the guard rule needs of the record of a decision. */
export interface DecisionRecord {
  readonly fingerprint?: string | null;
  readonly candidateFingerprint?: string | null;
  /** Cosine of the two messages. */
  readonly similarity?: number;
}

/**
 * Both texts of a decision as the guard rule reads them, every check in order and the aligned words, by the
 * configuration of today (`rule` names it); null when there was no candidate.
 */
export function guardOf(record: DecisionRecord, policy: NamespacePolicy): GuardExplanation | null {
  const [asked, stored] = [record.fingerprint, record.candidateFingerprint].map((each) =>
    typeof each === 'string' ? decodeFingerprint(each) : undefined,
  );
  if (asked === undefined || stored === undefined) return null;
  return explainFingerprints([asked, stored], record.similarity ?? 0, guardOptionsOf(policy));
}
