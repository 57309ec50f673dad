import type { Clock, Log, Telemetry } from '@reprise/kernel';
import type { CacheRequest, CheckOutcome, MissContext } from './cache-request.js';
import type { NamespaceRoll } from './namespace-roll.js';
import type { PolicyCache } from './policy-cache.js';
import type { ConversationStore } from './ports/conversation-store.port.js';
import type { DecisionLog } from './ports/decision-log.port.js';
import type { Embedder } from './ports/embedder.port.js';
import type { EntryStore } from './ports/entry-store.port.js';
import type { JobProducer } from './ports/job-producer.port.js';
import type { NamespaceAdmin } from './ports/namespace-admin.port.js';
import type { ChatTurn } from './request/chat-request.js';
import type { IndexLayout } from './request/chat-state.js';
import { check } from './use-cases/check.use-case.js';
import { type Feedback, feedback } from './use-cases/feedback.use-case.js';
import { checkPlain, type PlainOutcome, type PlainRequest, storePlain } from './use-cases/plain.use-case.js';
import { continueConversation, type FreshAnswer, store, type StoreOutcome } from './use-cases/store.use-case.js';

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
  readonly embedder: Embedder;
  readonly jobs: JobProducer;
  readonly policies: PolicyCache;
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
}

/** The core of the product: what the gateway and the simulator both run. */
export class SemanticCache {
  constructor(private readonly deps: CacheDependencies) {}

  check(request: CacheRequest): Promise<CheckOutcome> {
    return check(this.deps, request);
  }

  store(context: MissContext, fresh: FreshAnswer): Promise<StoreOutcome> {
    return store(this.deps, context, fresh);
  }

  /** After an answer from the cache: the conversation goes on. */
  served(context: MissContext, answer: ChatTurn): Promise<void> {
    return continueConversation(this.deps, context, answer);
  }

  feedback(ns: string, given: Feedback): ReturnType<typeof feedback> {
    return feedback(this.deps, ns, given);
  }

  checkPlain(plain: PlainRequest): Promise<PlainOutcome> {
    return checkPlain(this.deps, plain);
  }

  storePlain(plain: PlainRequest, answer: string, promptTokens: number, costMicroUsd: number): Promise<void> {
    return storePlain(this.deps, plain, answer, promptTokens, costMicroUsd);
  }
}
