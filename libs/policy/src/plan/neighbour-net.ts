/** A similar entry of the same stratum: its index and the cosine of the two places. */
export interface Neighbour {
  readonly other: number;
  readonly similarity: number;
}

/** Cosine of two unit vectors at Euclidean distance ε. */
export const cosineAt = (epsilon: number): number => 1 - (epsilon * epsilon) / 2;

/**
 * The ε-net over entries in arrival order, from lists of neighbours instead of points (algorithms.md §2.4): the
 * representative of each entry, its own index for a representative. Entries of two strata are never neighbours.
 *
 * A list that was cut may miss a representative; then one more entry represents itself, and nothing is covered wrongly.
 */
export function netOfNeighbours(lists: readonly (readonly Neighbour[])[], epsilon: number): Int32Array {
  const least = cosineAt(epsilon);
  const isNode = new Uint8Array(lists.length);
  lists.forEach((list, i) => {
    if (!list.some(({ other, similarity }) => isNode[other] === 1 && similarity >= least)) isNode[i] = 1;
  });
  return Int32Array.from(lists, (list, i) => (isNode[i] === 1 ? i : nearestNode(list, isNode)));
}

/** The nearest representative, the earlier one on ties; one that came later may be nearer than the one that covered first. */
function nearestNode(list: readonly Neighbour[], isNode: Uint8Array): number {
  let best: Neighbour | undefined;
  for (const one of list) {
    if (isNode[one.other] !== 1) continue;
    const nearer = best === undefined || one.similarity > best.similarity;
    if (nearer || (one.similarity === best?.similarity && one.other < best.other)) best = one;
  }
  return best?.other ?? -1;
}
