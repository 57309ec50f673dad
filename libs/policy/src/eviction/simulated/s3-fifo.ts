import type { AdmitCall, FeedbackCall } from '../../tiers/policy-calls.js';
import { boundedCapacity, first, notAdmitted, type CachePolicy } from '../cache-policy.js';

const mostUses = 3;

/**
 * S3-FIFO (Yang et al., SOSP 2023): a small queue of 10 %, a main queue that re-inserts what was used, and a ghost queue of ids
 * as long as main. What leaves small with more than one use goes to main, otherwise it becomes a ghost.
 */
export class S3Fifo implements CachePolicy {
  readonly capacity: number;
  private readonly small = new Map<string, number>();
  private readonly main = new Map<string, number>();
  private readonly ghosts = new Set<string>();
  private readonly smallSlots: number;

  constructor(capacity: number) {
    this.capacity = boundedCapacity(capacity);
    this.smallSlots = Math.max(1, Math.floor(capacity * 0.1));
  }

  get size(): number {
    return this.small.size + this.main.size;
  }

  has(id: string): boolean {
    return this.small.has(id) || this.main.has(id);
  }

  *ids(): Iterable<string> {
    yield* this.small.keys();
    yield* this.main.keys();
  }

  feedback({ used }: FeedbackCall): void {
    for (const id of new Set(used)) {
      const queue = this.small.has(id) ? this.small : this.main;
      const uses = queue.get(id);
      if (uses !== undefined) queue.set(id, Math.min(mostUses, uses + 1));
    }
  }

  admit({ id }: AdmitCall) {
    if (this.has(id)) return notAdmitted;
    const evicted: string[] = [];
    while (this.size >= this.capacity) evicted.push(...this.evict());
    (this.ghosts.delete(id) ? this.main : this.small).set(id, 0);
    return { admitted: true, evicted };
  }

  private evict(): string[] {
    return this.small.size >= this.smallSlots || this.main.size === 0 ? this.evictSmall() : this.evictMain();
  }

  private evictSmall(): string[] {
    for (const [id, uses] of this.small) {
      this.small.delete(id);
      if (uses > 1) {
        this.main.set(id, 0);
        continue;
      }
      this.remember(id);
      return [id];
    }
    return [];
  }

  private evictMain(): string[] {
    for (;;) {
      const id = first(this.main.keys()) as string;
      const uses = this.main.get(id) ?? 0;
      this.main.delete(id);
      if (uses === 0) return [id];
      this.main.set(id, uses - 1);
    }
  }

  private remember(id: string): void {
    this.ghosts.add(id);
    if (this.ghosts.size > this.capacity - this.smallSlots) this.ghosts.delete(first(this.ghosts) as string);
  }
}
