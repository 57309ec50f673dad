import type { MissContext } from '../cache-request.js';
import type { AdmitReply, NewEntry } from '../ports/entry-store.port.js';
import { writeDecision } from './decision-record.js';
import { historyHash } from '../request/scope.js';
import { firstTurnVector, historyVector, stateVector } from '../request/state-vector.js';
import type { CacheDependencies } from '../dependencies.js';
import type { ChatTurn } from '../request/chat-request.js';
import { textOf } from '../request/chat-request.js';

/** A complete answer that may be stored, in the form that the gateway replays from. */
export interface FreshAnswer {
  /** JSON of the captured answer. */
  readonly answer: string;
  readonly message: ChatTurn;
  /** `exact`: tool calls and cut answers never become candidates of the semantic tier. */
  readonly tier: 'exact' | 'semantic';
  readonly model: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costMicroUsd: number;
}

export type StoreOutcome = AdmitReply | { readonly outcome: 'failed' | 'not-written'; readonly entryId: string };

/**
 * Offers a fresh answer to the store and moves the conversation on. Never throws: a store that fails costs the
 * entry, not the answer. The state of a follow-up is embedded here, off the request path.
 */
export async function store(deps: CacheDependencies, context: MissContext, fresh: FreshAnswer): Promise<StoreOutcome> {
  const { cache } = context;
  void advance(deps, context, fresh);
  if (!context.write) return { outcome: 'not-written', entryId: '' };
  deps.roll.touch(deps, cache.ns, context.policy);
  try {
    const vector = fresh.tier === 'semantic' ? await vectorOf(deps, context) : undefined;
    const reply = await deps.store.admit(cache.ns, newEntry(deps, context, fresh, vector));
    deps.telemetry.count('reprise_admissions_total', { outcome: reply.outcome, reason: reply.reason });
    return reply;
  } catch {
    deps.telemetry.count('reprise_degraded_total', { mode: 'admission-failed' });
    return { outcome: 'failed', entryId: '' };
  }
}

function newEntry(deps: CacheDependencies, context: MissContext, fresh: FreshAnswer, vector?: Float32Array): NewEntry {
  const { cache, policy, semantic, scope, state } = context;
  const indexed = semantic === undefined || vector === undefined ? {} : { ...semantic, vector };
  return {
    id: deps.newId(),
    requestId: cache.requestId,
    exactKey: scope.exactKey,
    ...indexed,
    firstTurn: state.firstTurn,
    historyKey: state.historyKey,
    conversation: context.conversation,
    answer: fresh.answer,
    model: fresh.model,
    tags: cache.tags,
    user: cache.user,
    createdMs: deps.clock.nowMs(),
    exactTtlMs: policy.exactTtlMs,
    semanticTtlMs: policy.semanticTtlMs,
    maxAgeMs: policy.maxAgeMs,
    promptTokens: fresh.promptTokens,
    completionTokens: fresh.completionTokens,
    costMicroUsd: fresh.costMicroUsd,
    importance: 0,
    purges: context.purges,
    seed: deps.seed(cache.ns, cache.requestId),
  };
}

async function vectorOf(deps: CacheDependencies, context: MissContext): Promise<Float32Array | undefined> {
  if (context.semantic === undefined) return undefined;
  if (context.vector !== undefined) return context.vector;
  const { state } = context;
  const message = await deps.embedder.embed(state.message);
  if (!message.ok) return undefined;
  if (state.firstTurn) return firstTurnVector(message.vector);
  const history: Float32Array[] = [];
  for (const text of state.history.slice(-deps.limits.historyMessages)) {
    const embedded = await deps.embedder.embed(text);
    // A part that the model cannot see whole would make two different histories look alike.
    if (!embedded.ok) return undefined;
    history.push(embedded.vector);
  }
  const reply = state.previousReply === undefined ? undefined : await deps.embedder.embed(state.previousReply);
  if (reply?.ok === false) return undefined;
  return stateVector(deps.layout, message.vector, reply?.vector, historyVector(history, message.vector.length));
}

/** The next request of this conversation will bring all messages so far and this answer as its history. */
async function advance(deps: CacheDependencies, context: MissContext, fresh: { message: ChatTurn }): Promise<void> {
  await continueConversation(deps, context, fresh.message);
}

/** Moves a conversation past an answer, served or fresh; failure costs only its identity. */
export async function continueConversation(
  deps: CacheDependencies,
  context: MissContext,
  answer: ChatTurn,
): Promise<void> {
  const { cache } = context;
  const idleMs = context.policy.conversationIdleMs;
  const turn: ChatTurn = { role: 'assistant', content: textOf(answer) ?? null, tool_calls: answer['tool_calls'] };
  const head = historyHash([...cache.request.messages, turn]);
  deps.jobs.conversationClose(cache.ns, context.conversation, idleMs);
  if (context.decision !== undefined) writeDecision(deps, context, context.decision.entryId, context.decision.record);
  await deps.conversations
    .advance(cache.ns, context.conversation, head, deps.clock.nowMs(), idleMs)
    .catch(() => deps.telemetry.count('reprise_degraded_total', { mode: 'conversation-unavailable' }));
}
