import type { EmbedOutcome } from '@reprise/semantic-cache';
import type { ManagedEmbedder } from './embedder.types.js';

const outcome: EmbedOutcome = { ok: false, reason: 'unavailable' };

/** The embedder of a machine without a model: the exact tier goes on, and the reason is shown by /readyz. */
export function createUnavailableEmbedder(reason: string): ManagedEmbedder {
  return {
    identity: 'none',
    dimensions: 0,
    embed: () => Promise.resolve(outcome),
    healthy: () => false,
    state: () => ({ reason, pending: 0, workersReady: 0, cacheEntries: 0, cacheBytes: 0 }),
    close: () => Promise.resolve(),
  };
}
