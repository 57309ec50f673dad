import { type NearPair, PlanDraft, type PlanChoice, type PlanEntry, type PlanOptions } from '@reprise/policy';

/** One plan in the making; what it is told is taken in the order in which it is told. */
export interface PlanWork {
  /** Rows of ψ, one after another, and the verdicts. */
  addLabels(rows: readonly Float64Array[], rejected: readonly (0 | 1)[]): void;
  addEntries(entries: readonly PlanEntry[]): void;
  addPairs(pairs: readonly NearPair[]): void;
  /** How many labels there are, and the log-determinant of the information in them. */
  information(): Promise<{ readonly labels: number; readonly information: number }>;
  pick(most: number): Promise<readonly string[]>;
  choose(options: PlanOptions): Promise<PlanChoice>;
  /** It is not needed any more. */
  end(): void;
}

/** Where plans are computed. */
export interface Planner {
  begin(): PlanWork;
}

/** In the caller's own thread, which it blocks: for tests and the planner's thread. */
export class LocalPlanner implements Planner {
  begin(): PlanWork {
    const draft = new PlanDraft();
    return {
      addLabels: (rows, rejected) => rows.forEach((row, i) => draft.addLabel(row, rejected[i] as 0 | 1)),
      addEntries: (entries) => draft.addEntries(entries),
      addPairs: (pairs) => draft.addPairs(pairs),
      information: () => Promise.resolve({ labels: draft.labels, information: draft.information }),
      pick: (most) => Promise.resolve(draft.pick(most)),
      choose: (options) => Promise.resolve(draft.choose(options)),
      end: () => undefined,
    };
  }
}
