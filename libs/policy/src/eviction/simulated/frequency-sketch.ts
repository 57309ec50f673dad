const rows = 4;
const largest = 15;
const rowSeeds = [0x9747b28c, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;

/** A count-min sketch of 4-bit counters, four rows, halved after ten times its capacity in additions (TinyLFU). */
export class FrequencySketch {
  private readonly counters: Uint8Array;
  private readonly mask: number;
  private additions = 0;

  constructor(private readonly capacity: number) {
    const width = 2 ** Math.ceil(Math.log2(Math.max(64, capacity * 4)));
    this.mask = width - 1;
    this.counters = new Uint8Array(rows * width);
  }

  add(id: string): void {
    for (let row = 0; row < rows; row++) {
      const at = this.cell(id, row);
      const count = this.counters[at] ?? 0;
      if (count < largest) this.counters[at] = count + 1;
    }
    this.additions += 1;
    if (this.additions >= 10 * this.capacity) this.halve();
  }

  estimate(id: string): number {
    let least = largest;
    for (let row = 0; row < rows; row++) least = Math.min(least, this.counters[this.cell(id, row)] ?? 0);
    return least;
  }

  private halve(): void {
    this.additions = Math.floor(this.additions / 2);
    for (let i = 0; i < this.counters.length; i++) this.counters[i] = (this.counters[i] ?? 0) >>> 1;
  }

  /** FNV-1a with a seed for each row. */
  private cell(id: string, row: number): number {
    let hash = rowSeeds[row] ?? 0;
    for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
    hash ^= hash >>> 15;
    return row * (this.mask + 1) + (hash & this.mask);
  }
}
