import { describe, expect, it } from 'vitest';
import { createUnavailableEmbedder } from '../unavailable-embedder.js';
import { createHashingEmbedder } from './hashing-embedder.js';

describe('createHashingEmbedder', () => {
  const embedder = createHashingEmbedder(32);

  it.each(['one', 'one two three', 'Ünïcode 漢字', 'x '.repeat(5_000)])(
    '%.20j: a unit vector, always the same',
    async (text) => {
      const outcome = await embedder.embed(text);
      if (!outcome.ok) throw new Error(outcome.reason);
      expect(outcome.vector).toHaveLength(32);
      expect(Math.hypot(...outcome.vector)).toBeCloseTo(1, 5);
      expect(await createHashingEmbedder(32).embed(text)).toEqual(outcome);
    },
  );

  it('says what it is', () => {
    expect(embedder.identity).toContain('for-tests');
  });
});

describe('createUnavailableEmbedder', () => {
  it('refuses everything and says why', async () => {
    const embedder = createUnavailableEmbedder('no model here');
    expect(await embedder.embed('a')).toEqual({ ok: false, reason: 'unavailable' });
    expect([embedder.healthy(), embedder.state().reason]).toEqual([false, 'no model here']);
    await embedder.close();
  });
});
