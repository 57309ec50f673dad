import type { AdmitCall, FeedbackCall } from '../tiers/policy-calls.js';

/**
 * What the simulator and the ghosts need of a policy: the store of the product, or a policy that exists only for comparison.
 *
 * A request is one `feedback` (which live entries it used, what it cost) and, when it missed, one `admit`.
 */
export interface CachePolicy {
  /** Live entries. */
  readonly size: number;
  /** Largest number of live entries; Infinity = no bound. */
  readonly capacity: number;
  has(id: string): boolean;
  ids(): Iterable<string>;
  feedback(call: FeedbackCall): unknown;
  admit(call: AdmitCall): { readonly admitted: boolean; readonly evicted: readonly string[] };
  /** Takes an entry out for a reason outside the policy; comparison policies that only ever replay traces leave it out. */
  remove?(id: string): boolean;
}

export const notAdmitted = { admitted: false, evicted: [] } as const;

/** First element in iteration order: the oldest of a Map or Set used as a queue. */
export function first<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}

/** Capacity of a bounded comparison policy; throws a RangeError unless it is a whole number of at least 1. */
export function boundedCapacity(capacity: number): number {
  if (!Number.isInteger(capacity) || capacity < 1)
    throw new RangeError('The capacity must be a whole number, at least 1.');
  return capacity;
}
