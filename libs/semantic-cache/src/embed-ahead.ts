/** Weight of one request in a namespace's share of exact hits. */
const weight = 1 / 32;
/** An embedding is begun before the exact tier has answered when at most this share of requests would waste it. */
const mostWasted = 1 / 8;

/**
 * How often the exact tier answers, by namespace. Where it seldom does, embedding begins while it is still asked, which
 * takes its round trip off the way of a semantic hit and of a miss. A namespace that repeats itself never pays for that:
 * its exact hits embed nothing, so their throughput is theirs.
 */
export class EmbedAhead {
  private readonly shares = new Map<string, number>();

  constructor(private readonly maxNamespaces = 10_000) {}

  /** False for a namespace that is not known well. */
  isLikelyUsed(ns: string): boolean {
    return (this.shares.get(ns) ?? 1) <= mostWasted;
  }

  /** What the exact tier said to a request that the semantic tier can look at. */
  learn(ns: string, hit: boolean): void {
    const share = this.shares.get(ns);
    if (share === undefined && this.shares.size >= this.maxNamespaces) this.shares.clear();
    this.shares.set(ns, (1 - weight) * (share ?? 1) + (hit ? weight : 0));
  }
}
