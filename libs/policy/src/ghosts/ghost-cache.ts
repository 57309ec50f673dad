import type { CachePolicy } from '../eviction/cache-policy.js';

/** What a ghost learns of one request from the event stream: ids, costs and the outcome, never an answer. */
export interface GhostEvent {
  readonly requestId: string;
  /** Representatives that would have served the request; several for a recall from memory. */
  readonly wanted: readonly string[];
  /** Loss when none of them is there, 0 … 1. */
  readonly missLoss: number;
  /** Loss of a reuse, 0 … 1: judged, or the estimated risk. */
  readonly hitLoss: number;
  /** The representative that a miss would have offered to the cache; absent when nothing storable came of it. */
  readonly offered?: string;
  readonly importance?: number;
  readonly source?: number;
  /** Seed of the ghost's eviction draw. */
  readonly seed: number;
}

/** An explicit write to memory: there is no request to serve. */
export type GhostWrite = Pick<GhostEvent, 'requestId' | 'importance' | 'source' | 'seed'> & { readonly id: string };

/**
 * Another policy run beside the live one on ids and outcomes only: it stores no answer and serves nobody.
 *
 * It lives its own life: what it does not hold it would have missed, paid for and offered to itself, whatever the live cache did.
 */
export class GhostCache {
  constructor(private readonly policy: CachePolicy) {}

  get size(): number {
    return this.policy.size;
  }

  /** What the request would have cost under this policy, 0 … 1; the ghost moves on by one step. */
  observe(event: GhostEvent): number {
    const wanted = [...new Set(event.wanted)];
    const used = wanted.filter((id) => this.policy.has(id));
    const served = wanted.length === 0 ? 0 : used.length / wanted.length;
    const loss = served * event.hitLoss + (1 - served) * event.missLoss;
    const claim = {
      ...(event.importance === undefined ? {} : { importance: event.importance }),
      ...(event.source === undefined ? {} : { source: event.source }),
    };
    this.policy.feedback({ requestId: event.requestId, used, delta: loss, ...claim });
    if (event.offered !== undefined && !this.policy.has(event.offered)) {
      this.policy.admit({ requestId: event.requestId, id: event.offered, seed: event.seed, ...claim });
    }
    return loss;
  }

  /** A write that the caller asked for; it costs nothing and skips the gate, as in the live store. */
  write(event: GhostWrite): void {
    this.policy.admit({ ...event, explicit: true });
  }

  /** The entry left the live cache for a reason outside every policy (purge, expiry, quarantine). */
  forget(id: string): void {
    this.policy.remove?.(id);
  }
}
