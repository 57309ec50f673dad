import type { Clock, Log, Telemetry } from '@reprise/kernel';
import type { EmbedAhead } from './embed-ahead.js';
import type { NamespaceRoll } from './namespace-roll.js';
import type { PolicyCache } from './policy-cache.js';
import type { ConversationStore } from './ports/conversation-store.port.js';
import type { DecisionLog } from './ports/decision-log.port.js';
import type { Embedder } from './ports/embedder.port.js';
import type { EntryStore } from './ports/entry-store.port.js';
import type { JobProducer } from './ports/job-producer.port.js';
import type { NamespaceAdmin } from './ports/namespace-admin.port.js';
import type { RiskStore } from './ports/risk-store.port.js';
import type { IndexLayout } from './request/chat-state.js';
import type { DossierCache } from './risk/dossier-cache.js';
import type { RiskSnapshots } from './risk/risk-snapshots.js';

export interface CacheLimits {
  /** Most that caching may add to a request, ms. */
  readonly addedLatencyMs: number;
  readonly jsonDepth: number;
  readonly maxMessages: number;
  readonly semanticMaxChars: number;
  /** Newest earlier messages that enter a follow-up's history vector. */
  readonly historyMessages: number;
  readonly decisionKeepMs: number;
}

export interface CacheDependencies {
  readonly store: EntryStore;
  readonly conversations: ConversationStore;
  readonly decisions: DecisionLog;
  readonly admin: NamespaceAdmin;
  /** Where verdicts of people are kept; absent: nowhere. */
  readonly risk?: Pick<RiskStore, 'observe'>;
  readonly embedder: Embedder;
  readonly jobs: JobProducer;
  readonly policies: PolicyCache;
  /** Absent: nothing is embedded before the exact tier has answered. */
  readonly ahead?: EmbedAhead;
  readonly snapshots: RiskSnapshots;
  readonly dossiers: DossierCache;
  readonly roll: NamespaceRoll;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly log: Log;
  readonly limits: CacheLimits;
  readonly layout: IndexLayout;
  /** A new unique entry id. */
  readonly newId: () => string;
  /** 31-bit seed of a request's random choices: hash(secret, ns, request id). */
  readonly seed: (ns: string, requestId: string) => number;
  /** Whether somebody judges reuses: without a judge nothing is learned, and no work is spent on labels. */
  readonly judged: boolean;
  /** What the coins for labels are drawn with; the same on all replicas. */
  readonly labelSecret: string;
  /** Told of the work that goes on beside an answer; a replay waits for it. */
  readonly beside?: (work: Promise<void>) => void;
}
