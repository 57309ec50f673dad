import type { CacheMode, NamespacePolicy } from '@reprise/policy';
import type { LatencyBudget } from './deadline.js';
import type { StoredAnswer } from './ports/entry-store.port.js';
import type { CacheControl } from './request/cache-control.js';
import type { ChatRequest } from './request/chat-request.js';
import type { ChatState } from './request/chat-state.js';
import type { RequestScope } from './request/scope.js';
import type { LabelDraw } from './risk/label-draw.js';
import type { HeldSnapshot } from './risk/risk-snapshots.js';
import type { SemanticDecision } from './use-cases/semantic-decision.js';

/** One request as the cache sees it; everything a caller may say about caching is in here. */
export interface CacheRequest {
  readonly requestId: string;
  readonly ns: string;
  readonly request: ChatRequest;
  /** Whose configured policy applies; a policy stored in Redis goes over it. */
  readonly tenant: string;
  readonly askedMode?: CacheMode;
  readonly cacheControl: CacheControl;
  /** The caller's own limit of risk, 0..1. */
  readonly maxRisk?: number;
  readonly conversation?: string;
  /** The conversation is over with this request. */
  readonly endsConversation?: boolean;
  readonly tags: readonly string[];
  /** Hash of the end user, '' if none. */
  readonly user: string;
  /** What chooses the answer beside the body (query, headers); absent: nothing. */
  readonly route?: string;
}

/** What is kept of a request until its answer is there. */
export interface MissContext {
  readonly cache: CacheRequest;
  readonly policy: NamespacePolicy;
  readonly scope: RequestScope;
  readonly state: ChatState;
  /** Absent: the exact tier only. */
  readonly semantic?: { readonly stratum: string; readonly fingerprint: string };
  /** The unit vector when the lookup needed it already. */
  readonly vector?: Float32Array;
  readonly conversation: string;
  /** Purges of the namespace when the request began: after another one its answer is not stored. */
  readonly purges: number;
  /** What was learned when the conversation began; it is decided by it to its end. */
  readonly snapshot?: HeldSnapshot;
  /** What the semantic tier decided, when it was asked. */
  readonly decision?: SemanticDecision;
  /** The coin for the label. */
  readonly draw?: LabelDraw;
  /** Answered with an entry that was found by meaning. */
  readonly reused?: true;
  /** What the decision has left of `limits.addedLatencyMs` for what comes after it. */
  readonly budget: LatencyBudget;
  /** May the answer be written? */
  readonly write: boolean;
  /** May equal concurrent requests share one upstream call? */
  readonly share: boolean;
}

/** What is said of a decision in headers. */
export interface DecisionNotes {
  readonly reason: string;
  readonly similarity?: number;
  /** The nearest entry looked at, or the one served. */
  readonly entryId?: string;
  /** Estimated probability that the reuse is wrong, 0..1. */
  readonly risk?: number;
  /** Upper confidence bound of the share of wrong reuses under the rule in force, 0..1. */
  readonly riskBound?: number;
  /** Version of what was learned that it was decided by. */
  readonly snapshot?: number;
  /** Shadow mode: what would have been served. */
  readonly shadow?: string;
  /** Headers of the caller that were ignored because they would loosen. */
  readonly ignored: readonly string[];
}

export type CheckOutcome =
  | {
      readonly kind: 'hit-exact' | 'hit-semantic';
      readonly entry: StoredAnswer;
      readonly notes: DecisionNotes;
      readonly context: MissContext;
    }
  | { readonly kind: 'miss'; readonly notes: DecisionNotes; readonly context: MissContext }
  | { readonly kind: 'bypass'; readonly notes: DecisionNotes };
