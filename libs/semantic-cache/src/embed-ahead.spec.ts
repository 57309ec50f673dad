import { describe, expect, it } from 'vitest';
import { EmbedAhead } from './embed-ahead.js';

function after(run: readonly boolean[], ahead = new EmbedAhead()): EmbedAhead {
  for (const hit of run) ahead.learn('n', hit);
  return ahead;
}

const times = (n: number, hit: boolean): boolean[] => Array.from({ length: n }, () => hit);

describe('EmbedAhead', () => {
  it('does not guess for a namespace that it does not know', () => {
    expect(new EmbedAhead().isLikelyUsed('n')).toBe(false);
    expect(after(times(30, false)).isLikelyUsed('n')).toBe(false);
    expect(after(times(100, false)).isLikelyUsed('other')).toBe(false);
  });

  it('guesses once the exact tier has seldom answered, and stops within a few exact hits', () => {
    const ahead = after(times(100, false));
    expect(ahead.isLikelyUsed('n')).toBe(true);
    expect(after(times(4, true), ahead).isLikelyUsed('n')).toBe(false);
  });

  it('never guesses where every fourth request is an exact hit', () => {
    const ahead = new EmbedAhead();
    for (let n = 0; n < 1000; n++) {
      ahead.learn('n', n % 4 === 0);
      expect(ahead.isLikelyUsed('n')).toBe(false);
    }
  });

  it('starts anew when it holds as many namespaces as it may', () => {
    const ahead = new EmbedAhead(1);
    after(times(100, false), ahead);
    ahead.learn('m', false);
    expect(ahead.isLikelyUsed('n')).toBe(false);
  });
});
