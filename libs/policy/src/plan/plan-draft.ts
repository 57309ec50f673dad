import { reuseBounds } from '../cost/bounds.js';
import { PairRisk } from '../multi-turn/pair-risk.js';
import { decodeDossier, dossierDimensions } from '../risk/dossier.codec.js';
import { PAIR_NAMES, pairRow } from '../risk/features.js';
import type { Dossier } from '../risk/turn-state.js';
import { reverseGreedy } from '../selection/reverse-greedy.js';
import type { LossTable } from '../selection/loss-table.js';
import { type Neighbour, netOfNeighbours } from './neighbour-net.js';

/** A live entry as a planned cache sees it. */
export interface PlanEntry {
  readonly id: string;
  /** Number of its insertion: the order of arrival. */
  readonly seq: number;
  /** Uses since its insertion. */
  readonly uses: number;
  /** In the protected tier: it stays whatever is planned. */
  readonly isProtected: boolean;
  /** What its answer cost, in any one unit, ≥ 0. */
  readonly cost: number;
  readonly dossier: Uint8Array;
}

/** Two entries that are near each other. */
export interface NearPair {
  readonly id: string;
  readonly other: string;
  readonly similarity: number;
}

export interface PlanOptions {
  /** Most entries of the planned tier. */
  readonly slots: number;
  /** ε of the net, Euclidean distance of places. */
  readonly epsilon: number;
  /** Most similar entries that a row may be served by, itself included. */
  readonly candidates: number;
  /** Width multiplier b_r; risks are taken at their upper bound. */
  readonly caution: number;
}

export interface PlanChoice {
  /** Most requested first. */
  readonly planned: readonly string[];
  readonly representatives: number;
  readonly pairs: number;
  /** Expected loss of a request when only what is planned or protected may be reused. */
  readonly loss: number;
  /** The same when nothing may be reused. */
  readonly lossWithout: number;
}

interface Draft extends PlanEntry {
  readonly known: Dossier;
  readonly near: Neighbour[];
}

const LANDMARKS = 64;
const RIDGE = 1;
/** Until something is known a reuse is as likely wrong as right. */
const CENTRE = 0.5;
const SEED = 17;
/** Share of requests whose cost counts as the largest. */
const DEAR = 0.99;
const LEAST_COST = 0.01;

/** Chooses the content of the planned tier from what a worker reads page by page (algorithms.md §2.3, §2.4, §2.7). */
export class PlanDraft {
  private readonly entries: PlanEntry[] = [];
  private readonly pairs: NearPair[] = [];
  private readonly rows: Float64Array[] = [];
  private readonly rejected: number[] = [];
  private model: PairRisk | undefined;

  /** A label: ψ of its pair, and the verdict. */
  addLabel(row: Float64Array, rejected: 0 | 1): void {
    this.rows.push(row);
    this.rejected.push(rejected);
    this.model = undefined;
  }

  addEntries(entries: readonly PlanEntry[]): void {
    this.entries.push(...entries);
  }

  addPairs(pairs: readonly NearPair[]): void {
    for (const pair of pairs) this.pairs.push(pair);
  }

  get labels(): number {
    return this.rows.length;
  }

  /** ln det(I + K/λ) of all labels: twice the information in them, nats. */
  get information(): number {
    return this.rows.length < 2 ? 0 : this.risk().logDeterminant;
  }

  /** The entries that are looked at, at most `most`: those that are used most, then the newest. */
  pick(most: number): readonly string[] {
    const order = [...this.entries].sort((a, b) => b.uses - a.uses || b.seq - a.seq);
    return order.slice(0, most).map(({ id }) => id);
  }

  /** Needs two labels at least. The same calls choose the same, in any order of pages. */
  choose(options: PlanOptions): PlanChoice {
    const drafts = this.drafts(options);
    const nodeOf = netOfNeighbours(
      drafts.map(({ near }) => near),
      options.epsilon,
    );
    const nodes = drafts.flatMap((_, i) => (nodeOf[i] === i ? [i] : []));
    const table = this.table(drafts, nodes, nodeOf, options);
    const pinned = new Set(nodes.flatMap((i, item) => (drafts[i]!.isProtected ? [item] : [])));
    const { kept, loss } = reverseGreedy(table, options.slots + pinned.size, pinned);
    const planned = usefulOf(table, kept)
      .filter((item) => !pinned.has(item))
      .sort((a, b) => table.weights[b]! - table.weights[a]! || a - b)
      .map((item) => drafts[nodes[item]!]!.id);
    const lossWithout = table.weights.reduce((sum, weight, row) => sum + weight * table.costs[row]!, 0);
    return { planned, representatives: nodes.length, pairs: table.columns.length, loss, lossWithout };
  }

