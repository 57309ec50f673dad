import type { Catalog } from '@reprise/catalog';
import type { AppConfig } from '@reprise/config';
import type { Clock, Log, Telemetry } from '@reprise/kernel';
import type { TelemetryHandle } from '@reprise/observability';
import type {
  AccessStore,
  AgentMemory,
  ConversationStore,
  DecisionLog,
  Embedder,
  EntryStore,
  FlightStore,
  GhostStore,
  JobProducer,
  Judge,
  NamespaceAdmin,
  PlanStore,
  PolicyEngine,
  RiskStore,
  SemanticCache,
  UpstreamModel,
} from '@reprise/semantic-cache';

/** The ports of one process with the adapters that the configuration chose. */
export interface Runtime {
  readonly config: AppConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly entries: EntryStore;
  readonly flights: FlightStore;
  readonly conversations: ConversationStore;
  readonly decisions: DecisionLog;
  readonly access: AccessStore;
  readonly admin: NamespaceAdmin;
  readonly ghosts: GhostStore;
  readonly risk: RiskStore;
  readonly plans: PlanStore;
  readonly policies: PolicyEngine;
  /** Takes a namespace, or one conversation of it, out of jobs that wait; false when the queues cannot be reached. */
  readonly forgetJobs: (namespaces: readonly string[], conversation?: string) => Promise<boolean>;
  readonly embedder: Embedder;
  readonly upstream: UpstreamModel;
  readonly jobs: JobProducer;
  /** Who judges reuses in workers; undefined: nobody, and in gateways. */
  readonly judge: Judge | undefined;
  /** The low-write records, opened at the first call: only workers and the admin API use them. */
  readonly catalog: () => Promise<Catalog>;
  readonly cache: SemanticCache;
  readonly memory: AgentMemory;
  /** Names of the degraded modes in force now. */
  readonly degraded: () => readonly string[];
  /** The exposition for /metrics. */
  readonly metricsText: () => Promise<string>;
  /** Sets a gauge of the metric table. */
  readonly setGauge: TelemetryHandle['setGauge'];
  /** Ends connections and threads; what is under way is finished by the caller first. */
  readonly close: () => Promise<void>;
}

/** Injection token of the {@link Runtime}. */
export const RUNTIME = Symbol('Runtime');
