/** One request of a replay. */
export interface ReplayedRequest {
  /** What a fresh answer costs, in (0, 1]. */
  readonly cost: number;
  readonly served: boolean;
  /** Of a served request: its answer was wrong. */
  readonly rejected: boolean;
}

/** Shares of a replay (algorithms.md §2.10), all in percent but `meanCost`. */
export interface ReuseMetrics {
  /** Of the cost without a cache: fresh answers at their cost, wrong reuses at γ. */
  readonly loss: number;
  /** Of requests. */
  readonly hits: number;
  readonly rightReuse: number;
  readonly falseReuse: number;
  /** Right ones of the hits; 100 without hits. */
  readonly precision: number;
  /** Share of the cost that right reuses avoided ("SCA"), and that wrong ones did. */
  readonly rightCost: number;
  readonly wrongCost: number;
  readonly meanCost: number;
}

/** Throws RangeError without requests, or when they cost nothing. */
export function reuseMetrics(requests: Iterable<ReplayedRequest>, gamma = 1): ReuseMetrics {
  let [count, right, wrong, cost, rightCost, wrongCost] = [0, 0, 0, 0, 0, 0];
  for (const request of requests) {
    count += 1;
    cost += request.cost;
    if (!request.served) continue;
    if (request.rejected) {
      wrong += 1;
      wrongCost += request.cost;
    } else {
      right += 1;
      rightCost += request.cost;
    }
  }
  if (!(cost > 0)) throw new RangeError('A replay without cost has no shares of it.');
  const ofCost = (part: number): number => 100 * (part / cost);
  const ofRequests = (part: number): number => 100 * (part / count);
  return {
    loss: ofCost(cost - rightCost - wrongCost + gamma * wrong),
    hits: ofRequests(right + wrong),
    rightReuse: ofRequests(right),
    falseReuse: ofRequests(wrong),
    precision: right + wrong === 0 ? 100 : (100 * right) / (right + wrong),
    rightCost: ofCost(rightCost),
    wrongCost: ofCost(wrongCost),
    meanCost: cost / count,
  };
}
