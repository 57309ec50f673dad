import type { LabelRule } from './risk-store.port.js';

/** Which part of the store an answer was admitted for. `exact` entries are never candidates of the semantic tier. */
export type EntryTierScope = 'exact' | 'semantic';

/** A stored answer that may be served now. */
export interface StoredAnswer {
  readonly id: string;
  readonly createdMs: number;
  /** Model the answer came from. */
  readonly model: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** What the answer cost upstream, in millionths of a US dollar. */
  readonly costMicroUsd: number;
  /** JSON of the captured answer (libs/contracts, StoredAnswer). */
  readonly answer: string;
}

/** An answer offered to the store. */
export interface NewEntry {
  readonly id: string;
  /** Idempotency: the same request id admits once. */
  readonly requestId: string;
  readonly exactKey: string;
  /** Stratum (hash of compat, key and index layout); absent for entries of the exact tier only. */
  readonly stratum?: string;
  /** Unit vector of the index layout, float32; present iff `stratum` is. */
  readonly vector?: Float32Array;
  readonly fingerprint?: string;
  /** What scoring needs of it (`encodeDossier` of libs/policy); absent: it is never scored. */
  readonly dossier?: Uint8Array;
  /** True when the entry answers the first user message of its conversation. */
  readonly firstTurn: boolean;
  /** Hash of the whole history before the current message ('' on first turns). */
  readonly historyKey: string;
  readonly conversation: string;
  readonly answer: string;
  readonly model: string;
  readonly tags: readonly string[];
  /** Caller-given end user (`user` / `safety_identifier`), hashed; '' if none. For purges. */
  readonly user: string;
  readonly createdMs: number;
  readonly exactTtlMs: number;
  readonly semanticTtlMs: number;
  /** Absolute age limit; no hit ever extends it. */
  readonly maxAgeMs: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costMicroUsd: number;
  /** Claimed value of the entry for the protected tier, ≥ 0; counts once an independent request corroborates it. */
  readonly importance: number;
  /** 31-bit hash of who claims the importance, so that one caller cannot corroborate itself; 0 = not known. */
  readonly source?: number;
  /** Identity of the state for ghosts and corroboration; by default the vector's hash, or the exact key. */
  readonly representative?: string;
  /** Loss of the request that the answer was generated for, 0..1; default 1. 'counted': a `feedback` call told it before. */
  readonly loss?: number | 'counted';
  /** Size in the namespace's unit, > 0; default 1. */
  readonly size?: number;
  /** 1 − similarity to the nearest live entry; by default from the vector. */
  readonly novelty?: number;
  /** Asked for by name (agent memory): the regret gate is not asked. */
  readonly explicit?: boolean;
  /** Purges of the namespace when its request began: with another number now, it is refused. Absent: not asked. */
  readonly purges?: number;
  /** Seed of the eviction draw: 31 bits, hash(secret, ns, request id). */
  readonly seed: number;
}

export interface ExactQuery {
  readonly exactKey: string;
  readonly nowMs: number;
  /** The caller's or policy's tightest age limit. */
  readonly maxAgeMs: number;
  readonly requestId: string;
  /** The policy version this process holds; the reply carries the policy when it is another one. */
  readonly policyVersion: number;
  /** Expected loss of the reuse, 0..1, for the regret gate; default 0. */
  readonly loss?: number;
}

export interface PolicyState {
  readonly policyVersion: number;
  /** JSON of the namespace's policy when its version differs from the one asked with; '' = none stored. */
  readonly policy?: string;
  /** Version of what was learned that is in force; 0: nothing. */
  readonly snapshotVersion: number;
}

/** What is known of a namespace when a request begins. */
export type NamespaceMoment = PolicyState & {
  /** Purges so far, for `NewEntry.purges`. */
  readonly purges: number;
};

/** Policy and pause flag in force, for requests that read nothing else. */
export type PolicyReply = NamespaceMoment & { readonly paused: boolean };

export type ExactReply = NamespaceMoment &
  ({ readonly outcome: 'hit'; readonly entry: StoredAnswer } | { readonly outcome: 'miss' | 'paused' | 'too-old' });

export interface LookupQuery {
  readonly stratum: string;
  readonly vector: Float32Array;
  /** How many live candidates are wanted, 1..64. */
  readonly count: number;
  readonly nowMs: number;
  readonly maxAgeMs: number;
  readonly policyVersion: number;
  readonly requestId: string;
  /** Whether the candidates' answers are wanted too (agent memory). */
  readonly answers?: boolean;
}

export interface Candidate {
  readonly id: string;
  readonly createdMs: number;
  /** Cosine in the index layout's space, −1..1. */
  readonly similarity: number;
  readonly fingerprint: string;
  readonly firstTurn: boolean;
  readonly historyKey: string;
  readonly conversation: string;
  /** The stored answer, '' unless it was asked for. */
  readonly answer: string;
}

export type LookupReply = PolicyState & {
  readonly outcome: 'ok' | 'paused';
  /** Live, young enough, not quarantined; most similar first. */
  readonly candidates: readonly Candidate[];
};

export interface ServeQuery {
  readonly entryId: string;
  readonly nowMs: number;
  readonly maxAgeMs: number;
  readonly requestId: string;
  /** The policy version that the decision was made under; another one in force refuses. */
  readonly policyVersion: number;
  /** What the decision rests on; it is refused when what was learned since no longer allows it. */
  readonly decidedBy?: { readonly rule: LabelRule; readonly snapshot: number };
  /** Expected loss of the reuse, 0..1, for the regret gate; default 0. */
  readonly loss?: number;
  /** What the decision was made from (JSON), kept for `explain` if the entry is served. */
  readonly told?: { readonly record: string; readonly conversation: string; readonly user: string };
}

export type ServeReply =
  | { readonly outcome: 'served'; readonly entry: StoredAnswer }
  | { readonly outcome: 'gone' | 'paused' | 'too-old' | 'policy-changed' | 'snapshot-changed' | 'breaker-open' };

export interface AdmitReply {
  /** `stored` new; `refreshed` same representative and answer was there; `duplicate` this request id was seen; `rejected` by the gate. */
  readonly outcome: 'stored' | 'refreshed' | 'duplicate' | 'rejected' | 'paused';
  readonly entryId: string;
  readonly evicted: readonly string[];
  /** One word why. */
  readonly reason: string;
}

/** What scoring needs of a live entry. */
export interface StoredDossier {
  readonly id: string;
  /** Empty when the entry has none. */
  readonly dossier: Uint8Array;
  /** '' unless it was asked for. */
  readonly answer: string;
}

/** The hot path of the cache: atomic calls, each one round trip. */
export interface EntryStore {
  policy(ns: string, policyVersion: number): Promise<PolicyReply>;
  exact(ns: string, query: ExactQuery): Promise<ExactReply>;
  lookup(ns: string, query: LookupQuery): Promise<LookupReply>;
  /** Of those of the entries (at most 64) that are live, in the order asked. */
  dossiers(ns: string, ids: readonly string[], answers: boolean): Promise<readonly StoredDossier[]>;
  serve(ns: string, query: ServeQuery): Promise<ServeReply>;
  admit(ns: string, entry: NewEntry): Promise<AdmitReply>;
}
