import { describe, expect, it } from 'vitest';
import { exchangeShare } from './exchange.mjs';
import { ownPairs, sharedDataDir, sharedPairs } from './pairs.mjs';
import { describeScore, score } from './score.mjs';

/** The rule is measured at a cosine of 1: what is served with the model's cosines is a part of that. */
const always = () => 1;

describe('score', () => {
  it('counts by label', () => {
    const total = score(ownPairs('de'), (pair) => pair.q8 ?? 0);
    expect(total).toMatchObject({ positives: 86, negatives: 90, servedNegatives: 0 });
    expect(describeScore(total)).toMatch(/^same answer \d+ of 86 \(\d+\.\d\d %\), other answer 0 of 90 \(0\.00 %\)$/);
  });
});

const qqp = sharedPairs('qqp');
const sgd = sharedPairs('sgd');

describe.skipIf(qqp === undefined || sgd === undefined)(
  `shared pairs (skipped where ${sharedDataDir()} has no pairs-single-turn)`,
  () => {
    it('serves a tenth of the qqp pairs with one answer and at most 1 % of the others', () => {
      const total = score(qqp ?? [], always);
      expect(total.servedPositives / total.positives).toBeGreaterThanOrEqual(0.1);
      expect(total.servedNegatives / total.negatives).toBeLessThanOrEqual(0.01);
    });

    it('serves a twentieth of the sgd pairs with one answer and none of the others', () => {
      const total = score(sgd ?? [], always);
      expect(total.servedPositives / total.positives).toBeGreaterThanOrEqual(0.05);
      expect(total.servedNegatives).toBe(0);
    });

    it('serves at most 2.6 % of questions with two words exchanged', () => {
      const texts = [...new Set((qqp ?? []).flatMap(({ a, b }) => [a, b]))];
      const { tried, share } = exchangeShare(texts, { perText: 2, seed: 7 });
      expect(tried).toBeGreaterThan(10_000);
      expect(share).toBeLessThanOrEqual(0.026);
    }, 300_000);
  },
);