  private risk(): PairRisk {
    if (this.model !== undefined) return this.model;
    const size = PAIR_NAMES.length;
    const flat = new Float64Array(this.rows.length * size);
    this.rows.forEach((row, i) => flat.set(row, i * size));
    const model = new PairRisk(flat, { size, landmarks: LANDMARKS, ridge: RIDGE, centre: CENTRE, seed: SEED });
    this.rows.forEach((row, i) => model.learn(model.place(row), this.rejected[i]!));
    this.model = model;
    return model;
  }

  /** In the order of arrival, with their neighbours; without those that cannot be compared. */
  private drafts({ candidates }: PlanOptions): Draft[] {
    const wanted = new Set(this.pairs.map(({ id }) => id));
    const drafts = [...this.entries]
      .filter(({ id }) => wanted.has(id))
      .sort((a, b) => a.seq - b.seq)
      .flatMap((entry): Draft[] => {
        const known = decodeDossier(entry.dossier, dossierDimensions(entry.dossier));
        return known === undefined ? [] : [{ ...entry, known, near: [] }];
      });
    const at = new Map(drafts.map(({ id }, i) => [id, i]));
    for (const { id, other, similarity } of this.pairs) {
      const [from, to] = [at.get(id), at.get(other)];
      if (from !== undefined && to !== undefined && from !== to) drafts[from]!.near.push({ other: to, similarity });
    }
    for (const { near } of drafts) {
      near.sort((a, b) => b.similarity - a.similarity || a.other - b.other);
      near.length = Math.min(near.length, candidates - 1);
    }
    return drafts;
  }

  /** Row and item i: representative i, asked for as often as its cell, answered fresh at its cost. */
  private table(
    drafts: readonly Draft[],
    nodes: readonly number[],
    nodeOf: Int32Array,
    { caution }: PlanOptions,
  ): LossTable {
    const itemOf = new Map(nodes.map((i, item) => [i, item]));
    const weights = new Float64Array(nodes.length);
    const total = drafts.reduce((sum, { uses }) => sum + 1 + uses, 0);
    drafts.forEach(({ uses }, i) => {
      const item = itemOf.get(nodeOf[i]!)!;
      weights[item] = weights[item]! + (1 + uses) / total;
    });
    const risk = this.risk();
    const offsets = new Int32Array(nodes.length + 1);
    const columns: number[] = [];
    const losses: number[] = [];
    nodes.forEach((i, row) => {
      for (const other of [i, ...drafts[i]!.near.map((one) => one.other)]) {
        const item = itemOf.get(other);
        if (item === undefined) continue;
        const belief = risk.believe(risk.place(pairRow(drafts[i]!.known.state, drafts[other]!.known)));
        columns.push(item);
        losses.push(reuseBounds(true, belief, caution).high);
      }
      offsets[row + 1] = columns.length;
    });
    return {
      items: nodes.length,
      weights,
      costs: scaled(nodes.map((i) => drafts[i]!.cost)),
      offsets,
      columns: Int32Array.from(columns),
      losses: Float64Array.from(losses),
    };
  }
}

/** Costs as shares of a large one, in (0, 1]; all 1 where nothing costs anything. */
function scaled(costs: readonly number[]): Float64Array {
  const sorted = [...costs].sort((a, b) => a - b);
  const dear = sorted[Math.min(sorted.length - 1, Math.floor(DEAR * sorted.length))] ?? 0;
  return Float64Array.from(costs, (cost) => (dear > 0 ? Math.min(1, Math.max(LEAST_COST, cost / dear)) : 1));
}

/** Of the kept items those that are the best option of a row. */
function usefulOf({ weights, costs, offsets, columns, losses }: LossTable, kept: readonly number[]): number[] {
  const isKept = new Set(kept);
  const useful = new Set<number>();
  for (let row = 0; row < weights.length; row++) {
    let best = -1;
    let least = costs[row]!;
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      const item = columns[at]!;
      const smaller = losses[at]! < least || (losses[at] === least && best !== -1 && item < best);
      if (!isKept.has(item) || !smaller) continue;
      best = item;
      least = losses[at]!;
    }
    if (best !== -1) useful.add(best);
  }
  return [...useful];
}
