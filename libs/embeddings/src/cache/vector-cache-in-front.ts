import { silentTelemetry, type Telemetry } from '@reprise/kernel';
import type { Embedder, EmbedOutcome, VectorCache } from '@reprise/semantic-cache';
import { textHash } from '../text-hash.js';

export interface SharedCacheOptions {
  readonly ttlMs: number;
  /** Longest wait for the shared cache before the model is asked. */
  readonly timeoutMs: number;
  readonly telemetry?: Telemetry;
}

/** An embedder that first asks a cache shared by all replicas; its failures and slowness are misses. */
export function createVectorCacheInFront(
  embedder: Embedder,
  cache: VectorCache,
  options: SharedCacheOptions,
): Embedder {
  const telemetry = options.telemetry ?? silentTelemetry;
  const counted = (result: 'hit' | 'miss' | 'error'): void =>
    telemetry.count('reprise_embed_shared_cache_total', { result });

  async function lookUp(hash: string): Promise<Float32Array | undefined> {
    try {
      const found = await within(cache.get(embedder.identity, hash), options.timeoutMs);
      const usable = found !== undefined && isUnit(found, embedder.dimensions);
      counted(usable ? 'hit' : 'miss');
      return usable ? found : undefined;
    } catch {
      counted('error');
      return undefined;
    }
  }

  async function embed(text: string): Promise<EmbedOutcome> {
    if (text.trim() === '') return embedder.embed(text);
    const hash = textHash(text);
    const found = await lookUp(hash);
    if (found) return { ok: true, vector: found };
    const outcome = await embedder.embed(text);
    if (outcome.ok) {
      cache.put(embedder.identity, hash, outcome.vector, options.ttlMs).catch(() => counted('error'));
    }
    return outcome;
  }

  return {
    identity: embedder.identity,
    dimensions: embedder.dimensions,
    healthy: () => embedder.healthy(),
    embed,
  };
}

const UNIT_TOLERANCE = 1e-2;

function isUnit(vector: Float32Array, dimensions: number): boolean {
  if (vector.length !== dimensions) return false;
  const square = vector.reduce((sum, value) => sum + value * value, 0);
  return Math.abs(square - 1) < UNIT_TOLERANCE;
}

async function within<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('late')), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
