/** The replies of the latest calls by key, so that a repeated request changes nothing and gets the same answer. */
export class ReplyMemory {
  private readonly replies = new Map<string, unknown>();

  /** `limit` 0 = remember nothing. */
  constructor(private readonly limit: number) {}

  once<T>(key: string, call: () => T): T {
    if (this.limit === 0) return call();
    const known = this.replies.get(key);
    if (known !== undefined) return known as T;
    const reply = call();
    this.replies.set(key, reply);
    if (this.replies.size > this.limit) this.forgetOldest();
    return reply;
  }

  private forgetOldest(): void {
    for (const oldest of this.replies.keys()) {
      this.replies.delete(oldest);
      return;
    }
  }
}
