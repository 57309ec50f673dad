import type { AdmitCall, FeedbackCall } from '../../tiers/policy-calls.js';
import { boundedCapacity, first, notAdmitted, type CachePolicy } from '../cache-policy.js';
import { FrequencySketch } from './frequency-sketch.js';

/**
 * W-TinyLFU (Einziger, Friedman, Manes 2017): a window of 1 % by LRU in front of a segmented main space whose door is kept by a
 * frequency sketch. Main is 80 % protected; the oldest of the window enters main only if it is more frequent than main's victim.
 */
export class WTinyLfu implements CachePolicy {
  readonly capacity: number;
  private readonly window = new Set<string>();
  private readonly probation = new Set<string>();
  private readonly kept = new Set<string>();
  private readonly sketch: FrequencySketch;
  private readonly windowSlots: number;
  private readonly keptSlots: number;

  constructor(capacity: number) {
    this.capacity = boundedCapacity(capacity);
    this.windowSlots = Math.max(1, Math.round(capacity * 0.01));
    this.keptSlots = Math.floor((capacity - this.windowSlots) * 0.8);
    this.sketch = new FrequencySketch(capacity);
  }

  get size(): number {
    return this.window.size + this.probation.size + this.kept.size;
  }

  has(id: string): boolean {
    return this.window.has(id) || this.probation.has(id) || this.kept.has(id);
  }

  *ids(): Iterable<string> {
    yield* this.window;
    yield* this.probation;
    yield* this.kept;
  }

  feedback({ used }: FeedbackCall): void {
    for (const id of new Set(used)) {
      if (!this.has(id)) continue;
      this.sketch.add(id);
      if (this.window.delete(id)) this.window.add(id);
      else this.keep(id);
    }
  }

  admit({ id }: AdmitCall) {
    this.sketch.add(id);
    if (this.has(id)) return notAdmitted;
    this.window.add(id);
    const evicted: string[] = [];
    if (this.window.size > this.windowSlots) evicted.push(...this.leaveWindow());
    return { admitted: !evicted.includes(id), evicted: evicted.filter((gone) => gone !== id) };
  }

  private keep(id: string): void {
    this.probation.delete(id);
    this.kept.delete(id);
    this.kept.add(id);
    if (this.kept.size <= this.keptSlots) return;
    const oldest = first(this.kept) as string;
    this.kept.delete(oldest);
    this.probation.add(oldest);
  }

  private leaveWindow(): string[] {
    const candidate = first(this.window) as string;
    this.window.delete(candidate);
    if (this.size < this.capacity) {
      this.probation.add(candidate);
      return [];
    }
    const victim = first(this.probation) ?? first(this.kept);
    if (victim === undefined || this.sketch.estimate(candidate) <= this.sketch.estimate(victim)) return [candidate];
    this.probation.delete(victim);
    this.kept.delete(victim);
    this.probation.add(candidate);
    return [victim];
  }
}
