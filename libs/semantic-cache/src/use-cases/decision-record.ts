import { FEATURE_NAMES, guardOptionsOf, guardRuleId } from '@reprise/policy';
import type { DecisionNotes, MissContext } from '../cache-request.js';
import type { CacheDependencies } from '../dependencies.js';
import type { RequestReading } from '../request/request-reading.js';
import type { ModeReading } from '../risk/mode-reading.js';
import type { RatedCandidate } from '../risk/risk-reading.js';
import type { SemanticDecision } from './semantic-decision.js';

/** Keeps the inputs of a decision for `explain`; not awaited, a failure costs only the explanation. */
export function writeDecision(deps: CacheDependencies, context: MissContext, entryId: string, record: string): void {
  const { cache, conversation } = context;
  deps.decisions
    .record(
      cache.ns,
      cache.requestId,
      entryId,
      conversation,
      record,
      deps.limits.decisionKeepMs,
      deps.clock.nowMs(),
      cache.user,
    )
    .catch(() => deps.telemetry.count('reprise_degraded_total', { mode: 'decision-log-unavailable' }));
}

/** Every input of a decision of the semantic tier (JSON). */
export function recordOf(
  deps: Pick<CacheDependencies, 'clock' | 'policies'>,
  context: MissContext,
  reading: RequestReading,
  decision: SemanticDecision,
  notes: Omit<DecisionNotes, 'ignored'>,
  serve: boolean,
): string {
  const { cache, state } = context;
  const { candidates } = decision;
  return JSON.stringify({
    at: deps.clock.nowMs(),
    ...notes,
    serve,
    conversation: context.conversation,
    user: cache.user,
    model: cache.request.model,
    firstTurn: state.firstTurn,
    stratum: context.semantic?.stratum ?? null,
    policyVersion: deps.policies.version(cache.ns),
    volatile: reading.volatile,
    guardRule: guardRuleId(guardOptionsOf(context.policy)),
    fingerprint: candidates.length > 0 ? reading.encodedFingerprint : null,
    candidateFingerprint: decision.candidate?.fingerprint ?? null,
    candidates: candidates
      .slice(0, 4)
      .map(({ id, similarity, firstTurn, createdMs }) => ({ id, similarity, firstTurn, createdMs })),
    ...(context.policy.decision === 'budget' && decision.skipped !== true
      ? { budget: budgetOf(context, decision) }
      : {}),
    ...(decision.compared === undefined ? {} : { comparison: comparisonOf(context, decision.compared) }),
  });
}

/** What a comparison rule went by. */
function comparisonOf({ policy, draw }: MissContext, { rule, seen }: ModeReading) {
  return {
    mode: policy.decision,
    ...rule,
    similarity: seen?.similarity ?? null,
    contextSimilarity: rule.context === 'none' ? null : (seen?.contextSimilarity ?? null),
    refusedByGuard: seen?.wall ?? null,
    coin: draw?.coin ?? null,
  };
}

/** What the budget mode went by. */
function budgetOf({ draw, policy }: MissContext, { rule, snapshot, reading }: SemanticDecision) {
  const best = reading?.best;
  return {
    rule,
    errorBudget: policy.errorBudget,
    snapshot: snapshot?.version ?? 0,
    labels: snapshot?.labels ?? 0,
    threshold: snapshot?.threshold ?? null,
    bound: snapshot?.bound ?? null,
    breakerOpen: snapshot?.breakerOpen ?? false,
    coldStartClosed: snapshot?.coldStartClosed ?? false,
    coin: draw?.coin ?? null,
    scored: reading?.candidates.length ?? 0,
    refusedByGuard: reading?.refusal ?? null,
    ...(best === undefined ? {} : ratedOf(best)),
  };
}

function ratedOf({ candidate, score, row }: RatedCandidate) {
  const features = Object.fromEntries(FEATURE_NAMES.map((name, i) => [name, Number((row[i] as number).toFixed(6))]));
  return { candidate: candidate.id, score: score ?? null, features };
}
