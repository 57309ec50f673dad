const noveltyWeight = 0.6;
const densityWeight = 0.4;
const densityNeighbours = 5;

/**
 * The regret of SOLAR's published synthetic runs: how new a candidate is to the cache, 0 … 1 (1 for an empty cache).
 *
 * `similarities` are the cosines between the candidate and every live entry. Reference mode only: the product's regret is the
 * realised loss, because a gate on novelty admits what is odd instead of what is missed (algorithms.md §1.6).
 */
export function informationGain(similarities: readonly number[]): number {
  if (similarities.length === 0) return 1;
  const descending = [...similarities].sort((a, b) => b - a);
  const nearest = descending.slice(0, densityNeighbours);
  const density = clip01(nearest.reduce((sum, value) => sum + value, 0) / nearest.length);
  const novelty = clip01(1 - (descending[0] ?? 0));
  return Math.max(0, noveltyWeight * novelty - densityWeight * density);
}

/** Mean distance (1 − cosine, clipped) to the nearest `neighbours` others; undefined when there is no other entry. */
export function meanDistance(similarities: readonly number[], neighbours: number): number | undefined {
  if (similarities.length === 0) return undefined;
  const nearest = [...similarities].sort((a, b) => b - a).slice(0, neighbours);
  return clip01(1 - nearest.reduce((sum, value) => sum + value, 0) / nearest.length);
}

function clip01(value: number): number {
  return Math.min(1, Math.max(0, value));
}
