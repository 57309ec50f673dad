/** What gateways decide by in `budget` mode; published by the one worker that learns for the namespace. */
export interface RiskSnapshot {
  /** Number of the publication, from 1. */
  readonly version: number;
  /** Judged candidates that it was learned from. */
  readonly labels: number;
  /** Serve when score ≤ threshold; absent: the budget rule serves nothing. */
  readonly threshold?: number;
  /** Upper confidence bound of the share of wrong reuses among those at or below the threshold, 0..1. */
  readonly bound?: number;
  /** The judged reuses of late prove the budget broken: nothing semantic is served. */
  readonly breakerOpen: boolean;
  /** The cold-start rule was found to be over budget: it serves nothing. */
  readonly coldStartClosed: boolean;
  /** Axes and risk model, serialised; absent before the first fit. */
  readonly model?: string;
}

/** Why a candidate was looked at. */
export type LabelRule = 'budget' | 'cold-start';

/** One judged candidate, as it is kept for learning. */
export interface LabelRecord {
  readonly requestId: string;
  readonly conversation: string;
  readonly entryId: string;
  readonly rule: LabelRule;
  /** Whether the caller was given the candidate (false: it was judged against the fresh answer). */
  readonly served: boolean;
  readonly rejected: 0 | 1;
  /** Who said so. */
  readonly judge: string;
  /** Probability with which it was drawn for judging, (0, 1]. */
  readonly rate: number;
  /** Score at decision time; absent before the first model. */
  readonly score?: number;
  /** Snapshot version that scored it; 0: none. */
  readonly snapshot: number;
  readonly featureVersion: number;
  /** 60 features; the axes' part is 0 when `texts` is there. */
  readonly row: Float64Array;
  /** Unit vectors of message, previous reply and candidate reply (3·dimensions), as long as no axes are known. */
  readonly texts?: Float32Array;
}

/** What the learner reads, in the order in which it happened. */
export type LearnEvent =
  | { readonly id: string; readonly kind: 'label'; readonly label: LabelRecord }
  /** The conversation has ended: its labels enter now. */
  | { readonly id: string; readonly kind: 'end'; readonly conversation: string };

/**
 * Labels and what was learned from them. The stream of labels is the learner's only state: whoever takes over reads it
 * from the beginning and comes to the same model.
 */
export interface RiskStore {
  /** The snapshot in force; undefined when it is the one that the caller holds. */
  snapshot(ns: string, heldVersion: number): Promise<RiskSnapshot | undefined>;
  /** Keeps a label and counts it in the entry's posterior. False: this request's label was kept before. */
  observe(ns: string, label: LabelRecord): Promise<boolean>;
  conversationEnded(ns: string, conversation: string): Promise<void>;
  /** Events after `position` ('' = from the oldest kept one), oldest first. */
  read(ns: string, position: string, count: number): Promise<readonly LearnEvent[]>;
  /** By compare-and-set on the version. False, and nothing has changed: another worker was faster. */
  publish(ns: string, expectedVersion: number, snapshot: RiskSnapshot): Promise<boolean>;
}
