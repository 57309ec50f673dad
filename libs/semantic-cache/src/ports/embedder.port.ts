export type EmbedOutcome =
  | { readonly ok: true; readonly vector: Float32Array }
  | { readonly ok: false; readonly reason: 'too-long' | 'empty' | 'busy' | 'timeout' | 'unavailable' };

/** Text → unit vector. Never throws, never blocks the event loop, never cuts a text silently. */
export interface Embedder {
  /** Name, dtype and file hash: part of every stratum, so vectors of two models never meet. */
  readonly identity: string;
  readonly dimensions: number;
  embed(text: string): Promise<EmbedOutcome>;
  /** False while the model is missing or not answering. */
  healthy(): boolean;
}
