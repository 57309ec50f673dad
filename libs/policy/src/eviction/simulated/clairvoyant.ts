import { RemovalHeap } from '../../selection/removal-heap.js';
import type { AdmitCall, FeedbackCall } from '../../tiers/policy-calls.js';
import { boundedCapacity, notAdmitted, type CachePolicy } from '../cache-policy.js';

/**
 * Belady's bound: evicts what is needed last, and does not admit what is needed later than everything it holds.
 *
 * `future[i]` is the id that the i-th `feedback` asks for; the trace must be replayed exactly. Hits are then the most that any
 * policy of this capacity can reach (unit sizes, every hit worth the same). O(log requests) a step: each request puts one place into a heap,
 * and a place whose step has passed is dropped when it comes to the top. Among entries that are never needed again, the id first asked for goes.
 */
export class Clairvoyant implements CachePolicy {
  readonly capacity: number;
  private readonly held = new Set<string>();
  private readonly numbers = new Map<string, number>();
  private readonly names: string[] = [];
  /** Steps at which an id is asked for, latest first; past ones are taken off. */
  private readonly needed: number[][] = [];
  /** Ids by minus their next need. */
  private readonly places: RemovalHeap;
  private step = 0;

  constructor(capacity: number, future: readonly string[]) {
    this.capacity = boundedCapacity(capacity);
    this.places = new RemovalHeap(future.length + 1);
    for (const id of future) this.numberOf(id);
    for (let i = future.length - 1; i >= 0; i--) this.needed[this.numberOf(future[i] as string)]?.push(i);
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

  feedback({ used }: FeedbackCall): void {
    this.step += 1;
    for (const id of used) if (this.held.has(id)) this.place(id);
  }

  admit({ id }: AdmitCall) {
    if (this.held.has(id)) return notAdmitted;
    if (this.size < this.capacity) {
      this.hold(id);
      return { admitted: true, evicted: [] };
    }
    const last = this.neededLast();
    if (last === undefined || this.nextNeed(this.numberOf(id)) >= last.when) return notAdmitted;
    this.places.pop();
    this.held.delete(last.id);
    this.hold(id);
    return { admitted: true, evicted: [last.id] };
  }

  private hold(id: string): void {
    this.held.add(id);
    this.place(id);
  }

  private place(id: string): void {
    const number = this.numberOf(id);
    this.places.push(number, -this.nextNeed(number));
  }

  /** What is at the top of the heap, after the places that no longer hold are gone. */
  private neededLast(): { readonly id: string; readonly when: number } | undefined {
    for (let top = this.places.peek(); top !== undefined; top = this.places.peek()) {
      const id = this.names[top.item] as string;
      const when = this.nextNeed(top.item);
      if (this.held.has(id) && when === -top.price) return { id, when };
      this.places.pop();
    }
    return undefined;
  }

  private numberOf(id: string): number {
    const known = this.numbers.get(id);
    if (known !== undefined) return known;
    this.numbers.set(id, this.names.push(id) - 1);
    this.needed.push([]);
    return this.names.length - 1;
  }

  private nextNeed(number: number): number {
    const steps = this.needed[number] ?? [];
    while (steps.length > 0 && (steps[steps.length - 1] as number) < this.step) steps.pop();
    return steps[steps.length - 1] ?? Infinity;
  }
}
