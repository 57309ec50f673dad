import type { MtRun } from './mt-states.js';

/** What a method did with one request: answered fresh, or with a stored answer. */
export interface Served {
  readonly query: number;
  /** Exchange whose answer was given; absent: fresh. */
  readonly cached?: number;
}

export interface MtOutcome {
  /** 100 · Σ loss / Σ cost: the cost of a fresh answer, 1 for a wrong reuse, 0 for a right one. */
  readonly loss: number;
  /** % of requests. */
  readonly hit: number;
  /** % of hits. */
  readonly precision: number;
  /** Safely avoided cost: % of all costs. */
  readonly sca: number;
  /** Rejected hits, % of requests. */
  readonly wrong: number;
  /** Hits on an answer of the same conversation, % of hits. */
  readonly own: number;
  readonly quarters: readonly number[];
}

export function outcomeOf(run: MtRun, served: readonly Served[]): MtOutcome {
  const { costs, right, data } = run;
  const sums = { cost: 0, loss: 0, hits: 0, right: 0, avoided: 0, own: 0 };
  const losses = served.map(({ query, cached }) => {
    const cost = costs[query] as number;
    sums.cost += cost;
    if (cached === undefined) return cost;
    sums.hits += 1;
    if (data.exchanges[cached]?.conversation === data.exchanges[query]?.conversation) sums.own += 1;
    if (!right(cached, query)) return 1;
    sums.right += 1;
    sums.avoided += cost;
    return 0;
  });
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const quarter = (q: number): number => {
    const [from, to] = [q, q + 1].map((n) => Math.floor((n * served.length) / 4)) as [number, number];
    const cost = total(served.slice(from, to).map(({ query }) => costs[query] as number));
    return share(total(losses.slice(from, to)), cost);
  };
  return {
    loss: share(total(losses), sums.cost),
    hit: share(sums.hits, served.length),
    precision: share(sums.right, sums.hits),
    sca: share(sums.avoided, sums.cost),
    wrong: share(sums.hits - sums.right, served.length),
    own: share(sums.own, sums.hits),
    quarters: [0, 1, 2, 3].map(quarter),
  };
}

/** Of several settings the one of least loss; earlier ones on ties. */
export const best = <T extends { readonly loss: number }>(outcomes: readonly T[]): T =>
  outcomes.reduce((least, outcome) => (outcome.loss < least.loss ? outcome : least));
