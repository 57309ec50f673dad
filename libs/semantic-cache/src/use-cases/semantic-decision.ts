import type { Candidate } from '../ports/entry-store.port.js';
import type { LabelRule } from '../ports/risk-store.port.js';
import type { ModeReading } from '../risk/mode-reading.js';
import type { RiskReading } from '../risk/risk-reading.js';
import type { HeldSnapshot } from '../risk/risk-snapshots.js';

/** What the semantic tier made of a request, with what it rests on. */
export interface SemanticDecision {
  readonly serve: boolean;
  readonly reason: string;
  /** The nearest candidate looked at, or the chosen one. */
  readonly candidate?: Candidate;
  /** All that were looked at, nearest first. */
  readonly candidates: readonly Candidate[];
  readonly rule: LabelRule;
  /** What it was decided by. */
  readonly snapshot?: HeldSnapshot;
  /** The rows and scores, when the budget rule decided. */
  readonly reading?: RiskReading;
  /** What a comparison rule went by, when one decided. */
  readonly compared?: ModeReading;
  /** The index vector, when it was made. */
  readonly vector?: Float32Array;
  /** The request is none for the semantic tier: nobody asks whether a reuse would have been right. */
  readonly skipped?: true;
}
