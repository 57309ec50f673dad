import { describe, expect, it } from 'vitest';
import { costMicroUsd, defaultPrices, matchesGlob, priceOf } from './prices.js';

describe('matchesGlob', () => {
  it.each([
    ['gpt-4o*', 'gpt-4o', true],
    ['gpt-4o*', 'GPT-4o-2024', true],
    ['gpt-4o', 'gpt-4o-mini', false],
    ['*', '', true],
    ['a*c', 'abbbc', true],
    ['a*c', 'abbb', false],
    ['a.c', 'abc', false],
    ['(a|b)+', '(a|b)+', true],
    ['ft:*:acme*', 'ft:gpt-4o:acme:x\ny', true],
    ['', '', true],
  ])('%s %s', (pattern, text, matches) => {
    expect(matchesGlob(pattern, text)).toBe(matches);
  });
});

describe('prices', () => {
  it.each([
    ['gpt-4o-mini', 0.15],
    ['gpt-4o-2024-08-06', 2.5],
    ['gpt-4.1-mini', 0.4],
    ['demo', 0.15],
  ])('%s has the card %d', (model, price) => {
    expect(priceOf({ prices: [] }, model)?.inputPerMTokUsd).toBe(price);
  });

  it("the operator's cards come first", () => {
    const own = { model: 'gpt-4o*', inputPerMTokUsd: 1, outputPerMTokUsd: 1 };
    expect(priceOf({ prices: [own] }, 'gpt-4o-mini')).toBe(own);
    expect(priceOf({ prices: [own] }, 'gpt-4.1')?.inputPerMTokUsd).toBe(2);
  });

  it('an unknown model has no card and costs nothing', () => {
    expect(priceOf({ prices: [] }, 'somebodys-model')).toBeUndefined();
    expect(costMicroUsd(undefined, 1_000, 1_000)).toBe(0);
  });

  it.each([
    [1_000_000, 0, 2_500_000],
    [0, 1_000_000, 10_000_000],
    [1_000, 500, 7_500],
    [1, 0, 3],
  ])('%i prompt and %i completion tokens of gpt-4o cost %i micro-dollars', (prompt, completion, cost) => {
    expect(costMicroUsd(priceOf({ prices: [] }, 'gpt-4o'), prompt, completion)).toBe(cost);
  });

  it('no default card is hidden behind an earlier one', () => {
    for (const [i, { model }] of defaultPrices.entries()) {
      const name = model.replaceAll('*', '');
      expect(
        defaultPrices.findIndex((price) => matchesGlob(price.model, name)),
        model,
      ).toBe(i);
    }
  });
});
