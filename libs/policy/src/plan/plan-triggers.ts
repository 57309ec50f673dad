/** What a namespace has been through, when the planned tier is looked at. */
export interface PlanMoment {
  /** Entries that were ever stored. */
  readonly admitted: number;
  /** Outcomes that were ever counted. */
  readonly steps: number;
  readonly entries: number;
}

/** What the last recompute noted. */
export interface PlanNote extends Pick<PlanMoment, 'admitted' | 'steps'> {
  readonly atMs: number;
  /** Log-determinant of the labels it was made of. */
  readonly information: number;
}

/** Why the planned tier is chosen anew. */
export type PlanTrigger = 'first' | 'representatives' | 'arrivals' | 'information';

/** Share of new entries that is worth a recompute. */
const NEW_SHARE = 0.01;

/** The trigger that needs no labels (algorithms.md §2.7 rules a and b); undefined: none. */
export function arrivalTrigger(now: PlanMoment, last: PlanNote | undefined): PlanTrigger | undefined {
  if (last === undefined) return 'first';
  if (now.admitted - last.admitted >= Math.max(1, Math.ceil(NEW_SHARE * now.entries))) return 'representatives';
  return now.steps - last.steps >= stageLength(last.steps) ? 'arrivals' : undefined;
}

/** Rounds of the stage that began after `before` rounds: 1 + √(N · before), N the horizon, which is doubled as it is reached. */
export function stageLength(before: number): number {
  const horizon = 2 ** Math.ceil(Math.log2(Math.max(2, before + 1)));
  return 1 + Math.sqrt(horizon * before);
}

/** Rule c: the labels hold ln 2 more than those of the last recompute; or they are others (a purge), and hold less. */
export function hasNewInformation(information: number, last: PlanNote): boolean {
  return Math.abs(information - last.information) >= Math.LN2;
}
