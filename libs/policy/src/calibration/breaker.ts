import { clopperPearsonLower, clopperPearsonUpper } from './intervals.js';

export interface BreakerOptions {
  /** Largest accepted share of wrong reuses, 0..1. */
  readonly budget: number;
  /** Judged hits in the window. */
  readonly window?: number;
  /** Error probability of each bound. */
  readonly delta?: number;
  /** Fewest judged hits of which it may open. */
  readonly least?: number;
}

const DEFAULTS = { window: 250, delta: 0.05, least: 10 };

/**
 * Stops serving when judged hits prove that the budget is broken: the lower bound of their wrong share over the window
 * lies above it. Closes again when the labels since then (candidates that would have been served) prove it kept.
 */
export class Breaker {
  private recent: (0 | 1)[] = [];
  private wrong = 0;
  private tripped = false;
  private readonly options: Required<BreakerOptions>;

  constructor(options: BreakerOptions) {
    this.options = { ...DEFAULTS, ...options };
  }

  /** True while nothing may be served. */
  get open(): boolean {
    return this.tripped;
  }

  /** A judged hit; while open, a judged candidate that would have been a hit. Returns `open`. */
  add(rejected: 0 | 1): boolean {
    this.recent.push(rejected);
    this.wrong += rejected;
    if (this.recent.length > this.options.window) this.wrong -= this.recent.shift()!;
    const { budget, delta, least } = this.options;
    const n = this.recent.length;
    const broken = n >= least && clopperPearsonLower(this.wrong, n, delta) > budget;
    const kept = clopperPearsonUpper(this.wrong, n, delta) <= budget;
    if (this.tripped ? kept : broken) this.turn(!this.tripped);
    return this.tripped;
  }

  /** A new model with a new threshold: the old hits say nothing about it. An open breaker stays open. */
  recalibrated(): void {
    this.recent = [];
    this.wrong = 0;
  }

  private turn(tripped: boolean): void {
    this.tripped = tripped;
    this.recalibrated();
  }
}
