import { reuseMetrics } from '@reprise/policy';
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
  /** % of hits; 100 without hits. */
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
  const requests = served.map(({ query, cached }) => ({
    cost: costs[query] as number,
    served: cached !== undefined,
    rejected: cached !== undefined && !right(cached, query),
  }));
  const hits = served.filter(({ cached }) => cached !== undefined);
  const isOwn = ({ query, cached }: Served): boolean =>
    data.exchanges[cached as number]?.conversation === data.exchanges[query]?.conversation;
  const quarter = (q: number): number => {
    const [from, to] = [q, q + 1].map((n) => Math.floor((n * served.length) / 4)) as [number, number];
    return from === to ? 0 : reuseMetrics(requests.slice(from, to)).loss;
  };
  const whole = reuseMetrics(requests);
  return {
    loss: whole.loss,
    hit: whole.hits,
    precision: whole.precision,
    sca: whole.rightCost,
    wrong: whole.falseReuse,
    own: hits.length === 0 ? 0 : (100 * hits.filter(isOwn).length) / hits.length,
    quarters: [0, 1, 2, 3].map(quarter),
  };
}

/** Of several settings the one of least loss; earlier ones on ties. */
export const best = <T extends { readonly loss: number }>(outcomes: readonly T[]): T =>
  outcomes.reduce((least, outcome) => (outcome.loss < least.loss ? outcome : least));
