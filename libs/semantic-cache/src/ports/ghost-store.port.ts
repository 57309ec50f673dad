/** One counted outcome, as ghost policies learn of it. */
export interface OutcomeEvent {
  /** Position in the stream, `<ms>-<seq>`. */
  readonly id: string;
  /**
   * `hit` served; `miss` generated and offered; `offer` offered, its loss was told before; `use` recalled and helped;
   * `write` asked for by name; `gone` left for a reason outside every policy.
   */
  readonly kind: 'hit' | 'miss' | 'offer' | 'use' | 'write' | 'gone';
  /** What the outcome is about: representatives, never entries or texts. */
  readonly representatives: readonly string[];
  /** Realised loss, 0..1. */
  readonly loss: number;
  readonly importance: number;
  /** 31-bit hash of who claims the importance; 0 = not known. */
  readonly source: number;
  readonly size: number;
}

/** What a run begins with. */
export interface GhostPage {
  readonly on: boolean;
  /** The operator's policy names the eviction policy: it stays. */
  readonly fixed: boolean;
  /** The eviction policy in force, and the one that would be in force without a hand-over. */
  readonly eviction: string;
  readonly configured: string;
  readonly capacity: number;
  /** The last event that was counted; '' at first. */
  readonly position: string;
  /** What the last run kept; '' at first. */
  readonly state: string;
  /** Oldest first. */
  readonly events: readonly OutcomeEvent[];
}

/** What a run ends with. */
export interface GhostAdvance {
  /** The position that the run began with. */
  readonly expected: string;
  readonly position: string;
  readonly state: string;
  /** Mean losses in the window, by policy. */
  readonly losses: Readonly<Record<string, number>>;
  /** Steps counted in this run. */
  readonly steps: number;
  /** The eviction policy that the comparison was made under. */
  readonly from: string;
  /** The policy that takes over the recency tier. */
  readonly to?: string;
}

/** The event stream of a namespace, and what the ghost policies keep beside it. */
export interface GhostStore {
  /** A page of events: behind `after`, behind the last run when absent, from the oldest kept one for 'oldest'. */
  read(ns: string, after: string | undefined, count: number): Promise<GhostPage>;
  /** Position, state and hand-over at once. False, and nothing has changed: another run or an operator was faster. */
  advance(ns: string, advance: GhostAdvance): Promise<boolean>;
}
