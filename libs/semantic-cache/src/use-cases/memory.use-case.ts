import { err, ok, type Result, stableHash } from '@reprise/kernel';
import type { CacheDependencies } from '../dependencies.js';
import { canonicalText } from '../request/canonical-text.js';
import type { Candidate } from '../ports/entry-store.port.js';
import type { PolicyEngine } from '../ports/policy-engine.port.js';

/** Whose experience a memory is; '' = of the whole level above. A scope never sees into another one. */
export interface MemoryScope {
  readonly agent: string;
  readonly run: string;
}

export interface NewMemory {
  readonly requestId: string;
  readonly ns: string;
  readonly tenant: string;
  readonly scope: MemoryScope;
  readonly text: string;
  /** Claimed value, ≥ 0; counts for the protected tier once an independent use corroborates it. */
  readonly importance: number;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly ttlMs: number;
  /** Ids that this memory replaces: of its own scope or of one below it. Those that are gone already do no harm. */
  readonly supersedes: readonly string[];
  readonly user: string;
  /** 31-bit hash of the caller. */
  readonly source: number;
}

export interface Memory {
  readonly id: string;
  readonly text: string;
  /** Cosine to the query, −1..1. */
  readonly similarity: number;
  readonly createdMs: number;
  readonly importance: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly scope: MemoryScope;
}

export interface Recall {
  readonly requestId: string;
  readonly ns: string;
  readonly tenant: string;
  readonly scope: MemoryScope;
  /** Also what the levels above know: the agent without a run, then the tenant. */
  readonly inherit: boolean;
  readonly query: string;
  /** How many memories are wanted, 1..50; min(k, live) come back. */
  readonly k: number;
  readonly minSimilarity: number;
}

export type MemoryProblem =
  'too-long' | 'empty' | 'embedder-unavailable' | 'not-stored' | 'unknown-request' | 'foreign-scope';

export type MemoryDependencies = CacheDependencies & {
  readonly engine: PolicyEngine;
  /** Eviction policy of memory spaces. */
  readonly memoryEviction: string;
};

interface Stored {
  readonly text: string;
  readonly importance: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly scope: MemoryScope;
}

/** Older than any memory: each has a time to live of its own. */
const anyAgeMs = 9e15;
/** How long a recall can be given feedback on. */
const recallKeepMs = 60 * 60 * 1000;

const memorySuffix = '~memory';

/** Memories live beside the caller's cache, on the same store, policies and functions; no header can name this space. */
export const memorySpace = (ns: string): string => `${ns}${memorySuffix}`;

export const isMemorySpace = (ns: string): boolean => ns.endsWith(memorySuffix);

const stratumOf = (scope: MemoryScope, embedder: string): string =>
  stableHash(['memory', scope.agent, scope.run, embedder], 24);

async function vectorOf(deps: MemoryDependencies, text: string): Promise<Result<Float32Array, MemoryProblem>> {
  const embedded = await deps.embedder.embed(text);
  if (embedded.ok) return ok(embedded.vector);
  return err(embedded.reason === 'too-long' || embedded.reason === 'empty' ? embedded.reason : 'embedder-unavailable');
}

/**
 * Keeps one experience. The same text in the same scope is refreshed, never kept twice; what it supersedes is gone
 * from every later recall. Throws when the store cannot be reached.
 */
export async function remember(
  deps: MemoryDependencies,
  memory: NewMemory,
): Promise<Result<{ readonly id: string; readonly outcome: 'stored' | 'refreshed' }, MemoryProblem>> {
  const text = canonicalText(memory.text);
  const vector = await vectorOf(deps, text);
  if (!vector.ok) return vector;
  const ns = memorySpace(memory.ns);
  if (!(await mayReplace(deps, ns, memory))) return err('foreign-scope');
  const policy = deps.policies.resolve(ns, memory.tenant, 'memory');
  deps.roll.touch(deps, ns, { ...policy, eviction: deps.memoryEviction });
  const { scope, importance, metadata } = memory;
  const stored: Stored = { text, importance, metadata, scope };
  const reply = await deps.store.admit(ns, {
    id: `m_${deps.newId().replace(/^e_/, '')}`,
    requestId: memory.requestId,
    exactKey: stableHash(['memory', scope.agent, scope.run, text]),
    stratum: stratumOf(scope, deps.embedder.identity),
    vector: vector.value,
    firstTurn: true,
    historyKey: '',
    conversation: scope.run,
    answer: JSON.stringify(stored),
    model: 'memory',
    tags: memory.tags,
    user: memory.user,
    createdMs: deps.clock.nowMs(),
    exactTtlMs: memory.ttlMs,
    semanticTtlMs: memory.ttlMs,
    maxAgeMs: memory.ttlMs,
    promptTokens: 0,
    completionTokens: 0,
    costMicroUsd: 0,
    importance,
    source: memory.source,
    explicit: true,
    seed: deps.seed(ns, memory.requestId),
  });
  if (reply.outcome !== 'stored' && reply.outcome !== 'refreshed') return err('not-stored');
  for (const entryId of memory.supersedes) {
    if (entryId !== reply.entryId) await deps.admin.forget(ns, entryId, deps.clock.nowMs());
  }
  return ok({ id: reply.entryId, outcome: reply.outcome });
}

