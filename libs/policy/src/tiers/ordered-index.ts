/** Ids sorted by (key, id): the in-process twin of a Redis sorted set, with access by rank. */
export class OrderedIndex {
  private readonly keys: number[] = [];
  private readonly members: string[] = [];

  get size(): number {
    return this.members.length;
  }

  add(key: number, id: string): void {
    const rank = this.lowerBound(key, id);
    this.keys.splice(rank, 0, key);
    this.members.splice(rank, 0, id);
  }

  /** Throws when the pair is not there: an index that disagrees with its records is a broken invariant. */
  remove(key: number, id: string): void {
    const rank = this.lowerBound(key, id);
    if (this.keys[rank] !== key || this.members[rank] !== id) throw new Error(`The index has no ${id} at ${key}.`);
    this.keys.splice(rank, 1);
    this.members.splice(rank, 1);
  }

  idAt(rank: number): string | undefined {
    return this.members[rank];
  }

  keyAt(rank: number): number | undefined {
    return this.keys[rank];
  }

  /** Ids of the ranks `from` … `to` − 1. */
  range(from: number, to: number): string[] {
    return this.members.slice(from, to);
  }

  /** Number of members whose key is below `key`. */
  countBelow(key: number): number {
    return this.lowerBound(key, '');
  }

  ids(): readonly string[] {
    return this.members;
  }

  private lowerBound(key: number, id: string): number {
    let low = 0;
    let high = this.members.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.keys[middle] as number;
      if (other < key || (other === key && (this.members[middle] as string) < id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
