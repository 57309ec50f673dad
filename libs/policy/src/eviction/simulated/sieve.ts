import type { AdmitCall, FeedbackCall } from '../../tiers/policy-calls.js';
import { boundedCapacity, notAdmitted, type CachePolicy } from '../cache-policy.js';

interface Node {
  readonly id: string;
  visited: boolean;
  /** Towards the head, i.e. newer. */
  newer: Node | undefined;
  older: Node | undefined;
}

/**
 * SIEVE (Zhang et al., NSDI 2024): one list in order of insertion, one visited bit, and a hand that moves from the oldest to the
 * newest, clears bits and evicts the first entry without one. Not made for floods or scans.
 */
export class Sieve implements CachePolicy {
  readonly capacity: number;
  private readonly nodes = new Map<string, Node>();
  private newest: Node | undefined;
  private oldest: Node | undefined;
  private hand: Node | undefined;

  constructor(capacity: number) {
    this.capacity = boundedCapacity(capacity);
  }

  get size(): number {
    return this.nodes.size;
  }

  has(id: string): boolean {
    return this.nodes.has(id);
  }

  ids(): Iterable<string> {
    return this.nodes.keys();
  }

  feedback({ used }: FeedbackCall): void {
    for (const id of used) {
      const node = this.nodes.get(id);
      if (node) node.visited = true;
    }
  }

  admit({ id }: AdmitCall) {
    if (this.nodes.has(id)) return notAdmitted;
    const evicted = this.size >= this.capacity ? [this.evict()] : [];
    const node: Node = { id, visited: false, newer: undefined, older: this.newest };
    if (this.newest) this.newest.newer = node;
    this.newest = node;
    this.oldest ??= node;
    this.nodes.set(id, node);
    return { admitted: true, evicted };
  }

  private evict(): string {
    let node = this.hand ?? (this.oldest as Node);
    while (node.visited) {
      node.visited = false;
      node = node.newer ?? (this.oldest as Node);
    }
    this.hand = node.newer;
    this.unlink(node);
    return node.id;
  }

  private unlink(node: Node): void {
    if (node.newer) node.newer.older = node.older;
    else this.newest = node.older;
    if (node.older) node.older.newer = node.newer;
    else this.oldest = node.newer;
    this.nodes.delete(node.id);
  }
}
