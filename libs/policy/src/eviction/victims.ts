import type { Rng } from '@reprise/kernel';
import type { OrderedIndex } from '../tiers/ordered-index.js';
import { provenOffset, type LiveEntry } from '../tiers/tier-set.js';
import type { Score, ScoreContext } from './scores.js';

const blockSize = 8;
/** Most entries that one eviction scores in a store of the product, and that one call scores for several. */
export const mostScored = 256;
const mostScoredByCall = 1024;

/** Most evictions of one call, when each scores this many candidates. */
export function mostEvictions(candidates: number): number {
  return Math.floor(mostScoredByCall / Math.min(mostScored, candidates));
}

/**
 * The entries among which a sampled policy chooses, in the order in which they are scored.
 *
 * All of them when the tier has no more than `limit`; else `limit / 8` blocks of eight consecutive ranks, each block's first rank
 * drawn uniformly, ids met before left out. Blocks cost one ZRANGE each where single ranks would cost eight.
 */
export function sampleCandidates(recency: OrderedIndex, limit: number, rng: Rng): readonly string[] {
  const n = recency.size;
  if (n <= limit) return recency.ids();
  const chosen = new Set<string>();
  for (let block = 0; block < limit / blockSize; block++) {
    const start = Math.floor(rng.next() * (n - blockSize + 1));
    for (const id of recency.range(start, start + blockSize)) chosen.add(id);
  }
  return [...chosen];
}

/** The candidate with the lowest score; equal scores: the smallest insertion number (or the smallest id when `tieById`). */
export function lowestScore(
  candidates: readonly string[],
  live: (id: string) => LiveEntry,
  score: Score,
  context: ScoreContext,
  rng: Rng,
  tieById = false,
): LiveEntry | undefined {
  let victim: LiveEntry | undefined;
  let lowest = Infinity;
  for (const id of candidates) {
    const entry = live(id);
    const value = score(entry, context, rng);
    if (victim === undefined || value < lowest || (value === lowest && precedes(entry, victim, tieById))) {
      victim = entry;
      lowest = value;
    }
  }
  return victim;
}

function precedes(a: LiveEntry, b: LiveEntry, byId: boolean): boolean {
  return byId ? a.id < b.id : a.record.insertedSeq < b.record.insertedSeq;
}

/** Oldest of the probation segment, if any. */
export function oldestProbation(recency: OrderedIndex): string | undefined {
  const key = recency.keyAt(0);
  return key !== undefined && key < provenOffset ? recency.idAt(0) : undefined;
}

/** Oldest of the proven segment, if any. */
export function oldestProven(recency: OrderedIndex): string | undefined {
  return recency.idAt(recency.countBelow(provenOffset));
}

/** The oldest of both segments by sequence number: the victim of FIFO and LRU. */
export function oldest(recency: OrderedIndex): string | undefined {
  const probation = recency.keyAt(0);
  const proven = recency.keyAt(recency.countBelow(provenOffset));
  if (probation === undefined || proven === undefined || probation >= provenOffset) return recency.idAt(0);
  return probation <= proven - provenOffset ? oldestProbation(recency) : oldestProven(recency);
}
