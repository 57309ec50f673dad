/** Shared cache of embeddings by text hash; a failure is a miss. */
export interface VectorCache {
  get(identity: string, textHash: string): Promise<Float32Array | undefined>;
  put(identity: string, textHash: string, vector: Float32Array, ttlMs: number): Promise<void>;
}
