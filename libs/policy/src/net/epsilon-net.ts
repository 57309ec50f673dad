/** A state that the net must cover: its stratum (key) and its place. */
export interface NetState {
  readonly key: string;
  readonly point: Float32Array | Float64Array;
}

/** The cell of a state: its representative and the Euclidean distance to it. */
export interface Cell {
  readonly representative: number;
  readonly distance: number;
}

/**
 * The stratified ε-net (algorithms.md §2.4): in arrival order, a state becomes a representative iff no representative
 * of its key lies within ε. Representatives are never removed; the smaller index wins ties.
 */
export class EpsilonNet {
  private readonly states: NetState[] = [];
  private readonly byKey = new Map<string, number[]>();

  constructor(private readonly epsilon: number) {
    if (!(epsilon > 0)) throw new RangeError('ε must be positive.');
  }

  get size(): number {
    return this.states.length;
  }

  /** The representative of that index; undefined outside 0 … size − 1. */
  at(index: number): NetState | undefined {
    return this.states[index];
  }

  /** The cell of a state; undefined when no representative of its key lies within ε (uncovered). */
  cellOf(state: NetState): Cell | undefined {
    const nearest = this.nearest(state);
    return nearest !== undefined && nearest.distance <= this.epsilon ? nearest : undefined;
  }

  /** Adds the state unless it is covered; returns its cell and whether it became a representative. */
  add(state: NetState): Cell & { readonly added: boolean } {
    const covered = this.cellOf(state);
    if (covered !== undefined) return { ...covered, added: false };
    const index = this.states.push(state) - 1;
    const siblings = this.byKey.get(state.key);
    if (siblings === undefined) this.byKey.set(state.key, [index]);
    else siblings.push(index);
    return { representative: index, distance: 0, added: true };
  }

  private nearest(state: NetState): Cell | undefined {
    let best: Cell | undefined;
    for (const index of this.byKey.get(state.key) ?? []) {
      const distance = distanceOf(this.states[index]!.point, state.point);
      if (best === undefined || distance < best.distance) best = { representative: index, distance };
    }
    return best;
  }
}

/** Euclidean distance of two points of one length. */
export function distanceOf(a: Float32Array | Float64Array, b: Float32Array | Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return Math.sqrt(sum);
}
