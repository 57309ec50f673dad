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
  /** What `serialiseKnowledge` of libs/policy wrote: axes and risk model; absent before the first fit. */
  readonly model?: string;
}

/** What a worker puts in force. */
export interface NewSnapshot extends Omit<RiskSnapshot, 'version'> {
  /** Absent: the model in force stays. */
  readonly model?: string;
  /** Absent: the axes in force stay. They outlive purges of labels. */
  readonly axes?: string;
  /** The last event that it was learned from. */
  readonly position: string;
}

/** Why a candidate was looked at. */
export type LabelRule = 'budget' | 'cold-start' | 'comparison';

/** One judged candidate, as it is kept for learning. */
export interface LabelRecord {
  readonly requestId: string;
  readonly conversation: string;
  /** End user of the request, as entries name them: a purge finds the label by it. */
  readonly user?: string;
  readonly entryId: string;
  /** Number of the request in its conversation: labels are learned in this order. */
  readonly turn?: number;
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
  /** 60 features; the axes' part is 0 when `texts` is there. Empty for a comparison rule: nothing is learned from it. */
  readonly row: Float64Array;
  /** Unit vectors of message, previous reply and candidate reply (3·dimensions), as long as no axes are known. */
  readonly texts?: Float32Array;
}

/** What the learner reads, in the order in which it happened. */
export type LearnEvent =
  | {
      readonly id: string;
      readonly kind: 'label';
      readonly label: LabelRecord;
      /** Its conversation had ended before the verdict: it enters at once. */
      readonly late: boolean;
    }
  /** The conversation has ended: its labels enter now. */
  | { readonly id: string; readonly kind: 'end'; readonly conversation: string };

export interface LearnPage {
  /** Changes when a purge removed labels: what was learned from them is void, and the learner begins anew. */
  readonly epoch: number;
  /** Version of the snapshot in force; 0: none. */
  readonly version: number;
  /** Error budget of the namespace's policy, and the confidence with which it is held; absent while none is known. */
  readonly budget?: number;
  readonly confidence?: number;
  /** The axes, when the oldest events were asked for and axes are known. */
  readonly axes?: string;
  /** Oldest first. */
  readonly events: readonly LearnEvent[];
}

/** Sums of one namespace, in billionths of a US dollar. */
export interface JudgeSpend {
  readonly spentNanoUsd: number;
  /** What its served answers would have cost upstream. */
  readonly savedNanoUsd: number;
}

/**
 * Labels and what was learned from them. The stream of labels is the learner's only state: whoever takes over reads it
 * from the beginning and comes to the same model. The end of a conversation that has labels is written to the stream in
 * the call that closes it (`ConversationStore`).
 */
export interface RiskStore {
  /** The snapshot in force; undefined when it is the one that the caller holds, or when there is none. */
  snapshot(ns: string, heldVersion: number): Promise<RiskSnapshot | undefined>;
  /**
   * Counts a verdict, in the entry's posterior too, and keeps it for learning unless `keep` is false. False: this
   * request's label was kept before.
   */
  observe(ns: string, label: LabelRecord, keep?: boolean): Promise<boolean>;
  /** Counts a reuse that was drawn for judging and has no verdict; false: it was counted before, or has a label. */
  missing(ns: string, requestId: string): Promise<boolean>;
  /** Counts what a judgement cost (0: none), and tells the sums. */
  spend(ns: string, nanoUsd: number): Promise<JudgeSpend>;
  /** Events after `position` ('' = from the oldest kept one). */
  read(ns: string, position: string, count: number): Promise<LearnPage>;
  /**
   * By compare-and-set on version and epoch. The new version; undefined, and nothing has changed: another worker was
   * faster, or labels were removed.
   */
  publish(ns: string, expectedVersion: number, epoch: number, snapshot: NewSnapshot): Promise<number | undefined>;
}
