import type { Clock } from '@reprise/kernel';
import type { AccessStore, DecisionLog, VectorCache } from '@reprise/semantic-cache';
import { checkNamespaceName } from './check-namespace-name.js';
import type { MemoryState } from './namespace-state.js';

/** Records of decisions. */
export class MemoryDecisionLog implements DecisionLog {
  constructor(
    private readonly state: MemoryState,
    private readonly clock: Clock,
  ) {}

  async record(
    ns: string,
    requestId: string,
    entryId: string,
    conversation: string,
    record: string,
    keepMs: number,
    _nowMs: number,
    user = '',
  ): Promise<void> {
    checkNamespaceName(ns);
    const { decisions } = this.state.namespace(ns);
    const untilMs = this.clock.nowMs() + keepMs;
    decisions.set(requestId, { ...decisions.get(requestId), entryId, conversation, user, record, untilMs });
    return Promise.resolve();
  }

  async read(ns: string, requestId: string): Promise<{ record?: string; served?: string } | undefined> {
    checkNamespaceName(ns);
    const decision = this.state.namespace(ns).decisions.get(requestId);
    if (!decision || decision.untilMs <= this.clock.nowMs()) return undefined;
    const { record, served } = decision;
    return Promise.resolve({
      ...(record === undefined ? {} : { record }),
      ...(served === undefined ? {} : { served }),
    });
  }
}

/** Revoked API keys. */
export class MemoryAccessStore implements AccessStore {
  private readonly revoked = new Set<string>();

  isRevoked(keyHash: string): Promise<boolean> {
    return Promise.resolve(this.revoked.has(keyHash));
  }

  setRevoked(keyHash: string, revoked: boolean): Promise<void> {
    if (revoked) this.revoked.add(keyHash);
    else this.revoked.delete(keyHash);
    return Promise.resolve();
  }
}

/** Embeddings by text hash. */
export class MemoryVectorCache implements VectorCache {
  private readonly vectors = new Map<string, { vector: Float32Array; untilMs: number }>();

  constructor(private readonly clock: Clock) {}

  get(identity: string, textHash: string): Promise<Float32Array | undefined> {
    const found = this.vectors.get(`${identity}\u001f${textHash}`);
    return Promise.resolve(found && found.untilMs > this.clock.nowMs() ? found.vector.slice() : undefined);
  }

  put(identity: string, textHash: string, vector: Float32Array, ttlMs: number): Promise<void> {
    const untilMs = this.clock.nowMs() + ttlMs;
    this.vectors.set(`${identity}\u001f${textHash}`, { vector: vector.slice(), untilMs });
    return Promise.resolve();
  }
}
