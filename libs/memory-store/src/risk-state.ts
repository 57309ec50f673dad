import type { LabelRecord, LearnEvent, RiskSnapshot } from '@reprise/semantic-cache';

/** As many events as the Redis adapter keeps. */
const mostEvents = 20_000;

type NewEvent = LearnEvent extends infer E ? (E extends LearnEvent ? Omit<E, 'id'> : never) : never;

/** Labels of one namespace and what was learned from them; the twin of `lab`, `cal` and `model`. */
export class RiskState {
  events: LearnEvent[] = [];
  epoch = 0;
  snapshot: RiskSnapshot | undefined;
  axes: string | undefined;
  readonly observed = new Set<string>();
  readonly missing = new Set<string>();
  private sequence = 0;

  add(event: NewEvent): void {
    this.sequence += 1;
    this.events.push({ id: `0-${this.sequence}`, ...event });
    if (this.events.length > mostEvents) this.events.shift();
  }

  ended(conversation: string): void {
    if (this.events.length > 0) this.add({ kind: 'end', conversation });
  }

  /** Removes the labels that the test takes; what was learned from them is void then. */
  purge(takes: (label: LabelRecord) => boolean): void {
    const kept = this.events.filter((event) => event.kind === 'end' || !takes(event.label));
    if (kept.length < this.events.length) this.reset();
    this.events = kept;
  }

  clear(): void {
    if (this.events.length > 0 || this.snapshot !== undefined) this.reset();
    this.events = [];
    this.axes = undefined;
    this.observed.clear();
    this.missing.clear();
  }

  private reset(): void {
    this.epoch += 1;
    const version = (this.snapshot?.version ?? 0) + 1;
    this.snapshot = { version, labels: 0, breakerOpen: false, coldStartClosed: false };
  }
}
