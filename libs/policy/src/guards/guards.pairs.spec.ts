import { describe, expect, it } from 'vitest';
import { compareFingerprints, encodeFingerprint, hardGuards, parseFingerprint } from './index.js';
import { adversaryPairs, fixtureCases, fixturePairs } from '../../../../test/fixtures/guards/read-fixtures.js';
import type { FixturePair } from '../../../../test/fixtures/guards/read-fixtures.js';

const verdict = ({ a, b }: Pick<FixturePair, 'a' | 'b'>, cosine: number) =>
  compareFingerprints(parseFingerprint(a), parseFingerprint(b), cosine);

const DTYPES = ['q8', 'fp32'] as const;

describe.each(DTYPES)('labelled pairs with the cosines of %s', (dtype) => {
  const served = (pairs: readonly FixturePair[], label: number) =>
    pairs.filter((pair) => pair.label === label && verdict(pair, pair[dtype]).serve).map(({ a, b }) => `${a} | ${b}`);

  it('serves at least 108 of the 120 pairs of the prototype with one answer, and none of the 165 others', () => {
    const pairs = fixturePairs('own');
    expect(served(pairs, 0)).toEqual([]);
    expect(served(pairs, 1).length).toBeGreaterThanOrEqual(108);
  });

  it('serves at least 36 of 40 new English pairs with one answer, and none of the others', () => {
    const pairs = fixturePairs('en');
    expect(served(pairs, 0)).toEqual([]);
    expect(served(pairs, 1).length).toBeGreaterThanOrEqual(36);
  });

  it('serves at least nine tenths of the German pairs with one answer, and none of the others', () => {
    const pairs = fixturePairs('de');
    const same = pairs.filter(({ label }) => label === 1);
    expect(same.length).toBeGreaterThanOrEqual(60);
    expect(pairs.length - same.length).toBeGreaterThanOrEqual(60);
    expect(served(pairs, 0)).toEqual([]);
    expect(served(pairs, 1).length).toBeGreaterThanOrEqual(0.9 * same.length);
  });

  it('names the guard that only it refuses', () => {
    const named = fixturePairs('en').filter(({ reason }) => reason !== undefined);
    expect(named.length).toBeGreaterThanOrEqual(48);
    for (const pair of named) expect(verdict(pair, pair[dtype]).reason, `${pair.a} | ${pair.b}`).toBe(pair.reason);
  });
});

describe('every served pair', () => {
  const pairs = [...fixturePairs('own'), ...fixturePairs('en'), ...fixturePairs('de')];

  it('passes the walls of every mode', () => {
    for (const pair of pairs.filter(({ q8, ...texts }) => verdict(texts, q8).serve)) {
      expect(hardGuards(parseFingerprint(pair.a), parseFingerprint(pair.b)), `${pair.a} | ${pair.b}`).toBeUndefined();
    }
  });

  it('has the same verdict the other way round', () => {
    for (const { a, b, q8 } of pairs) expect(verdict({ a, b }, q8)).toEqual(verdict({ a: b, b: a }, q8));
  });
});

describe('acceptance cases 1 to 7', () => {
  const cases = fixtureCases();

  it.each([1, 2, 3, 4, 5, 6, 7])('case %i has ten inputs of its own', (number) => {
    expect(cases.filter((each) => each.case === number).length).toBeGreaterThanOrEqual(10);
  });

  it.each(cases)('case $case: $expect: $a | $b', ({ a, b, expect: expected }) => {
    expect(verdict({ a, b }, 1).serve).toBe(expected === 'hit');
  });
});

describe('pairs of an adversary', () => {
  const pairs = adversaryPairs();

  it('are a hundred with another answer, in ten languages or more', () => {
    expect(pairs.filter(({ label }) => label === 0).length).toBeGreaterThanOrEqual(100);
    expect(new Set(pairs.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(10);
  });

  it.each(pairs)('$id: $label: $a | $b', ({ a, b, label }) => {
    expect(verdict({ a, b }, 1).serve).toBe(label === 1);
    expect(verdict({ a: b, b: a }, 1)).toEqual(verdict({ a, b }, 1));
  });
});

describe('the size of a fingerprint', () => {
  it('is at most 500 bytes at the 95th percentile', () => {
    const texts = [...fixturePairs('own'), ...fixturePairs('en'), ...fixturePairs('de'), ...fixtureCases()].flatMap(
      ({ a, b }) => [a, b],
    );
    const bytes = texts
      .map((text) => Buffer.byteLength(encodeFingerprint(parseFingerprint(text))))
      .sort((x, y) => x - y);
    expect(bytes[Math.floor(bytes.length * 0.95)]).toBeLessThanOrEqual(500);
  });
});
