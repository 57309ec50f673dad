import { describe, expect, it } from 'vitest';
import { fixtureCases } from '../fixtures/guards/read-fixtures.js';
import { namespaceOf, onNamespace } from './support/admin.js';
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

interface Explained {
  readonly guard: {
    readonly verdict: { readonly serve: boolean; readonly reason: string };
    readonly a: { readonly words: readonly string[]; readonly numbers: readonly string[] };
    readonly b: { readonly words: readonly string[] };
    readonly checks: readonly { readonly reason: string; readonly passed: boolean }[];
    readonly aligned: readonly { readonly a: string; readonly b: string }[];
  } | null;
}

describe('explain of a refused and of a served first message', () => {
  it.each([
    ['How do I return a lamp within 30 days?', 'How do I return a lamp within 60 days?', false, 'number'],
    ['How do I pair the blue headset?', 'How can I pair the blue headset?', true, 'same-words'],
    ['Wie kopple ich den blauen Kopfhörer?', 'Wie kopple ich nicht den blauen Kopfhörer?', false, 'negation'],
  ])('%j / %j: both texts as read, every check in order, the aligned words', async (a, b, serve, reason) => {
    const space = ownSpace('explained');
    const first = await chat(s.url, ask(a), space);
    const reply = await chat(s.url, ask(b), space);
    expect(reply.cache).toBe(serve ? 'hit-semantic' : 'miss');
    const explain = (id: string) => onNamespace<Explained>(s, namespaceOf(space), `explain/${id}`);
    const { guard } = await explain(reply.headers.get('x-request-id') ?? '');
    expect(guard?.verdict).toMatchObject({ serve, reason });
    expect(guard?.checks.map((check) => check.reason)).toEqual(
      expect.arrayContaining(['language', 'code', 'number', 'negation', 'order', 'cosine']),
    );
    expect(guard?.checks.find((check) => check.reason === reason)?.passed ?? true).toBe(serve);
    expect([guard?.a.words.length, guard?.b.words.length].every((n) => (n ?? 0) > 1)).toBe(true);
    expect(guard?.aligned.length).toBeGreaterThan(1);
    expect((await explain(first.headers.get('x-request-id') ?? '')).guard).toBeNull();
  });
});
