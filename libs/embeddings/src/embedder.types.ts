import type { Embedder } from '@reprise/semantic-cache';

/** Figures of an embedder for gauges and /readyz. */
export interface EmbedderState {
  /** Why the semantic tier is off; absent while it works. */
  readonly reason?: string;
  /** Texts that wait or are being embedded. */
  readonly pending: number;
  readonly workersReady: number;
  readonly cacheEntries: number;
  readonly cacheBytes: number;
}

/** An embedder that holds resources. */
export interface ManagedEmbedder extends Embedder {
  state(): EmbedderState;
  /** Ends threads and timers; calls after it give `unavailable`. */
  close(): Promise<void>;
}