/** Most ids of one call of the store. */
const idsAtOnce = 64;

/** What a memory replaces vanishes for everyone who sees it, so that a scope may replace only what it contains. */
async function mayReplace(deps: MemoryDependencies, ns: string, { scope, supersedes }: NewMemory): Promise<boolean> {
  for (let at = 0; at < supersedes.length; at += idsAtOnce) {
    const live = await deps.store.dossiers(ns, supersedes.slice(at, at + idsAtOnce), true);
    const scopes = live.map(({ answer }) => (JSON.parse(answer) as Stored).scope);
    const within = scopes.every((each) =>
      levelsAbove(each).some(({ agent, run }) => agent === scope.agent && run === scope.run),
    );
    if (!within) return false;
  }
  return true;
}

/** The k nearest live memories of a scope, most similar first. Throws when the store cannot be reached. */
export async function recall(
  deps: MemoryDependencies,
  asked: Recall,
): Promise<Result<readonly Memory[], MemoryProblem>> {
  const vector = await vectorOf(deps, canonicalText(asked.query));
  if (!vector.ok) return vector;
  const ns = memorySpace(asked.ns);
  const levels = asked.inherit ? levelsAbove(asked.scope) : [asked.scope];
  const replies = await Promise.all(levels.map((scope) => nearest(deps, ns, scope, vector.value, asked)));
  const seen = new Set<string>();
  const memories = replies
    .flat()
    .map(memoryOf)
    .filter(({ similarity }) => similarity >= asked.minSimilarity)
    .sort((a, b) => b.similarity - a.similarity)
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .slice(0, asked.k);
  const record = JSON.stringify({ recalled: memories.map(({ id }) => id) });
  await deps.decisions.record(ns, asked.requestId, '', asked.scope.run, record, recallKeepMs, deps.clock.nowMs());
  return ok(memories);
}

function levelsAbove(scope: MemoryScope): readonly MemoryScope[] {
  const levels = [scope, { agent: scope.agent, run: '' }, { agent: '', run: '' }];
  return levels.filter(
    (level, at) => levels.findIndex(({ agent, run }) => agent === level.agent && run === level.run) === at,
  );
}

async function nearest(
  deps: MemoryDependencies,
  ns: string,
  scope: MemoryScope,
  vector: Float32Array,
  asked: Recall,
): Promise<readonly Candidate[]> {
  const reply = await deps.store.lookup(ns, {
    stratum: stratumOf(scope, deps.embedder.identity),
    vector,
    count: asked.k,
    nowMs: deps.clock.nowMs(),
    maxAgeMs: anyAgeMs,
    policyVersion: deps.policies.version(ns),
    requestId: asked.requestId,
    answers: true,
  });
  deps.policies.learn(ns, reply);
  return reply.candidates;
}

function memoryOf({ id, similarity, createdMs, answer }: Candidate): Memory {
  const { text, importance, metadata, scope } = JSON.parse(answer) as Stored;
  return { id, text, similarity, createdMs, importance, metadata, scope };
}

/**
 * How a recall turned out: the memories that were used and how well it went (0 … 1). Their posteriors rise, the loss
 * 1 − score feeds the admission gate (SOLAR: retrieved → used → scored). Idempotent by the recall's request id:
 * `counted` is 0 when it has been scored before.
 */
export async function scoreRecall(
  deps: MemoryDependencies,
  given: { ns: string; requestId: string; used: readonly string[]; score: number; importance: number; source: number },
): Promise<Result<{ readonly counted: number }, MemoryProblem>> {
  const ns = memorySpace(given.ns);
  const record = (await deps.decisions.read(ns, given.requestId))?.record;
  if (record === undefined) return err('unknown-request');
  const { recalled } = JSON.parse(record) as { recalled: readonly string[] };
  const used = [...new Set(given.used)].filter((id) => recalled.includes(id));
  const { requestId, importance, source } = given;
  const call = { requestId, used, delta: 1 - given.score, importance, source };
  return ok({ counted: (await deps.engine.countFeedback(ns, call)) ? used.length : 0 });
}

/** Removes one memory from every key; false when there was none. */
export async function forget(deps: MemoryDependencies, ns: string, id: string): Promise<boolean> {
  return deps.admin.forget(memorySpace(ns), id, deps.clock.nowMs());
}
