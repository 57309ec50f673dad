import {
  answerGuard,
  type ComparedCandidate,
  type ComparisonDecision,
  type ComparisonRule,
  contextCosine,
  decideComparison,
  decodeFingerprint,
  type GuardFingerprint,
  type GuardOptions,
  hardGuards,
  type NamedSpecifics,
} from '@reprise/policy';
import type { CacheDependencies } from '../dependencies.js';
import type { Candidate } from '../ports/entry-store.port.js';
import type { ModeState } from './mode-state.js';

/** A decision of a comparison rule with what it rests on. */
export interface ModeReading {
  readonly rule: ComparisonRule;
  readonly state: ModeState;
  readonly decision: ComparisonDecision;
  /** The candidate of the decision, as the rule saw it. */
  readonly seen?: ComparedCandidate;
}

export interface ModeQuestion {
  readonly ns: string;
  readonly rule: ComparisonRule;
  readonly state: ModeState;
  readonly fingerprint: GuardFingerprint;
  /** What the caller's conversation has named. */
  readonly named: () => NamedSpecifics;
  /** Hash of the messages before; '' on first turns. */
  readonly historyKey: string;
  readonly options: GuardOptions;
}

/** Decides among the nearest entries; one call of the store where a second vector is compared. */
export async function readMode(
  deps: Pick<CacheDependencies, 'store' | 'dossiers'>,
  question: ModeQuestion,
  candidates: readonly Candidate[],
): Promise<ModeReading> {
  const { ns, rule, state } = question;
  const near = candidates.filter(({ similarity }) => similarity >= rule.minCosine);
  const ids = rule.context === 'none' ? [] : near.map(({ id }) => id);
  const contexts = await deps.dossiers.raw(deps.store, ns, ids);
  const compared = candidates.map((candidate): ComparedCandidate => {
    const { id, similarity } = candidate;
    const contextSimilarity = rule.context === 'none' ? 1 : contextCosine(state.context, contexts.get(id));
    const reached = similarity >= rule.minCosine && contextSimilarity >= rule.minContextCosine;
    return { similarity, contextSimilarity, wall: reached ? wallOf(question, candidate) : undefined };
  });
  const decision = decideComparison(rule, compared);
  const seen = compared[decision.candidate];
  return { rule, state, decision, ...(seen === undefined ? {} : { seen }) };
}

/** The guards that hold in every mode; what points at an earlier message needs an equal history. */
function wallOf({ fingerprint, named, historyKey, options }: ModeQuestion, candidate: Candidate): string | undefined {
  const other = decodeFingerprint(candidate.fingerprint);
  if (other === undefined) return 'fingerprint-version';
  const refers = fingerprint.missingReferent || other.missingReferent;
  if (refers && historyKey !== candidate.historyKey && options.disabled?.has('referent') !== true) return 'referent';
  return hardGuards(fingerprint, other, options) ?? answerGuard(named(), other.answer, options);
}
