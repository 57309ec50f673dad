import type { Embedder, EmbedOutcome } from '@reprise/semantic-cache';

/** Vectors kept, about 1.5 kB each: a replay is repeated for each capacity and should embed its texts once. */
const mostKept = 100_000;

/** An embedder that remembers what it has embedded; the oldest texts are forgotten first. */
export function memoEmbedder(embedder: Embedder): Embedder {
  const known = new Map<string, EmbedOutcome>();
  return {
    identity: embedder.identity,
    dimensions: embedder.dimensions,
    healthy: () => embedder.healthy(),
    embed: async (text) => {
      const kept = known.get(text);
      if (kept !== undefined) return kept;
      const outcome = await embedder.embed(text);
      // A late or failed embedding says nothing about the text.
      if (!outcome.ok && outcome.reason !== 'too-long' && outcome.reason !== 'empty') return outcome;
      if (known.size >= mostKept) for (const oldest of known.keys()) if (known.delete(oldest)) break;
      known.set(text, outcome);
      return outcome;
    },
  };
}
