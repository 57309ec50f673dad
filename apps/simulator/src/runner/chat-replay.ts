import { seedOf, silentTelemetry } from '@reprise/kernel';
import {
  type CacheDependencies,
  type CacheLimits,
  type ChatTurn,
  type DecisionNotes,
  defaultLayout,
  DossierCache,
  type Embedder,
  NamespaceRoll,
  PolicyCache,
  RiskSnapshots,
  type RiskStore,
  SemanticCache,
  storePolicy,
  textOf,
} from '@reprise/semantic-cache';
import type { NamespacePolicy } from '@reprise/policy';
import type { TraceRecord } from '../traces/trace.types.js';
import { type LearningOptions, ReplayLearning } from './replay-learning.js';

/** The ports of a store that a replay needs: those of memory-store or of redis-store. */
export type ReplayStore = Pick<CacheDependencies, 'conversations' | 'decisions' | 'admin'> & {
  readonly entries: CacheDependencies['store'];
};

export interface ChatReplayOptions {
  readonly store: ReplayStore;
  readonly ns: string;
  readonly policy: NamespacePolicy;
  readonly embedder: Embedder;
  readonly limits: Omit<CacheLimits, 'addedLatencyMs' | 'decisionKeepMs'>;
  readonly seed: number;
  /** Time of the first request, ms since 1970; by default the trace's own. Redis lets keys expire by the real clock. */
  readonly startMs?: number;
  readonly costOf: (record: TraceRecord) => number;
  /** Reuses are judged and learned from at the end of each conversation; absent: nothing is learned. */
  readonly learning?: LearningOptions & { readonly risk: RiskStore };
}

/** What the cache did with one request. */
export interface ChatDecision {
  readonly kind: 'hit-exact' | 'hit-semantic' | 'miss' | 'bypass';
  readonly reason: string;
  /** The entry that served, or that the answer is stored in; '' for none. */
  readonly entryId: string;
  /** Nearest candidate's similarity, where one was looked at. */
  readonly similarity?: number;
  /** Estimated probability that the reuse is wrong, and the snapshot that the request was decided by. */
  readonly risk?: number;
  readonly snapshot?: number;
  readonly evicted: readonly string[];
  readonly record: TraceRecord;
  /** Truth of the entry that served; undefined where nobody knows. */
  readonly servedTruth?: string;
}

/** A trace without times has a request a second. */
const paceMs = 1000;
/** Real time that one decision may take; the trace's own clock stands still meanwhile. */
const patienceMs = 60_000;

/** Replays chat exchanges through the product's own core, in order, one at a time; deterministic for a seed. */
export async function* replayChat(
  trace: AsyncIterable<TraceRecord>,
  options: ChatReplayOptions,
): AsyncGenerator<ChatDecision> {
  const { store, ns, policy } = options;
  const clock = traceClock(options.startMs);
  const learning = learningOf(options, clock);
  const cache = new SemanticCache({ ...dependenciesOf(options, clock), ...learning?.ports });
  await store.admin.remember(ns, storePolicy(policy));
  const truths = new Map<string, string | undefined>();
  let number = 0;
  for await (const record of trace) {
    clock.moveTo(record.timeMs);
    number += 1;
    const outcome = await cache.check({
      requestId: record.requestId ?? `r${number}`,
      ns,
      request: record.request,
      tenant: '',
      cacheControl: { noCache: false, noStore: false, onlyIfCached: false },
      ...(record.conversation === undefined ? {} : { conversation: record.conversation }),
      tags: [],
      user: record.user,
    });
    const base = { kind: outcome.kind, record, ...notedOf(outcome.notes) };
    if (outcome.kind === 'bypass') {
      yield { ...base, entryId: '', evicted: [] };
    } else if (outcome.kind === 'miss') {
      const reply = await cache.store(outcome.context, freshAnswer(record, options.costOf));
      const evicted = 'evicted' in reply ? reply.evicted : [];
      for (const id of evicted) truths.delete(id);
      if (reply.outcome === 'stored' || reply.outcome === 'refreshed') truths.set(reply.entryId, record.truth);
      yield { ...base, entryId: reply.entryId, evicted };
    } else {
      const { id, answer } = outcome.entry;
      // The log goes on with its own reply; a judge looks at the answer that was given.
      await cache.served(outcome.context, learning === undefined ? record.reply.message : messageOf(answer));
      const truth = truths.get(id);
      yield { ...base, entryId: id, evicted: [], ...(truth === undefined ? {} : { servedTruth: truth }) };
    }
    if (record.last === true && record.conversation !== undefined) await learning?.end(record.conversation);
  }
}

