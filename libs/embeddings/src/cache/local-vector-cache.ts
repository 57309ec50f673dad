import type { Telemetry } from '@reprise/kernel';
import type { EmbedOutcome } from '@reprise/semantic-cache';
import { textHash } from '../text-hash.js';
import { LruVectors } from './lru-vectors.js';

/** Text → vector, below the cache. `onLate` gives a vector that came after its caller was told `timeout`. */
export type EmbedSource = (
  text: string,
  hash: string,
  onLate: (vector: Float32Array) => void,
) => Promise<EmbedOutcome> | EmbedOutcome;

/**
 * Vectors kept in process by text hash, with equal texts that are asked for at the same time embedded once.
 * The arrays are shared between callers: they must not be written to.
 */
export class LocalVectorCache {
  private readonly lru: LruVectors;
  private readonly flying = new Map<string, Promise<EmbedOutcome>>();

  constructor(
    limits: { readonly entries: number; readonly bytes: number },
    private readonly telemetry: Telemetry,
    private readonly source: EmbedSource,
  ) {
    this.lru = new LruVectors(limits.entries, limits.bytes);
  }

  get entries(): number {
    return this.lru.entries;
  }

  get bytes(): number {
    return this.lru.bytes;
  }

  embed(text: string): Promise<EmbedOutcome> {
    const hash = textHash(text);
    const known = this.lru.get(hash);
    if (known) {
      this.telemetry.count('reprise_embed_cache_total', HIT);
      return Promise.resolve({ ok: true, vector: known });
    }
    const flying = this.flying.get(hash);
    this.telemetry.count('reprise_embed_cache_total', flying ? JOINED : MISS);
    return flying ?? this.fly(text, hash);
  }

  private fly(text: string, hash: string): Promise<EmbedOutcome> {
    const outcome = this.source(text, hash, (vector) => this.lru.put(hash, vector));
    if (!(outcome instanceof Promise)) return Promise.resolve(outcome);
    const flight = outcome.then((done) => {
      this.flying.delete(hash);
      if (done.ok) this.lru.put(hash, done.vector);
      return done;
    });
    this.flying.set(hash, flight);
    return flight;
  }
}

const HIT = { result: 'hit' };
const MISS = { result: 'miss' };
const JOINED = { result: 'joined' };
