/** Sizes of ARC's two live lists: T1 = probation segment, T2 = proven segment, and their common room c. */
export interface ArcSizes {
  readonly probation: number;
  readonly proven: number;
  readonly room: number;
}

/** Where an offered representative was found. */
export type GhostHit = 'none' | 'b1' | 'b2';

/** `published`: |T1| + |B1| ≤ c and all four lists ≤ 2c. `each`: |B1| ≤ c and |B2| ≤ c, as in SOLAR's code. */
export type GhostBound = 'published' | 'each';

/** What ARC decided about an offer before room is made for it. */
export interface ArcOffer {
  readonly hit: GhostHit;
  /** The victim comes from T1 and leaves no ghost (the list T1 alone fills the cache). */
  readonly withoutGhost: boolean;
}

/**
 * The ghost half of ARC (Megiddo and Modha, FAST 2003): target size p of T1 and the ghost lists B1, B2.
 *
 * Ghosts are representatives, not entry ids: in a semantic cache a new answer has a new id, so ids would never come back. The
 * live lists are the two segments of the recency tier. The room c may change between calls.
 */
export class ArcGhosts {
  /** Target size of T1. */
  p = 0;
  /** Insertion order = age, oldest first. */
  readonly b1 = new Set<string>();
  readonly b2 = new Set<string>();

  /** Cases II to IV of the published pseudo-code, up to REPLACE. */
  offer(representative: string, sizes: ArcSizes, bound: GhostBound): ArcOffer {
    if (this.b1.has(representative)) {
      this.p = Math.min(sizes.room, this.p + Math.max(1, this.b2.size / this.b1.size));
      this.b1.delete(representative);
      return { hit: 'b1', withoutGhost: false };
    }
    if (this.b2.has(representative)) {
      this.p = Math.max(0, this.p - Math.max(1, this.b1.size / this.b2.size));
      this.b2.delete(representative);
      return { hit: 'b2', withoutGhost: false };
    }
    if (bound === 'each') return { hit: 'none', withoutGhost: false };
    if (sizes.probation >= sizes.room) return { hit: 'none', withoutGhost: true };
    forget(this.b1, sizes.probation + this.b1.size - sizes.room + 1);
    const total = sizes.probation + sizes.proven + this.b1.size + this.b2.size;
    forget(this.b2, total - 2 * sizes.room + 1);
    return { hit: 'none', withoutGhost: false };
  }

  /** REPLACE: whether the next victim is the oldest of T1 (else of T2). */
  victimIsProbation(sizes: ArcSizes, offer: ArcOffer): boolean {
    if (sizes.proven === 0 || offer.withoutGhost) return true;
    if (sizes.probation === 0) return false;
    return sizes.probation > this.p || (offer.hit === 'b2' && sizes.probation === Math.floor(this.p));
  }

  remember(representative: string, fromProbation: boolean, room: number, bound: GhostBound): void {
    this.b1.delete(representative);
    this.b2.delete(representative);
    const list = fromProbation ? this.b1 : this.b2;
    list.add(representative);
    if (bound === 'each' && list.size > room) dropOldest(list);
  }
}

/** Most ghosts that one offer forgets from each list: after a cut of the room the next offers do the rest. */
const mostForgotten = 64;

function forget(list: Set<string>, excess: number): void {
  const least = Math.max(list.size - mostForgotten, list.size - Math.max(0, excess), 0);
  while (list.size > least) dropOldest(list);
}

function dropOldest(list: Set<string>): void {
  for (const oldest of list) {
    list.delete(oldest);
    return;
  }
}