function notedOf({ reason, similarity, risk, snapshot }: DecisionNotes) {
  return {
    reason,
    ...(similarity === undefined ? {} : { similarity }),
    ...(risk === undefined ? {} : { risk }),
    ...(snapshot === undefined ? {} : { snapshot }),
  };
}

function learningOf({ learning, store, ns }: ChatReplayOptions, clock: TraceClock): ReplayLearning | undefined {
  return learning && new ReplayLearning({ ...store, risk: learning.risk }, ns, learning, () => clock.nowMs());
}

function dependenciesOf(options: ChatReplayOptions, clock: TraceClock): CacheDependencies {
  const { store, embedder, limits, seed } = options;
  // Without learning no judge is asked: what would be looked up for one after an answer would meet the next request.
  const { learning } = options;
  const policy = learning === undefined ? { ...options.policy, labelRate: { inside: 0, outside: 0 } } : options.policy;
  const log = { write: (): void => undefined };
  let ids = 0;
  return {
    store: store.entries,
    conversations: store.conversations,
    decisions: store.decisions,
    admin: store.admin,
    embedder,
    jobs: { conversationClose: () => undefined, judge: () => undefined, close: () => Promise.resolve() },
    policies: new PolicyCache({ base: () => policy, merge: () => policy, route: () => policy }),
    snapshots: new RiskSnapshots({ snapshot: () => Promise.resolve(undefined) }, silentTelemetry, log),
    dossiers: new DossierCache(),
    judged: false,
    labelSecret: String(seed),
    roll: new NamespaceRoll(),
    clock,
    telemetry: silentTelemetry,
    log,
    limits: { ...limits, addedLatencyMs: patienceMs, decisionKeepMs: patienceMs },
    layout: defaultLayout,
    newId: () => `e${(ids += 1)}`,
    // Not by namespace: that of Redis is another one each time.
    seed: (_ns, requestId) => seedOf([String(seed), requestId]),
  };
}

const messageOf = (answer: string): ChatTurn => (JSON.parse(answer) as { message: ChatTurn }).message;

/** As the gateway stores it: calls of tools and cut answers are for equal requests only. */
function freshAnswer({ request, reply }: TraceRecord, costOf: (record: TraceRecord) => number) {
  const { message, finishReason, promptTokens, completionTokens } = reply;
  const plain = finishReason === 'stop' && message['tool_calls'] === undefined && textOf(message) !== undefined;
  return {
    answer: JSON.stringify({ message }),
    message,
    tier: plain ? ('semantic' as const) : ('exact' as const),
    model: request.model,
    promptTokens,
    completionTokens,
    costMicroUsd: costOf({ request, reply } as TraceRecord),
  };
}

interface TraceClock {
  nowMs(): number;
  /** To the time of the next request; never back, whatever the log says. */
  moveTo(timeMs: number | undefined): void;
}

function traceClock(startMs: number | undefined): TraceClock {
  let now: number | undefined;
  let shift = 0;
  return {
    nowMs: () => now ?? 0,
    moveTo: (timeMs) => {
      if (now === undefined) {
        now = startMs ?? timeMs ?? Date.UTC(2026, 0, 1);
        shift = timeMs === undefined ? 0 : now - timeMs;
        return;
      }
      now = timeMs === undefined ? now + paceMs : Math.max(now, timeMs + shift);
    },
  };
}
