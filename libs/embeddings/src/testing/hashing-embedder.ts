import { createHash } from 'node:crypto';
import type { Embedder } from '@reprise/semantic-cache';

/**
 * TESTS ONLY: words hashed to places of a vector. Deterministic and without a model; it knows nothing of meaning, so
 * no figure measured with it says anything about the product.
 */
export function createHashingEmbedder(dimensions = 64): Embedder {
  return {
    identity: `hashing-for-tests@${dimensions}`,
    dimensions,
    healthy: () => true,
    embed: (text) => {
      const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu);
      return Promise.resolve(words ? { ok: true, vector: hashed(words, dimensions) } : { ok: false, reason: 'empty' });
    },
  };
}

function hashed(words: readonly string[], dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of words) {
    const digest = createHash('sha256').update(word).digest();
    const at = digest.readUInt32LE(0) % dimensions;
    vector[at] = (vector[at] ?? 0) + ((digest[4] ?? 0) % 2 === 0 ? 1 : -1) * (1 + (digest[5] ?? 0) / 256);
  }
  const length = Math.hypot(...vector);
  // Words that cancel out exactly still need a direction.
  if (length === 0) vector[0] = 1;
  return vector.map((value) => value / (length || 1));
}
