/** Rows of one length, growing by doubling. */
export class RowStore {
  private values = new Float64Array(0);
  private used = 0;

  constructor(private readonly size: number) {}

  get count(): number {
    return this.used;
  }

  /** Throws RangeError on a row of another length or with a number that is not finite: it would spoil every later fit. */
  push(row: Float64Array): void {
    if (row.length !== this.size) throw new RangeError(`Expected ${this.size} numbers, found ${row.length}.`);
    if (!row.every(Number.isFinite)) throw new RangeError('A feature is not finite.');
    const from = this.used * this.size;
    if (from + this.size > this.values.length) {
      const wider = new Float64Array(Math.max(64 * this.size, 2 * this.values.length));
      wider.set(this.values);
      this.values = wider;
    }
    this.values.set(row, from);
    this.used += 1;
  }

  /** All rows, one after another; a view that the next push may outdate. */
  all(): Float64Array {
    return this.values.subarray(0, this.used * this.size);
  }
}
