import type { VectorCache } from '@reprise/semantic-cache';
import { describe, expect, it } from 'vitest';
import { createHashingEmbedder } from '../testing/hashing-embedder.js';
import { textHash } from '../text-hash.js';
import { createVectorCacheInFront } from './vector-cache-in-front.js';

const embedder = createHashingEmbedder(8);
const options = { ttlMs: 1_000, timeoutMs: 2_000 };

function mapCache(): VectorCache & { readonly held: Map<string, Float32Array> } {
  const held = new Map<string, Float32Array>();
  return {
    held,
    get: (identity, hash) => Promise.resolve(held.get(`${identity} ${hash}`)),
    put: (identity, hash, vector) => Promise.resolve(void held.set(`${identity} ${hash}`, vector)),
  };
}

const keyOf = (text: string): string => `${embedder.identity} ${textHash(text)}`;

describe('createVectorCacheInFront', () => {
  it('fills the shared cache and then answers from it', async () => {
    const cache = mapCache();
    const front = createVectorCacheInFront(embedder, cache, options);
    const first = await front.embed('reset my password');
    expect(cache.held.get(keyOf('reset my password'))).toBeInstanceOf(Float32Array);
    const stored = Float32Array.from([0, 0, 0, 0, 0, 0, 0, 1]);
    cache.held.set(keyOf('reset my password'), stored);
    expect(await front.embed('reset my password')).toEqual({ ok: true, vector: stored });
    expect(first).toMatchObject({ ok: true });
    expect([front.identity, front.dimensions, front.healthy()]).toEqual([embedder.identity, 8, true]);
  });

  it.each([
    ['another length', new Float32Array(4).fill(0.5)],
    ['no unit vector', new Float32Array(8).fill(3)],
    ['no numbers', new Float32Array(8).fill(Number.NaN)],
  ])('%s in the shared cache is a miss and is replaced', async (_name, wrong) => {
    const cache = mapCache();
    cache.held.set(keyOf('a text'), wrong);
    const front = createVectorCacheInFront(embedder, cache, options);
    expect(await front.embed('a text')).toEqual(await embedder.embed('a text'));
    expect(cache.held.get(keyOf('a text'))).not.toBe(wrong);
  });

  it.each([
    [
      'rejects',
      { get: () => Promise.reject(new Error('down')), put: () => Promise.reject(new Error('down')) },
      options,
    ],
    [
      'never answers',
      { get: () => new Promise<never>(() => undefined), put: () => Promise.resolve() },
      { ttlMs: 1, timeoutMs: 10 },
    ],
  ])('a shared cache that %s is as if it were not there', async (_name, cache, given) => {
    const front = createVectorCacheInFront(embedder, cache as VectorCache, given);
    expect(await front.embed('a text')).toEqual(await embedder.embed('a text'));
  });

  it('refusals are not stored', async () => {
    const cache = mapCache();
    const front = createVectorCacheInFront(embedder, cache, options);
    for (const text of ['', '  ', '!!!']) expect(await front.embed(text)).toEqual({ ok: false, reason: 'empty' });
    expect(cache.held.size).toBe(0);
  });
});
