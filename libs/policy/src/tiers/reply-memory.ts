/** The replies of the latest calls by key, so that a repeated request changes nothing and gets the same answer. */
export class ReplyMemory {
  private readonly replies = new Map<string, unknown>();
  /** The keys in a ring, because taking the first key of a large Map again and again walks over its deleted ones. */
  private readonly keys: string[] = [];
  private at = 0;

  /** `limit` 0 = remember nothing. */
  constructor(private readonly limit: number) {}

  once<T>(key: string, call: () => T): T {
    if (this.limit === 0) return call();
    const known = this.replies.get(key);
    if (known !== undefined) return known as T;
    const reply = call();
    const oldest = this.keys[this.at];
    if (oldest !== undefined) this.replies.delete(oldest);
    this.keys[this.at] = key;
    this.at = (this.at + 1) % this.limit;
    this.replies.set(key, reply);
    return reply;
  }
}
