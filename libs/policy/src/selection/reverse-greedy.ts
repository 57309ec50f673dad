import { type LossTable, selectionLoss } from './loss-table.js';
import { RemovalHeap } from './removal-heap.js';

export interface Selection {
  /** Kept items, ascending. */
  readonly kept: readonly number[];
  /** F of the kept items on the given table. */
  readonly loss: number;
}

/**
 * Reverse Greedy (algorithms.md §2.3): from all items, removes the one whose removal costs least until `size` are left.
 *
 * Pinned items are never removed, so more than `size` are kept when more are pinned. Ties go to the lower item.
 * O(pairs · log): each row remembers its best and second-best live item, and its list is walked once. A removal price
 * only grows while items go, so an outdated price in the heap is a lower bound and is renewed when it comes to the top.
 */
export function reverseGreedy(table: LossTable, size: number, pinned: ReadonlySet<number> = new Set()): Selection {
  const walk = new RowWalk(table);
  const heap = new RemovalHeap(table.items);
  for (let item = 0; item < table.items; item++) if (!pinned.has(item)) heap.push(item, walk.price[item]!);
  let left = table.items;
  while (left > size) {
    const top = heap.pop();
    if (top === undefined) break;
    const price = walk.price[top.item]!;
    if (price > top.price) {
      heap.push(top.item, price);
    } else {
      walk.remove(top.item);
      left -= 1;
    }
  }
  const kept: number[] = [];
  walk.live.forEach((live, item) => live === 1 && kept.push(item));
  return { kept, loss: selectionLoss(table, walk.live) };
}

const NONE = -1;

/** Per row: usable pairs by ascending loss, its best and second-best live pair; per item: what its removal costs. */
class RowWalk {
  readonly live: Uint8Array;
  readonly price: Float64Array;
  private readonly columns: Int32Array;
  private readonly losses: Float64Array;
  private readonly ends: Int32Array;
  private readonly best: Int32Array;
  private readonly second: Int32Array;
  /** Rows that list an item: offsets per item, then rows. */
  private readonly rowsAt: Int32Array;
  private readonly rows: Int32Array;

  constructor(private readonly table: LossTable) {
    const { items, weights, offsets } = table;
    const rowCount = weights.length;
    this.live = new Uint8Array(items).fill(1);
    this.price = new Float64Array(items);
    this.columns = new Int32Array(table.columns.length);
    this.losses = new Float64Array(table.losses.length);
    this.ends = new Int32Array(rowCount);
    this.best = new Int32Array(rowCount).fill(NONE);
    this.second = new Int32Array(rowCount).fill(NONE);
    this.rowsAt = new Int32Array(items + 1);
    for (let row = 0; row < rowCount; row++) this.sortRow(row);
    this.rows = this.listRows();
    for (let row = 0; row < rowCount; row++) {
      const at = offsets[row]!;
      if (at >= this.ends[row]!) continue;
      this.best[row] = at;
      this.second[row] = at + 1 < this.ends[row]! ? at + 1 : NONE;
      this.charge(row);
    }
  }

  remove(item: number): void {
    this.live[item] = 0;
    for (let at = this.rowsAt[item]!; at < this.rowsAt[item + 1]!; at++) {
      const row = this.rows[at]!;
      const best = this.best[row]!;
      const second = this.second[row]!;
      if (best !== NONE && this.columns[best] === item) {
        this.best[row] = second;
        this.second[row] = this.nextLive(row, second);
        if (second !== NONE) this.charge(row);
      } else if (second !== NONE && this.columns[second] === item) {
        this.second[row] = this.nextLive(row, second);
        const owner = this.columns[best]!;
        const more = this.table.weights[row]! * (this.lossAt(row, this.second[row]!) - this.losses[second]!);
        this.price[owner] = this.price[owner]! + more;
      }
    }
  }

  /** Adds to its best item what the row would lose without it. */
  private charge(row: number): void {
    const best = this.best[row]!;
    const item = this.columns[best]!;
    const gap = this.lossAt(row, this.second[row]!) - this.losses[best]!;
    this.price[item] = this.price[item]! + this.table.weights[row]! * gap;
  }

  private lossAt(row: number, at: number): number {
    return at === NONE ? this.table.costs[row]! : this.losses[at]!;
  }

  private nextLive(row: number, after: number): number {
    if (after === NONE) return NONE;
    for (let at = after + 1; at < this.ends[row]!; at++) if (this.live[this.columns[at]!] === 1) return at;
    return NONE;
  }

  private sortRow(row: number): void {
    const { offsets, columns, losses, costs } = this.table;
    const from = offsets[row]!;
    const usable: number[] = [];
    for (let at = from; at < offsets[row + 1]!; at++) if (losses[at]! < costs[row]!) usable.push(at);
    usable.sort((a, b) => losses[a]! - losses[b]! || columns[a]! - columns[b]!);
    usable.forEach((at, i) => {
      this.columns[from + i] = columns[at]!;
      this.losses[from + i] = losses[at]!;
      const item = columns[at]!;
      this.rowsAt[item + 1] = this.rowsAt[item + 1]! + 1;
    });
    this.ends[row] = from + usable.length;
  }

  private listRows(): Int32Array {
    for (let item = 0; item < this.table.items; item++) {
      this.rowsAt[item + 1] = this.rowsAt[item + 1]! + this.rowsAt[item]!;
    }
    const rows = new Int32Array(this.rowsAt[this.table.items]!);
    const next = this.rowsAt.slice();
    for (let row = 0; row < this.ends.length; row++) {
      for (let at = this.table.offsets[row]!; at < this.ends[row]!; at++) {
        const item = this.columns[at]!;
        rows[next[item]!] = row;
        next[item] = next[item]! + 1;
      }
    }
    return rows;
  }
}
