import type {
  AccessStore,
  ConversationStore,
  DecisionLog,
  EntryStore,
  FlightStore,
  LookupQuery,
  NamespaceAdmin,
  NewEntry,
  PlanStore,
  PolicyEngine,
  RiskStore,
  ServeQuery,
  VectorCache,
} from '@reprise/semantic-cache';

/** Every store port of one adapter. */
export interface StorePorts {
  readonly entries: EntryStore;
  readonly flights: FlightStore;
  readonly conversations: ConversationStore;
  readonly decisions: DecisionLog;
  readonly access: AccessStore;
  readonly vectors: VectorCache;
  readonly admin: NamespaceAdmin;
  readonly risk: RiskStore;
  readonly policies: PolicyEngine;
  readonly plans: PlanStore;
}

export interface StoreUnderTest extends StorePorts {
  close(): Promise<void>;
}

/** Opens a second process's view of the same state. */
export type OpenStore = () => Promise<StoreUnderTest>;

/** The contracts' clock: the time of the server, for adapters whose lifetimes the server ends. */
export const nowMs = Date.now();

export const hourMs = 3_600_000;

/** A unit vector with one member of 1, or two members mixed by an angle. */
export function unitVector(dimensions: number, axis: number, towards = axis, angle = 0): Float32Array {
  const vector = new Float32Array(dimensions);
  vector[axis] = Math.cos(angle);
  if (towards !== axis) vector[towards] = Math.sin(angle);
  return vector;
}

let requests = 0;

/** An entry of the contracts: number `n` has its own id, exact key, direction and answer. */
export function newEntry(n: number, change: Partial<NewEntry> = {}): NewEntry {
  requests += 1;
  return {
    id: `entry-${n}`,
    requestId: `request-${n}-${requests}`,
    exactKey: `exact-${n}`,
    stratum: 'stratum',
    vector: unitVector(64, n % 64),
    fingerprint: `fingerprint-${n}`,
    firstTurn: true,
    historyKey: '',
    conversation: `conversation-${n}`,
    answer: JSON.stringify({ text: `answer ${n}` }),
    model: 'model-a',
    tags: [],
    user: '',
    createdMs: nowMs,
    exactTtlMs: hourMs,
    semanticTtlMs: hourMs,
    maxAgeMs: 24 * hourMs,
    promptTokens: 10 + n,
    completionTokens: 20 + n,
    costMicroUsd: 0.1 + 0.2 + n,
    importance: 0,
    seed: n,
    ...change,
  };
}

export const exactQuery = (
  exactKey: string,
  change: Partial<{ nowMs: number; maxAgeMs: number; policyVersion: number }> = {},
) => ({
  exactKey,
  nowMs,
  maxAgeMs: 24 * hourMs,
  requestId: 'q',
  policyVersion: 0,
  ...change,
});

export const lookupQuery = (vector: Float32Array, change: Partial<LookupQuery> = {}): LookupQuery => ({
  stratum: 'stratum',
  vector,
  count: 8,
  nowMs,
  maxAgeMs: 24 * hourMs,
  requestId: 'q',
  policyVersion: 0,
  ...change,
});

export const serveQuery = (entryId: string, change: Partial<ServeQuery> = {}): ServeQuery => ({
  entryId,
  nowMs,
  maxAgeMs: 24 * hourMs,
  requestId: 'q',
  policyVersion: 0,
  ...change,
});
