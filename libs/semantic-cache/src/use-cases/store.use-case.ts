import {
  answerPrint,
  type ComparisonRule,
  decodeFingerprint,
  encodeContext,
  encodeDossier,
  encodeFingerprint,
} from '@reprise/policy';
import type { MissContext } from '../cache-request.js';
import type { AdmitReply, NewEntry } from '../ports/entry-store.port.js';
import { spokenTexts } from '../request/spoken-texts.js';
import { historyHash } from '../request/scope.js';
import { readModeState, ruleOf } from '../risk/mode-state.js';
import { readReply, readState, type StateReading } from '../risk/state-reading.js';
import { label } from './label.use-case.js';
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
  void continueConversation(deps, context, fresh.message);
  const read = fresh.tier === 'semantic' ? await readWhole(deps, context, fresh.message) : {};
  const labelled = label(deps, context, { text: textOf(fresh.message), served: false, ...read });
  deps.beside?.(labelled);
  if (!context.write) return { outcome: 'not-written', entryId: '' };
  deps.roll.touch(deps, cache.ns, context.policy);
  try {
    const reply = await deps.store.admit(cache.ns, newEntry(deps, context, fresh, read));
    deps.telemetry.count('reprise_admissions_total', { outcome: reply.outcome, reason: reply.reason });
    return reply;
  } catch {
    deps.telemetry.count('reprise_degraded_total', { mode: 'admission-failed' });
    return { outcome: 'failed', entryId: '' };
  }
}

/** What the index and scoring need of an exchange, as far as it can be had. */
interface ExchangeReading {
  readonly vector?: Float32Array;
  readonly state?: StateReading;
  readonly dossier?: Uint8Array;
}

/** Whether entries are scored now, or may be once something was learned. */
function isScored(deps: CacheDependencies, { cache, policy }: MissContext): boolean {
  if (policy.decision !== 'budget') return false;
  const { inside, outside } = policy.labelRate;
  return (deps.judged && (inside > 0 || outside > 0)) || deps.snapshots.inForce(cache.ns) !== undefined;
}

/** Never throws: what cannot be embedded is stored for equal requests only, or without a dossier. */
async function readWhole(deps: CacheDependencies, context: MissContext, answer: ChatTurn): Promise<ExchangeReading> {
  const { semantic, decision, vector } = context;
  if (semantic === undefined) return {};
  const rule = ruleOf(context.policy);
  if (rule !== undefined) return readCompared(deps, context, rule);
  const scored = isScored(deps, context);
  if (!scored && vector !== undefined) return { vector };
  try {
    const known = decision?.reading?.state;
    const outcome =
      known === undefined ? await readState(deps, context.cache.request) : { ok: true as const, state: known };
    if (!outcome.ok) return vector === undefined ? {} : { vector };
    const { state } = outcome;
    const reply = scored ? await readReply(deps, textOf(answer)) : undefined;
    const dossier = reply === undefined ? {} : { dossier: encodeDossier({ state: state.turn, reply }) };
    return { vector: state.vector, state, ...dossier };
  } catch {
    return vector === undefined ? {} : { vector };
  }
}

/** What the index of a comparison rule needs. */
async function readCompared(
  deps: CacheDependencies,
  { cache, decision }: MissContext,
  rule: ComparisonRule,
): Promise<ExchangeReading> {
  try {
    const known = decision?.compared?.state;
    const outcome =
      known === undefined ? await readModeState(deps, cache.request, rule) : { ok: true as const, state: known };
    if (!outcome.ok) return {};
    const { vector, context } = outcome.state;
    return { vector, ...(rule.context === 'none' ? {} : { dossier: encodeContext(context) }) };
  } catch {
    return {};
  }
}

function newEntry(
  deps: CacheDependencies,
  context: MissContext,
  fresh: FreshAnswer,
  { vector, dossier }: ExchangeReading,
): NewEntry {
  const { cache, policy, semantic, scope, state } = context;
  const indexed =
    semantic === undefined || vector === undefined
      ? {}
      : {
          ...semantic,
          fingerprint: withAnswer(semantic.fingerprint, context, fresh),
          vector,
          ...(dossier === undefined ? {} : { dossier }),
        };
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

/** The fingerprint of the question with what its answer took from the conversation. */
function withAnswer(fingerprint: string, { cache }: MissContext, { message }: FreshAnswer): string {
  const parsed = decodeFingerprint(fingerprint);
  if (parsed === undefined) return fingerprint;
  return encodeFingerprint({ ...parsed, answer: answerPrint(textOf(message) ?? '', spokenTexts(cache.request)) });
}

/** Moves a conversation past an answer, served or fresh, or ends it; failure costs only its identity. */
export async function continueConversation(
  deps: CacheDependencies,
  context: MissContext,
  answer: ChatTurn,
): Promise<void> {
  const { cache } = context;
  const idleMs = context.policy.conversationIdleMs;
  if (cache.endsConversation === true) return endConversation(deps, cache.ns, context.conversation, idleMs);
  const turn: ChatTurn = { role: 'assistant', content: textOf(answer) ?? null, tool_calls: answer['tool_calls'] };
  const head = historyHash([...cache.request.messages, turn]);
  deps.jobs.conversationClose(cache.ns, context.conversation, idleMs);
  await deps.conversations
    .advance(cache.ns, context.conversation, head, deps.clock.nowMs(), idleMs, context.snapshot?.version ?? 0)
    .catch(() => deps.telemetry.count('reprise_degraded_total', { mode: 'conversation-unavailable' }));
}

/**
 * Ends a conversation at its caller's word: what was observed of it counts at once, and a request that would have gone
 * on with it begins anew. A store that cannot do it now leaves it to the close of the idle.
 */
export async function endConversation(
  deps: CacheDependencies,
  ns: string,
  conversation: string,
  idleMs: number,
): Promise<void> {
  try {
    await deps.conversations.close(ns, conversation);
    deps.telemetry.count('reprise_conversation_closes_total', { outcome: 'ended' });
  } catch {
    deps.telemetry.count('reprise_degraded_total', { mode: 'conversation-unavailable' });
    deps.jobs.conversationClose(ns, conversation, idleMs);
  }
}
