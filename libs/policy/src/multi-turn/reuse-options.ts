/** A stored answer that may be reused, and the loss that is expected of it. */
export interface ReuseOption {
  readonly id: number;
  readonly loss: number;
}

/** The option of least loss that is below that of a fresh answer; undefined: answer fresh. Ties go to the fresh answer, then to the earlier option. */
export function cheapestOption(fresh: number, options: Iterable<ReuseOption>): ReuseOption | undefined {
  let best: ReuseOption | undefined;
  let least = fresh;
  for (const option of options) {
    if (option.loss >= least) continue;
    best = option;
    least = option.loss;
  }
  return best;
}
