import { PolicyStore } from '@reprise/policy';
import { defaultPolicyConfig } from './policy-overlay.js';
import { RiskState } from './risk-state.js';

/** Everything of one entry but its place in the tiers, which the policy store holds. */
export interface MemoryEntry {
  readonly id: string;
  answer: string;
  fingerprint: string;
  dossier: Uint8Array;
  createdMs: number;
  exactUntilMs: number;
  semanticUntilMs: number;
  firstTurn: boolean;
  historyKey: string;
  conversation: string;
  model: string;
  promptTokens: number;
  completionTokens: number;
  costMicroUsd: number;
  exactKeys: readonly string[];
  stratum: string;
  tags: readonly string[];
  user: string;
  answerHash: string;
  vectorHash: string;
  representative: string;
}

export interface Decision {
  record?: string;
  served?: string;
  entryId: string;
  conversation: string;
  user: string;
  untilMs: number;
}

export interface Conversation {
  head: string;
  seenMs: number;
  /** It has labels: its end is told to the learner. */
  labelled?: boolean;
  /** Version of what was learned when it began. */
  snapshot?: number;
}

/** The state of one namespace; the twin of all keys under `rp:{ns}`. */
export class NamespaceState {
  policyText = '';
  defaultsText = '';
  version = 0;
  paused = false;
  purges = 0;
  /** What the last recompute of the planned tier noted. */
  planNote = '';
  readonly policies = new PolicyStore(defaultPolicyConfig());
  readonly risk = new RiskState();
  readonly entries = new Map<string, MemoryEntry>();
  readonly exact = new Map<string, string>();
  /** Stratum → id → unit vector. */
  readonly strata = new Map<string, Map<string, Float32Array>>();
  readonly refused = new Set<string>();
  /** Request id → entry id of its admission. */
  readonly admissions = new Map<string, string>();
  readonly decisions = new Map<string, Decision>();
  readonly conversations = new Map<string, Conversation>();
  /** Head → conversations that wait there, newest last. */
  readonly waiting = new Map<string, string[]>();
  private readonly counters = new Map<string, number>();

  count(name: string, by = 1): void {
    this.counters.set(name, (this.counters.get(name) ?? 0) + by);
  }

  /** Removes an entry from everything that leads to it. */
  remove(id: string): boolean {
    const entry = this.entries.get(id);
    if (entry) this.detach(entry);
    return this.policies.remove(id) || entry !== undefined;
  }

  /** An entry that answers equal requests only is no longer a candidate of others. */
  leaveStratum(entry: MemoryEntry): void {
    const stratum = this.strata.get(entry.stratum);
    stratum?.delete(entry.id);
    if (stratum?.size === 0) this.strata.delete(entry.stratum);
    entry.stratum = '';
  }

  /** As `remove`, for an entry that the policy store has let go of already. */
  detach(entry: MemoryEntry): void {
    this.releaseExactKeys(entry);
    this.leaveStratum(entry);
    this.entries.delete(entry.id);
  }

  releaseExactKeys(entry: MemoryEntry): void {
    for (const key of entry.exactKeys) if (this.exact.get(key) === entry.id) this.exact.delete(key);
  }

  stats(): Record<string, number> {
    const { policies } = this;
    const { counters, moment, gateState } = policies;
    return {
      ...Object.fromEntries(this.counters),
      admitted: counters.admitted,
      gated: counters.gated,
      evicted: counters.evicted,
      refreshed: counters.refreshed,
      promoted: counters.promoted,
      demoted: counters.demoted,
      labels_correct: counters.labelsCorrect,
      labels_incorrect: counters.labelsIncorrect,
      labels_late: counters.labelsLate,
      entries: policies.size,
      planned: policies.idsOf('planned').length,
      protected: policies.idsOf('protected').length,
      recency: policies.idsOf('recency').length,
      capacity: policies.policy.capacity,
      strata: this.strata.size,
      refused: this.refused.size,
      paused: this.paused ? 1 : 0,
      policy_version: this.version,
      ...moment,
      c: gateState.c,
      tau: gateState.tau,
      planned_version: policies.version,
    };
  }
}

/** All namespaces of one memory store. */
export class MemoryState {
  private readonly namespaces = new Map<string, NamespaceState>();

  namespace(ns: string): NamespaceState {
    let state = this.namespaces.get(ns);
    if (!state) {
      state = new NamespaceState();
      this.namespaces.set(ns, state);
    }
    return state;
  }
}
