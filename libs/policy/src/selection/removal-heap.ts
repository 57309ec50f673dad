/** A binary heap of items by price, the lower item first on ties. */
export class RemovalHeap {
  private readonly items: Int32Array;
  private readonly prices: Float64Array;
  private size = 0;

  constructor(capacity: number) {
    this.items = new Int32Array(capacity);
    this.prices = new Float64Array(capacity);
  }

  get length(): number {
    return this.size;
  }

  push(item: number, price: number): void {
    let at = this.size;
    this.size += 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(price, item, this.prices[parent]!, this.items[parent]!)) break;
      this.move(parent, at);
      at = parent;
    }
    this.place(at, item, price);
  }

  /** The first item and its price, left where it is; undefined when empty. */
  peek(): { readonly item: number; readonly price: number } | undefined {
    return this.size === 0 ? undefined : { item: this.items[0]!, price: this.prices[0]! };
  }

  /** The first item and its price; undefined when empty. */
  pop(): { readonly item: number; readonly price: number } | undefined {
    if (this.size === 0) return undefined;
    const top = { item: this.items[0]!, price: this.prices[0]! };
    this.size -= 1;
    if (this.size > 0) this.sink(this.items[this.size]!, this.prices[this.size]!);
    return top;
  }

  private sink(item: number, price: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      const right = child + 1;
      if (right < this.size && this.isBefore(right, child)) child = right;
      if (!before(this.prices[child]!, this.items[child]!, price, item)) break;
      this.move(child, at);
      at = child;
    }
    this.place(at, item, price);
  }

  private isBefore(a: number, b: number): boolean {
    return before(this.prices[a]!, this.items[a]!, this.prices[b]!, this.items[b]!);
  }

  private move(from: number, to: number): void {
    this.place(to, this.items[from]!, this.prices[from]!);
  }

  private place(at: number, item: number, price: number): void {
    this.items[at] = item;
    this.prices[at] = price;
  }
}

const before = (price: number, item: number, otherPrice: number, otherItem: number): boolean =>
  price < otherPrice || (price === otherPrice && item < otherItem);
