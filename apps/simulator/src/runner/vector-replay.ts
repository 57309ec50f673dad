import { createRng } from '@reprise/kernel';
import { informationGain, meanDistance, PolicyStore, type LiveEntry, type PolicyConfig } from '@reprise/policy';
import type { SyntheticWorkload } from '../workloads/solar-data.js';

/** What the loss of a step is: the reference's novelty of the offered item, or 1 for a miss and 0 for a hit. */
export type Regret = 'novelty' | 'miss';

export interface ReplayOptions {
  readonly regret: Regret;
  /** Which of the retrieved entries counts as used first; the reference's LRU breaks ties by insertion, its ARC by rank. */
  readonly usedOrder: 'rank' | 'inserted';
  /** Entries retrieved, 3. */
  readonly depth: number;
  /** Leaves out the retrieval of steps that are not scored: the same result, for a policy that ignores uses (FIFO). */
  readonly scoredOnly?: boolean;
}

export interface ReplayResult {
  readonly hitRate: number;
  readonly precision: number;
  readonly storeRate: number;
  readonly size: number;
  readonly gated: number;
  readonly evicted: number;
}

/** The vectors of a workload as the views that the reference mode needs. */
export class VectorViews {
  constructor(private readonly workload: SyntheticWorkload) {}

  itemSimilarity(a: number, b: number): number {
    return this.dot(this.workload.items, a, b);
  }

  querySimilarity(query: number, item: number): number {
    return this.dot(this.workload.queries, query, item);
  }

  /** `noveltyView` of a policy: mean distance of an entry to its nearest neighbours among the live ones. */
  novelty = (entry: LiveEntry, neighbours: number, live: Iterable<string>): number | undefined => {
    const similarities: number[] = [];
    for (const id of live) if (id !== entry.id) similarities.push(this.itemSimilarity(Number(entry.id), Number(id)));
    return meanDistance(similarities, neighbours);
  };

  gain(item: number, live: Iterable<string>): number {
    const similarities: number[] = [];
    for (const id of live) similarities.push(this.itemSimilarity(item, Number(id)));
    return informationGain(similarities);
  }

  /** Exact nearest live entries, most similar first; equal similarities: the one inserted first. */
  nearest(query: number, live: Iterable<string>, depth: number): string[] {
    const best: { id: string; similarity: number }[] = [];
    let least = -Infinity;
    for (const id of live) {
      const similarity = this.querySimilarity(query, Number(id));
      if (best.length === depth && similarity <= least) continue;
      let at = best.length;
      while (at > 0 && (best[at - 1]?.similarity ?? 0) < similarity) at -= 1;
      best.splice(at, 0, { id, similarity });
      if (best.length > depth) best.pop();
      least = best.at(-1)?.similarity ?? -Infinity;
    }
    return best.map(({ id }) => id);
  }

  /** Four sums at a time: the noise workloads take 30 million of these. */
  private dot(rows: Float32Array, row: number, item: number): number {
    const { dim, items } = this.workload;
    let [s0, s1, s2, s3] = [0, 0, 0, 0];
    for (let a = row * dim, b = item * dim, end = a + dim; a < end; a += 4, b += 4) {
      s0 += (rows[a] as number) * (items[b] as number);
      s1 += (rows[a + 1] as number) * (items[b + 1] as number);
      s2 += (rows[a + 2] as number) * (items[b + 2] as number);
      s3 += (rows[a + 3] as number) * (items[b + 3] as number);
    }
    return s0 + s1 + s2 + s3;
  }
}

/** A policy's configuration, given the views of the workload. */
export type PolicyOf = (views: VectorViews) => PolicyConfig;

/** Replays one workload through a policy: retrieve, score, feedback, then offer the step's item. */
export function replayVectors(
  workload: SyntheticWorkload,
  policy: PolicyOf,
  options: ReplayOptions,
  policySeed: number = workload.seed,
): ReplayResult {
  const views = new VectorViews(workload);
  const store = new PolicyStore(policy(views));
  const seeds = createRng(policySeed);
  const seed = () => Math.floor(seeds.next() * 2 ** 31);
  workload.prefill.forEach((item) => store.admit({ requestId: `prefill:${item}`, id: String(item), seed: seed() }));
  const sums = { hits: 0, precision: 0, scored: 0, offered: workload.prefill.length };
  workload.relevant.forEach((relevant, t) => {
    const asked = t >= workload.warmup || options.scoredOnly !== true;
    const retrieved = asked ? views.nearest(t, store.ids(), options.depth) : [];
    const right = retrieved.filter((id) => relevant.includes(Number(id))).length;
    if (t >= workload.warmup) {
      sums.scored += 1;
      if (right > 0) sums.hits += 1;
      if (retrieved.length > 0) sums.precision += right / retrieved.length;
    }
    const item = workload.stream[t] ?? undefined;
    const delta = loss(options.regret, item, right > 0, views, store);
    store.feedback({ requestId: `q:${t}`, used: inOrder(retrieved, store, options), delta });
    if (item === undefined) return;
    sums.offered += 1;
    store.admit({ requestId: `q:${t}`, id: String(item), seed: seed() });
  });
  return {
    hitRate: sums.hits / sums.scored,
    precision: sums.precision / sums.scored,
    storeRate: store.counters.admitted / sums.offered,
    size: store.size,
    gated: store.counters.gated,
    evicted: store.counters.evicted,
  };
}

function loss(regret: Regret, item: number | undefined, hit: boolean, views: VectorViews, store: PolicyStore): number {
  if (regret === 'miss') return hit ? 0 : 1;
  return item === undefined ? 0 : views.gain(item, store.ids());
}

function inOrder(retrieved: readonly string[], store: PolicyStore, options: ReplayOptions): readonly string[] {
  if (options.usedOrder === 'rank') return retrieved;
  const order = (id: string) => store.entry(id)?.record.insertedSeq ?? 0;
  return [...retrieved].sort((a, b) => order(a) - order(b));
}
