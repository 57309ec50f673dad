import type { Clock } from '@reprise/kernel';
import type {
  AccessStore,
  ConversationStore,
  DecisionLog,
  EntryStore,
  FlightStore,
  NamespaceAdmin,
  PlanStore,
  PolicyEngine,
  RiskStore,
  VectorCache,
} from '@reprise/semantic-cache';
import { MemoryConversationStore } from './memory-conversation-store.adapter.js';
import { MemoryEntryStore } from './memory-entry-store.adapter.js';
import { MemoryFlightStore } from './memory-flight-store.adapter.js';
import { MemoryNamespaceAdmin } from './memory-namespace-admin.adapter.js';
import { MemoryPlanStore } from './memory-plan-store.adapter.js';
import { MemoryPolicyEngine } from './memory-policy-engine.adapter.js';
import { MemoryRiskStore } from './memory-risk-store.adapter.js';
import { MemoryAccessStore, MemoryDecisionLog, MemoryVectorCache } from './memory-small-stores.adapter.js';
import { MemoryState } from './namespace-state.js';

/** The in-process twin of every store port: the simulator's store and the unit tests', with the outcomes of Redis. */
export interface MemoryStore {
  readonly entries: EntryStore;
  readonly flights: FlightStore;
  readonly conversations: ConversationStore;
  readonly decisions: DecisionLog;
  readonly access: AccessStore;
  readonly vectors: VectorCache;
  readonly admin: NamespaceAdmin;
  readonly policies: PolicyEngine;
  readonly plans: PlanStore;
  readonly risk: RiskStore;
  close(): Promise<void>;
}

/** An empty store. `clock` ends leases and kept records; entries end by the callers' own times. */
export function createMemoryStore(clock: Clock): MemoryStore {
  const state = new MemoryState();
  const flights = new MemoryFlightStore(clock);
  return {
    entries: new MemoryEntryStore(state),
    flights,
    conversations: new MemoryConversationStore(state),
    decisions: new MemoryDecisionLog(state, clock),
    access: new MemoryAccessStore(),
    vectors: new MemoryVectorCache(clock),
    admin: new MemoryNamespaceAdmin(state, flights),
    policies: new MemoryPolicyEngine(state),
    plans: new MemoryPlanStore(state),
    risk: new MemoryRiskStore(state),
    close: () => Promise.resolve(),
  };
}
