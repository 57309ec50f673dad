import type { GuardFingerprint, GuardOptions, GuardReason, GuardVerdict } from '../guards/guard.types.js';
import { answerGuard, compareFingerprints, decodeFingerprint, type NamedSpecifics } from '../guards/index.js';

/** What the rule needs to know of a candidate; no label, no ground truth. */
export interface SimilarityCandidate {
  readonly id: string;
  /** Cosine of the current messages, −1..1 (on first turns the layout's cosine is exactly that). */
  readonly similarity: number;
  readonly fingerprint: string;
  readonly firstTurn: boolean;
}

/** Why nothing is served although the guards were not the reason. */
export type NoServeReason = 'no-candidate' | 'follow-up' | 'not-first-turn' | 'fingerprint-version';

export type SimilarityDecision<C extends SimilarityCandidate> =
  | { readonly serve: true; readonly candidate: C; readonly reason: GuardReason }
  | { readonly serve: false; readonly candidate?: C; readonly reason: GuardReason | NoServeReason };

/**
 * The `strict-similarity` rule (architecture.md §3.2): the first candidate, nearest first, that the whole guard rule
 * accepts; first turns only on both sides. The reason of a refusal is that of the nearest candidate. `named` is asked
 * for only when an answer would be served otherwise; without it answers are not looked at.
 */
export function decideStrictSimilarity<C extends SimilarityCandidate>(
  fingerprint: GuardFingerprint,
  firstTurn: boolean,
  candidates: readonly C[],
  options: GuardOptions,
  named?: () => NamedSpecifics,
): SimilarityDecision<C> {
  if (!firstTurn) return { serve: false, reason: 'follow-up' };
  let refused: { candidate: C; reason: GuardReason | NoServeReason } | undefined;
  for (const candidate of candidates) {
    const verdict = verdictOf(fingerprint, candidate, options, named);
    if (verdict.serve) return { serve: true, candidate, reason: verdict.reason as GuardReason };
    refused ??= { candidate, reason: verdict.reason };
  }
  return refused === undefined ? { serve: false, reason: 'no-candidate' } : { serve: false, ...refused };
}

function verdictOf(
  fingerprint: GuardFingerprint,
  candidate: SimilarityCandidate,
  options: GuardOptions,
  named: (() => NamedSpecifics) | undefined,
): GuardVerdict | { readonly serve: false; readonly reason: NoServeReason } {
  if (!candidate.firstTurn) return { serve: false, reason: 'not-first-turn' };
  const other = decodeFingerprint(candidate.fingerprint);
  if (other === undefined) return { serve: false, reason: 'fingerprint-version' };
  const verdict = compareFingerprints(fingerprint, other, candidate.similarity, options);
  if (!verdict.serve || named === undefined) return verdict;
  const wall = answerGuard(named(), other.answer, options);
  return wall === undefined ? verdict : { serve: false, reason: wall };
}
