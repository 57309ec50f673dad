import { describe, expect, it } from 'vitest';
import { fixtureCases } from '../fixtures/guards/read-fixtures.js';
import { ask, chat, ownSpace } from './support/chat.js';
import { suite } from './support/suite.js';

const s = suite();

/**
 * Cases 1–7 through the gateway, with real embeddings: `a` is stored, then `b` is asked in the same space, and the
 * other way round in another one.
 */
describe.each([1, 2, 3, 4, 5, 6, 7])('case %i through HTTP', (number) => {
  const cases = fixtureCases().filter((pair) => pair.case === number);

  it('has at least ten inputs', () => {
    expect(cases.length).toBeGreaterThanOrEqual(10);
  });

  it.each(cases.map(({ a, b, expect: expected }) => [a, b, expected] as const))(
    '%j / %j: %s',
    async (a, b, expected) => {
      for (const [first, second] of [
        [a, b],
        [b, a],
      ] as const) {
        const space = ownSpace('guards');
        expect((await chat(s.url, ask(first), space)).cache).toBe('miss');
        const reply = await chat(s.url, ask(second), space);
        if (expected === 'hit') expect(['hit-exact', 'hit-semantic']).toContain(reply.cache);
        else expect([reply.cache, reply.reason]).toEqual(['miss', expect.stringMatching(/^[a-z-]+$/)]);
      }
    },
  );
});
