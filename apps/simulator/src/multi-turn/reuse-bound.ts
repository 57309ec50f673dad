import type { MtRun } from './mt-states.js';

/** Requests that are looked at, evenly over the order: each may be judged against all earlier ones. */
const sampled = 400;

/**
 * What no method can be better than, in % of the cost without a cache: every request is served for nothing for which any earlier answer would do,
 * of all or of those in its stratum, which is all that the planned methods look at.
 */
export function reuseBound(run: MtRun): { readonly any: number; readonly sameKey: number } {
  const step = Math.max(1, Math.ceil(run.size / sampled));
  const sums = { all: 0, any: 0, sameKey: 0 };
  for (let query = 0; query < run.size; query += step) {
    const cost = run.costs[query] as number;
    sums.all += cost;
    const found = foundFor(run, query);
    if (found !== undefined) sums.any += cost;
    if (found === 'same key') sums.sameKey += cost;
  }
  const loss = (saved: number): number => (100 * (sums.all - saved)) / sums.all;
  return { any: loss(sums.any), sameKey: loss(sums.sameKey) };
}

/** The newest are looked at first: an answer that does is most often one of them. */
function foundFor(run: MtRun, query: number): 'other key' | 'same key' | undefined {
  let found: 'other key' | undefined;
  for (let cached = query - 1; cached >= 0; cached--) {
    const same = run.keys[cached] === run.keys[query];
    if ((found !== undefined && !same) || !run.right(cached, query)) continue;
    if (same) return 'same key';
    found = 'other key';
  }
  return found;
}
