import type { CachePolicy } from '@reprise/policy';

/** One request of an item trace: an item, what serving it is worth, and what the request says about its importance. */
export interface ItemRequest {
  readonly item: string;
  /** Worth of serving it, ≥ 0: 1, or what its generation costs. */
  readonly weight: number;
  /** Importance claimed at write time; the weight unless the workload poisons it. */
  readonly claim: number;
  /** False for junk: it is not scored. */
  readonly real: boolean;
  /** Which of several ways to say the same it is; only the exact-match bound looks at it. */
  readonly wording?: number;
}

/** Sums over the scored requests of a replay. */
export interface ItemOutcome {
  readonly requests: number;
  readonly hits: number;
  readonly served: number;
  readonly total: number;
}

export interface ItemReplayOptions {
  /** Importance that a request tells the policy; its claim by default. */
  readonly importance?: (request: ItemRequest) => number;
  /** Seed of the eviction draw of step t; t by default. */
  readonly seed?: (step: number) => number;
}

/**
 * Replays an item trace through a policy: a request is served when its item is live before the insertion of its step.
 *
 * The fast path: no vectors, no answers, constant memory beside the policy's. All requests have the same id, so the policy must not
 * remember requests (`rememberedRequests: 0`).
 */
export function replayItems(
  requests: Iterable<ItemRequest>,
  policy: CachePolicy,
  { importance, seed = (step) => step }: ItemReplayOptions = {},
): ItemOutcome {
  const sums = { requests: 0, hits: 0, served: 0, total: 0 };
  let step = 0;
  for (const request of requests) {
    const { item, weight, real } = request;
    const live = policy.has(item);
    if (real) {
      sums.requests += 1;
      sums.total += weight;
      if (live) {
        sums.hits += 1;
        sums.served += weight;
      }
    }
    const value = importance === undefined ? request.claim : importance(request);
    policy.feedback({ requestId: '', used: live ? [item] : [], delta: live ? 0 : 1, importance: value });
    if (!live) policy.admit({ requestId: '', id: item, importance: value, seed: seed(step) });
    step += 1;
  }
  return sums;
}
