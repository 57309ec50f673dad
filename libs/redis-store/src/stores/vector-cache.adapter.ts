import type { VectorCache } from '@reprise/semantic-cache';
import type { Client } from '../connection/connections.js';
import { embeddingKey } from '../keys.js';
import type { ScriptRunner } from '../scripts/script-runner.js';
import { bytesToVector, vectorBytes } from './vector-bytes.js';

/** Embeddings by text hash, shared by all replicas; a failure is a miss. */
export class RedisVectorCache implements VectorCache {
  constructor(
    private readonly runner: ScriptRunner,
    private readonly client: Client,
  ) {}

  async get(identity: string, textHash: string): Promise<Float32Array | undefined> {
    const key = embeddingKey(identity, textHash);
    try {
      const bytes = await this.runner.guarded(key, undefined, () => this.client.getBuffer(key));
      return bytes === null ? undefined : bytesToVector(bytes);
    } catch {
      return undefined;
    }
  }

  async put(identity: string, textHash: string, vector: Float32Array, ttlMs: number): Promise<void> {
    const key = embeddingKey(identity, textHash);
    await this.runner
      .guarded(key, undefined, () => this.client.set(key, vectorBytes(vector), 'PX', Math.max(1, Math.floor(ttlMs))))
      .catch(() => undefined);
  }
}
