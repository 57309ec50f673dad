/** FNV-1a over UTF-16 units: the demo world's only source of "facts", equal on every machine. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The element that a text picks from a non-empty list. */
export function pickBy<T>(list: readonly T[], text: string): T {
  const value = list[hash32(text) % list.length];
  if (value === undefined) throw new RangeError('pickBy needs a non-empty list');
  return value;
}

/** A seeded generator (mulberry32) with the draws that the conversation generator needs. */
export class SeededRandom {
  private state: number;

  constructor(seed: number | string) {
    this.state = hash32(`seed:${seed}`);
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Uniform integer in [low, high]. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(list: readonly T[]): T {
    const value = list[Math.floor(this.next() * list.length)];
    if (value === undefined) throw new RangeError('pick needs a non-empty list');
    return value;
  }

  /** Rank 0 … size-1 with probability proportional to 1 / (rank + 1)^exponent. */
  zipf(size: number, exponent: number): number {
    let total = 0;
    for (let rank = 1; rank <= size; rank += 1) total += rank ** -exponent;
    let left = this.next() * total;
    for (let rank = 1; rank <= size; rank += 1) {
      left -= rank ** -exponent;
      if (left < 0) return rank - 1;
    }
    return size - 1;
  }

  /** A shuffled copy. */
  shuffled<T>(list: readonly T[]): T[] {
    const copy = [...list];
    for (let at = copy.length - 1; at > 0; at -= 1) {
      const other = Math.floor(this.next() * (at + 1));
      const held = copy[at] as T;
      copy[at] = copy[other] as T;
      copy[other] = held;
    }
    return copy;
  }
}
