import type { AdmitCall, FeedbackCall } from '../../tiers/policy-calls.js';
import { boundedCapacity, notAdmitted, type CachePolicy } from '../cache-policy.js';

/**
 * Belady's bound: evicts what is needed last, and does not admit what is needed later than everything it holds.
 *
 * `future[i]` is the id that the i-th `feedback` asks for; the trace must be replayed exactly. Hits are then the most that any
 * policy of this capacity can reach (unit sizes, every hit worth the same).
 */
export class Clairvoyant implements CachePolicy {
  readonly capacity: number;
  private readonly held = new Set<string>();
  /** Steps at which an id is asked for, latest first; past ones are taken off. */
  private readonly needed = new Map<string, number[]>();
  private step = 0;

  constructor(capacity: number, future: readonly string[]) {
    this.capacity = boundedCapacity(capacity);
    for (let i = future.length - 1; i >= 0; i--) {
      const id = future[i] as string;
      const steps = this.needed.get(id);
      if (steps) steps.push(i);
      else this.needed.set(id, [i]);
    }
  }

  get size(): number {
    return this.held.size;
  }

  has(id: string): boolean {
    return this.held.has(id);
  }

  ids(): Iterable<string> {
    return this.held;
  }

  feedback(_call: FeedbackCall): void {
    this.step += 1;
  }

  admit({ id }: AdmitCall) {
    if (this.held.has(id)) return notAdmitted;
    if (this.size < this.capacity) {
      this.held.add(id);
      return { admitted: true, evicted: [] };
    }
    const [victim, when] = this.neededLast();
    if (this.nextNeed(id) >= when) return notAdmitted;
    this.held.delete(victim);
    this.held.add(id);
    return { admitted: true, evicted: [victim] };
  }

  private neededLast(): [string, number] {
    let last: [string, number] = ['', -1];
    for (const id of this.held) {
      const when = this.nextNeed(id);
      if (when > last[1]) last = [id, when];
    }
    return last;
  }

  private nextNeed(id: string): number {
    const steps = this.needed.get(id) ?? [];
    while (steps.length > 0 && (steps[steps.length - 1] as number) < this.step) steps.pop();
    return steps[steps.length - 1] ?? Infinity;
  }
}
