/** Object, map slot, key and array header beside the numbers themselves; measured on Node 20. */
const OVERHEAD_BYTES = 320;

/** Least-recently-used vectors by text hash, limited by number and by bytes. */
export class LruVectors {
  private readonly vectors = new Map<string, Float32Array>();
  private used = 0;

  constructor(
    private readonly maxEntries: number,
    private readonly maxBytes: number,
  ) {}

  get entries(): number {
    return this.vectors.size;
  }

  get bytes(): number {
    return this.used;
  }

  get(hash: string): Float32Array | undefined {
    const vector = this.vectors.get(hash);
    if (vector) {
      // A Map keeps the order of insertion: out and in again makes it the newest.
      this.vectors.delete(hash);
      this.vectors.set(hash, vector);
    }
    return vector;
  }

  put(hash: string, vector: Float32Array): void {
    this.remove(hash);
    const size = vector.byteLength + OVERHEAD_BYTES;
    if (this.maxEntries < 1 || size > this.maxBytes) return;
    this.vectors.set(hash, vector);
    this.used += size;
    while (this.vectors.size > this.maxEntries || this.used > this.maxBytes) {
      const oldest = this.vectors.keys().next();
      if (oldest.done === true) return;
      this.remove(oldest.value);
    }
  }

  private remove(hash: string): void {
    const vector = this.vectors.get(hash);
    if (!vector) return;
    this.vectors.delete(hash);
    this.used -= vector.byteLength + OVERHEAD_BYTES;
  }
}
