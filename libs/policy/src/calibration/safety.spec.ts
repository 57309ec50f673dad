import { createRng, type Rng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { decideBudget } from '../decision/budget.js';
import { Breaker } from './breaker.js';
import { BAND_RATES, economyRate, inverseProbability, labelCoin, labelRate, type WeightedLabel } from './sampling.js';
import { SequentialClose } from './sequential-close.js';

const flip = (rng: Rng, share: number): 0 | 1 => (rng.next() < share ? 1 : 0);

describe('label sampling', () => {
  it('labels the band at its full rate, the rest at a tenth, and everything before the first model', () => {
    expect([undefined, 0.4, 0.41].map((score) => labelRate(score))).toEqual([1, 1, 0.1]);
  });

  it('draws the coin from the secret and the request id alone', () => {
    expect(labelCoin('s', 'r1')).toBe(labelCoin('s', 'r1'));
    expect(labelCoin('s', 'r1')).not.toBe(labelCoin('s', 'r2'));
    expect(labelCoin('other', 'r1')).not.toBe(labelCoin('s', 'r1'));
  });

  it.each([
    ['.1', () => 0.1],
    ['.3', () => 0.3],
    ['1', () => 1],
    ['by key', (i: number) => (i % 3 === 0 ? 0.1 : 0.5)],
  ])('gives an unbiased estimate at the rate %s', (_, rateOf) => {
    const rng = createRng(11);
    const truth = Array.from({ length: 6000 }, (_, i) => flip(rng, i % 3 === 0 ? 0.2 : 0.03));
    const drawn = truth.flatMap((rejected, i): WeightedLabel[] => {
      const rate = rateOf(i);
      return labelCoin('secret', `request ${i}`) < rate ? [{ rejected, rate }] : [];
    });
    const { share, standardError } = inverseProbability(drawn, truth.length);
    const whole = truth.reduce<number>((sum, y) => sum + y, 0) / truth.length;
    expect(Math.abs(share - whole)).toBeLessThanOrEqual(3 * standardError + 1e-12);
    expect(drawn.length / truth.length).toBeCloseTo(truth.reduce<number>((s, _y, i) => s + rateOf(i), 0) / 6000, 1);
  });

  it('slows down once the allowance is spent, more where no decision can change', () => {
    expect(economyRate(0.1, 0.1, 1500)).toBe(1);
    expect(economyRate(0.1, 0.1, 6000)).toBe(0.5);
    expect(economyRate(0.01, 0.1, 6000)).toBe(0.15);
    expect(economyRate(0.39, 0.1, 6000)).toBe(0.15);
    expect(economyRate(0.9, 0.1, 6000)).toBe(BAND_RATES.outside / 2);
    expect(economyRate(undefined, undefined, 6000)).toBe(1);
  });
});

describe('the test that closes the cold-start rule', () => {
  it('closes within 40 judged hits in 19 of 20 orders when 28 % are wrong, with at most 15 wrong ones in any', () => {
    let late = 0;
    for (let seed = 0; seed < 200; seed++) {
      const rng = createRng(seed);
      const test = new SequentialClose(0.05);
      let hits = 0;
      let wrong = 0;
      while (!test.closed) {
        const rejected = flip(rng, 0.28);
        test.add(rejected);
        hits += 1;
        wrong += rejected;
      }
      if (hits > 40) late += 1;
      expect(wrong).toBeLessThanOrEqual(15);
    }
    expect(late).toBeLessThanOrEqual(10);
  });

  it('closes a rule that keeps its budget in at most 5 % of endless runs, and stays closed', () => {
    let closed = 0;
    for (let seed = 0; seed < 200; seed++) {
      const rng = createRng(1000 + seed);
      const test = new SequentialClose(0.05);
      for (let i = 0; i < 2000; i++) test.add(flip(rng, 0.05));
      if (test.closed) closed += 1;
    }
    expect(closed).toBeLessThanOrEqual(18); // 10 expected at most; P(> 18) < .005
    const test = new SequentialClose(0.05);
    for (let i = 0; i < 20; i++) test.add(1);
    for (let i = 0; i < 500; i++) test.add(0);
    expect(test.closed).toBe(true);
  });

  it('refuses a bet that could lose more than its stake', () => {
    expect(() => new SequentialClose(0.5)).toThrow(RangeError);
  });
});

describe('breaker', () => {
  it('opens on the tenth hit when the judge rejects everything, so false reuse is bounded', () => {
    const breaker = new Breaker({ budget: 0.05 });
    let served = 0;
    for (let i = 0; i < 1000; i++) {
      if (!breaker.open) served += 1;
      breaker.add(1);
    }
    expect(served).toBe(10);
  });

  it('stays closed at the budget, mostly, and opens within the window when a third is wrong', () => {
    const rng = createRng(3);
    const breaker = new Breaker({ budget: 0.1 });
    for (let i = 0; i < 250; i++) breaker.add(flip(rng, 0.05));
    expect(breaker.open).toBe(false);
    let until = 0;
    while (!breaker.open && until < 250) {
      breaker.add(flip(rng, 0.34));
      until += 1;
    }
    expect(breaker.open).toBe(true);
  });

  it('closes by itself when enough candidates are right again', () => {
    const breaker = new Breaker({ budget: 0.05 });
    for (let i = 0; i < 10; i++) breaker.add(1);
    expect(breaker.open).toBe(true);
    breaker.recalibrated();
    expect(breaker.open).toBe(true);
    for (let i = 0; i < 58; i++) breaker.add(0);
    expect(breaker.open).toBe(true);
    expect(breaker.add(0)).toBe(false);
  });
});

describe('budget decision', () => {
  it('serves the candidate of lowest score at or below the threshold, the earlier on ties', () => {
    expect(decideBudget([0.3, 0.1, 0.1], 0.1)).toEqual({ serve: true, candidate: 1, score: 0.1 });
    expect(decideBudget([0.3, 0.1], 0.09)).toEqual({ serve: false, candidate: 1, score: 0.1 });
    expect(decideBudget([0.01], undefined)).toEqual({ serve: false, candidate: 0, score: 0.01 });
    expect(decideBudget([], 0.4)).toEqual({ serve: false, candidate: -1, score: undefined });
  });
});
