import { type Cell, distanceOf, type EpsilonNet, type NetState } from './epsilon-net.js';

interface Counted {
  readonly state: NetState;
  cell: Cell;
}

/**
 * How many of the counted states lie in each cell. States are kept, so that a new representative can take those that
 * lie closer to it: the counts always equal a count from scratch.
 */
export class CellCounts {
  private readonly counted: Counted[] = [];
  private readonly totals: number[] = [];

  constructor(private readonly net: EpsilonNet) {}

  /** Adds the state to the net if it is uncovered, recounts, and counts it; returns whether the net has grown. */
  add(state: NetState): boolean {
    const { added, representative, distance } = this.net.add(state);
    if (added) this.steal(representative);
    this.totals[representative] = (this.totals[representative] ?? 0) + 1;
    this.counted.push({ state, cell: { representative, distance } });
    return added;
  }

  /** Turns per representative, in the order of the net. */
  counts(): number[] {
    return Array.from({ length: this.net.size }, (_, i) => this.totals[i] ?? 0);
  }

  /** Shares of the counted turns; they sum to 1. Empty without turns. */
  weights(): Float64Array {
    if (this.counted.length === 0) return new Float64Array(0);
    return Float64Array.from(this.counts(), (count) => count / this.counted.length);
  }

  /** A new representative has the largest index, so that it takes a state only when it is strictly closer. */
  private steal(index: number): void {
    const fresh = this.net.at(index)!;
    for (const entry of this.counted) {
      if (entry.state.key !== fresh.key) continue;
      const distance = distanceOf(fresh.point, entry.state.point);
      if (distance >= entry.cell.distance) continue;
      this.totals[entry.cell.representative] = this.totals[entry.cell.representative]! - 1;
      this.totals[index] = (this.totals[index] ?? 0) + 1;
      entry.cell = { representative: index, distance };
    }
  }
}
