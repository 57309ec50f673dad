import { FEATURE_VERSION, guardOptionsOf, namedSpecifics, parseFingerprint } from '@reprise/policy';
import type { MissContext } from '../cache-request.js';
import type { CacheDependencies } from '../dependencies.js';
import type { LabelRecord } from '../ports/risk-store.port.js';
import { type ChatRequest, type ChatTurn, isFraming, textOf } from '../request/chat-request.js';
import { spokenTexts } from '../request/spoken-texts.js';
import { rateOf } from '../risk/label-draw.js';
import { lookupCount, type RatedCandidate, readRisk, type RiskReading } from '../risk/risk-reading.js';
import { readState, type StateReading } from '../risk/state-reading.js';
import type { SemanticDecision } from './semantic-decision.js';

/** Newest earlier messages that a judge is shown. */
const HISTORY_MESSAGES = 16;

/** Text of the answer that the caller got. */
export interface GivenAnswer {
  readonly text: string | undefined;
  /** Served from the cache; else it is the fresh one. */
  readonly served: boolean;
  /** The state, when it was read for storing. */
  readonly state?: StateReading;
}

/**
 * Has the reuse judged that was made, or that could have been made, when the request's coin says so. Runs after the
 * answer, never throws; what fails costs the label, whatever the verdict would have been.
 */
export async function label(deps: CacheDependencies, context: MissContext, given: GivenAnswer): Promise<void> {
  const { decision, draw } = context;
  if (!deps.judged) return;
  if (decision === undefined || decision.skipped === true || draw?.possible !== true) return;
  // Where nothing is near there is nothing to judge.
  if (decision.reason === 'no-candidate') return;
  if (given.text === undefined || given.text === '') return;
  const { compared } = decision;
  if (compared === undefined && context.policy.decision !== 'budget') return;
  try {
    if (compared === undefined) await drawn(deps, context, decision, draw.coin, given, given.text);
    else await compare(deps, context, decision, draw.coin, given, given.text);
  } catch {
    deps.telemetry.count('reprise_degraded_total', { mode: 'label-unavailable' });
  }
}

async function drawn(
  deps: CacheDependencies,
  context: MissContext,
  decision: SemanticDecision,
  coin: number,
  given: GivenAnswer,
  text: string,
): Promise<void> {
  const { cache, policy, snapshot } = context;
  const reading = decision.reading ?? (await readLater(deps, context, given.state));
  const chosen = given.served ? find(reading, decision.candidate?.id) : reading?.best;
  if (reading === undefined || chosen === undefined) return;
  const rule = given.served ? decision.rule : 'budget';
  const rate = rateOf(policy, rule, chosen.score, snapshot);
  if (coin >= rate) return;
  const candidate = given.served ? text : await answerOf(deps, cache.ns, chosen.candidate.id);
  if (candidate === undefined) return;
  deps.jobs.judge({
    ns: cache.ns,
    label: labelOf(context, chosen, reading.state, { rule, served: given.served, rate }),
    history: historyOf(cache.request),
    message: textOf(cache.request.messages.at(-1) as ChatTurn) ?? '',
    candidate,
    ...(given.served ? {} : { fresh: text }),
  });
}

/** What a comparison rule serves, or would have served in shadow, is judged and counted; nothing is learned from it. */
async function compare(
  deps: CacheDependencies,
  context: MissContext,
  { serve, candidate, rule }: SemanticDecision,
  coin: number,
  { served }: GivenAnswer,
  text: string,
): Promise<void> {
  const { cache, conversation, policy } = context;
  if (!serve || candidate === undefined) return;
  const rate = rateOf(policy, rule, undefined, undefined);
  if (coin >= rate) return;
  const reused = served ? text : await answerOf(deps, cache.ns, candidate.id);
  if (reused === undefined) return;
  deps.jobs.judge({
    ns: cache.ns,
    label: {
      ...{ requestId: cache.requestId, conversation, user: cache.user, entryId: candidate.id },
      ...{ rule, served, rate, snapshot: 0, featureVersion: FEATURE_VERSION, row: new Float64Array(0) },
    },
    history: historyOf(cache.request),
    message: textOf(cache.request.messages.at(-1) as ChatTurn) ?? '',
    candidate: reused,
    ...(served ? {} : { fresh: text }),
  });
}

function labelOf(
  { cache, conversation, snapshot }: MissContext,
  { candidate, row, score, texts }: RatedCandidate,
  state: StateReading,
  drawn: Pick<LabelRecord, 'rule' | 'served' | 'rate'>,
): Omit<LabelRecord, 'rejected' | 'judge'> {
  return {
    requestId: cache.requestId,
    conversation,
    user: cache.user,
    entryId: candidate.id,
    turn: state.turn.turn,
    ...drawn,
    ...(score === undefined ? {} : { score }),
    snapshot: score === undefined ? 0 : (snapshot?.version ?? 0),
    featureVersion: FEATURE_VERSION,
    row,
    ...(texts === undefined ? {} : { texts }),
  };
}

const find = (reading: RiskReading | undefined, id: string | undefined): RatedCandidate | undefined =>
  reading?.candidates.find(({ candidate }) => candidate.id === id);

/** The candidates of a request that the budget rule did not decide: nothing could be served by it, so nobody waited. */
async function readLater(
  deps: CacheDependencies,
  context: MissContext,
  known: StateReading | undefined,
): Promise<RiskReading | undefined> {
  const { cache, policy, semantic } = context;
  if (semantic === undefined) return undefined;
  const outcome = known === undefined ? await readState(deps, cache.request) : { ok: true as const, state: known };
  if (!outcome.ok) return undefined;
  const { state } = outcome;
  const found = await deps.store.lookup(cache.ns, {
    stratum: semantic.stratum,
    vector: state.vector,
    count: lookupCount(state),
    nowMs: deps.clock.nowMs(),
    maxAgeMs: policy.maxAgeMs,
    policyVersion: deps.policies.version(cache.ns),
    requestId: cache.requestId,
  });
  const named = namedSpecifics(spokenTexts(cache.request));
  return readRisk(
    deps,
    {
      ns: cache.ns,
      conversation: context.conversation,
      state,
      fingerprint: parseFingerprint(context.state.message),
      named: () => named,
      options: guardOptionsOf(policy),
      snapshot: context.snapshot,
    },
    found,
  );
}

async function answerOf(deps: CacheDependencies, ns: string, id: string): Promise<string | undefined> {
  const [entry] = await deps.store.dossiers(ns, [id], true);
  if (entry === undefined) return undefined;
  const { message } = JSON.parse(entry.answer) as { message?: ChatTurn };
  return message === undefined ? undefined : textOf(message);
}

function historyOf(request: ChatRequest): { role: string; text: string }[] {
  return request.messages
    .slice(0, -1)
    .filter((turn) => !isFraming(turn))
    .slice(-HISTORY_MESSAGES)
    .map((turn) => ({ role: turn.role, text: textOf(turn) ?? '' }));
}
