import type { EmbedOutcome } from '@reprise/semantic-cache';
import { describe, expect, it } from 'vitest';
import { textHash } from '../text-hash.js';
import { LocalVectorCache, type EmbedSource } from './local-vector-cache.js';
import { LruVectors } from './lru-vectors.js';

const vector = (seed: number): Float32Array => Float32Array.from([seed, 1, 0, 0]);

describe('LruVectors', () => {
  it('drops what was used longest ago', () => {
    const lru = new LruVectors(3, 1e6);
    for (const name of ['a', 'b', 'c']) lru.put(name, vector(1));
    lru.get('a');
    lru.put('d', vector(2));
    expect(['a', 'b', 'c', 'd'].filter((name) => lru.get(name))).toEqual(['a', 'c', 'd']);
  });

  it.each([
    [10, 10],
    [1, 1],
    [0, 0],
  ])('holds at most %i', (limit, held) => {
    const lru = new LruVectors(limit, 1e9);
    for (let i = 0; i < 50; i += 1) lru.put(`k${i}`, vector(i));
    expect(lru.entries).toBe(held);
  });

  it('is limited by bytes, and counts them right through overwriting and eviction', () => {
    const lru = new LruVectors(1_000, 10_000);
    for (let i = 0; i < 200; i += 1) lru.put(`k${i % 70}`, new Float32Array(100 + (i % 3)));
    expect(lru.bytes).toBeLessThanOrEqual(10_000);
    expect(lru.entries).toBeGreaterThan(5);
    const each = lru.bytes / lru.entries;
    expect(each).toBeGreaterThanOrEqual(400);
    expect(each).toBeLessThan(1_000);
  });

  it('a vector larger than the limit is not kept and drives nothing out', () => {
    const lru = new LruVectors(10, 2_000);
    lru.put('small', vector(1));
    lru.put('large', new Float32Array(10_000));
    expect([lru.get('small') !== undefined, lru.get('large')]).toEqual([true, undefined]);
  });
});

/** A source that answers when told to. */
function controlled() {
  const asked: string[] = [];
  const settle = new Map<string, (outcome: EmbedOutcome) => void>();
  const late = new Map<string, (vector: Float32Array) => void>();
  const source: EmbedSource = (text, _hash, onLate) => {
    asked.push(text);
    late.set(text, onLate);
    return new Promise((resolve) => settle.set(text, resolve));
  };
  return { asked, settle, late, source };
}

function cacheOf(source: EmbedSource, entries = 100) {
  const seen: Record<string, number> = { hit: 0, miss: 0, joined: 0 };
  const telemetry = {
    count: (_name: string, labels?: Readonly<Record<string, string>>): void => {
      const result = labels?.['result'] ?? '';
      seen[result] = (seen[result] ?? 0) + 1;
    },
    observeMs: (): void => undefined,
  };
  return { seen, cache: new LocalVectorCache({ entries, bytes: 1e6 }, telemetry, source) };
}

describe('LocalVectorCache', () => {
  it('equal texts at the same time are embedded once, later ones not at all', async () => {
    const { asked, settle, source } = controlled();
    const { cache, seen } = cacheOf(source);
    const waiting = [cache.embed('a'), cache.embed('a'), cache.embed('b'), cache.embed('a')];
    settle.get('a')?.({ ok: true, vector: vector(1) });
    settle.get('b')?.({ ok: true, vector: vector(2) });
    const outcomes = await Promise.all(waiting);
    expect(outcomes.map((o) => o.ok && o.vector[0])).toEqual([1, 1, 2, 1]);
    expect(await cache.embed('a')).toMatchObject({ ok: true });
    expect(asked).toEqual(['a', 'b']);
    expect(seen).toEqual({ miss: 2, joined: 2, hit: 1 });
  });

  it.each(['timeout', 'busy', 'unavailable', 'too-long'] as const)('%s is not kept', async (reason) => {
    const { asked, settle, source } = controlled();
    const { cache } = cacheOf(source);
    const first = cache.embed('a');
    settle.get('a')?.({ ok: false, reason });
    expect(await first).toEqual({ ok: false, reason });
    void cache.embed('a');
    expect(asked).toEqual(['a', 'a']);
  });

  it('an outcome that is there at once is not joined', async () => {
    const { cache, seen } = cacheOf(() => ({ ok: false, reason: 'busy' }));
    expect(await Promise.all([cache.embed('a'), cache.embed('a')])).toEqual([
      { ok: false, reason: 'busy' },
      { ok: false, reason: 'busy' },
    ]);
    expect(seen).toEqual({ miss: 2, joined: 0, hit: 0 });
  });

  it('a vector that came late is a hit afterwards', async () => {
    const { settle, late, source } = controlled();
    const { cache } = cacheOf(source);
    const first = cache.embed('slow');
    settle.get('slow')?.({ ok: false, reason: 'timeout' });
    await first;
    late.get('slow')?.(vector(7));
    expect(await cache.embed('slow')).toMatchObject({ ok: true });
  });

  it('with no room it still joins and answers', async () => {
    const { asked, settle, source } = controlled();
    const { cache } = cacheOf(source, 0);
    const waiting = [cache.embed('a'), cache.embed('a')];
    settle.get('a')?.({ ok: true, vector: vector(1) });
    await Promise.all(waiting);
    expect([asked.length, cache.entries, cache.bytes]).toEqual([1, 0, 0]);
  });
});

describe('textHash', () => {
  it.each([
    ['a', 'b'],
    ['\ud800', '\ud801'],
    ['\ud800', '\ufffd'],
    ['é', 'e\u0301'],
    ['a', 'a '],
    ['', ' '],
  ])('%j and %j differ', (a, b) => {
    expect(textHash(a)).not.toBe(textHash(b));
    expect(textHash(a)).toBe(textHash(a));
  });
});
