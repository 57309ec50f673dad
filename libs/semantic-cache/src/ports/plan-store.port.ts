import type { NearPair, PlanEntry, PlanMoment } from '@reprise/policy';

/** Where the planned tier of a namespace stands. */
export interface PlanHead extends PlanMoment {
  /** Version in force; 0: none was installed. */
  readonly version: number;
  /** How many entries it may have. */
  readonly slots: number;
  /** What the last recompute noted, JSON; '' at first. */
  readonly note: string;
}

export interface PlanPage {
  /** Where to go on; undefined: every entry was seen. */
  readonly cursor: string | undefined;
  /** Live entries that may answer similar requests and have a dossier; one may come twice. */
  readonly entries: readonly PlanEntry[];
}

/** What a worker reads to choose the content of the planned tier; `PolicyEngine.install` puts it in force. */
export interface PlanStore {
  head(ns: string): Promise<PlanHead>;
  /** One step of a walk; `cursor` '0' at first, `limit` at most 200. */
  page(ns: string, cursor: string, limit: number, nowMs: number): Promise<PlanPage>;
  /** The `count` (1..64) entries nearest to each of the entries (at most 16), itself included, in its own stratum. */
  near(ns: string, ids: readonly string[], count: number): Promise<readonly NearPair[]>;
  note(ns: string, note: string): Promise<void>;
}
