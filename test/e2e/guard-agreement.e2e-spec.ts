import { guardOptionsOf, compareFingerprints, parseFingerprint } from '@reprise/policy';
import { describe, expect, it } from 'vitest';
import { adversaryPairs, fixturePairs } from '../fixtures/guards/read-fixtures.js';
import { ask, chat, ownSpace } from './support/chat.js';
import { suite } from './support/suite.js';

const s = suite();

/** The rule under the configuration that the suite runs with: the default one. */
const options = guardOptionsOf({
  guards: { disabled: [], extraWords: [] },
  strictSimilarity: { minCosine: 0.85 },
});

/** A part of every file; the whole files are played by `reprise eval pairs --compare`. */
const EVERY = 7;
const sample = [...fixturePairs('own'), ...fixturePairs('en'), ...fixturePairs('de')].filter(
  (_, index) => index % EVERY === 0,
);

/** Pairs whose cosine is so near a limit that rounding would decide. */
const isClear = (cosine: number): boolean => [0.6, 0.85].every((limit) => Math.abs(cosine - limit) > 0.002);

describe('the gateway decides as the library', () => {
  it.each(sample.filter(({ q8 }) => isClear(q8)).map(({ a, b, q8 }) => [a, b, q8] as const))(
    '%j / %j',
    async (a, b, cosine) => {
      const space = ownSpace('agreement');
      expect((await chat(s.url, ask(a), space)).cache).toBe('miss');
      const reply = await chat(s.url, ask(b), space);
      const { serve, reason } = compareFingerprints(parseFingerprint(b), parseFingerprint(a), cosine, options);
      if (reply.reason === 'empty') return expect(serve && reason === 'equal').toBe(true);
      expect([reply.cache, reply.reason]).toEqual([serve ? 'hit-semantic' : 'miss', reason]);
    },
  );

  it.each(
    adversaryPairs()
      .filter(({ label }, index) => label === 0 && index % EVERY === 0)
      .map(({ a, b }) => [a, b] as const),
  )('serves no hostile pair: %j / %j', async (a, b) => {
    const space = ownSpace('hostile');
    await chat(s.url, ask(a), space);
    expect((await chat(s.url, ask(b), space)).cache).toBe('miss');
  });
});
