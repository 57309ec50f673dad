import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { decideBudget } from '../decision/budget.js';
import { fitLogistic } from '../risk/lr12.js';
import { type JudgedCandidate, RiskLearner, type RiskLearnerOptions } from './risk-learner.js';
import { BAND_RATES, economyRate, labelRate } from './sampling.js';

const options: RiskLearnerOptions = { size: 2, fit: fitLogistic, calibration: { budget: 0.05 } };

interface World {
  readonly learner: RiskLearner;
  readonly hits: number;
  readonly wrong: number;
  readonly firstServe: number | undefined;
}

const bandRate = (score: number | undefined): number => labelRate(score);

/** A stream whose first number says how risky a reuse is; `shuffled`: labels that know nothing of it. */
function stream(
  requests: number,
  given: RiskLearnerOptions,
  shuffled = false,
  rateOf: (score: number | undefined, threshold: number | undefined, labels: number) => number = bandRate,
): World {
  const rng = createRng(21);
  const learner = new RiskLearner(given);
  let [hits, wrong, firstServe] = [0, 0, undefined as number | undefined];
  for (let from = 0; from < requests; from += 10) {
    const judged: JudgedCandidate[] = [];
    const { model, threshold } = learner;
    for (let turn = 0; turn < 10; turn++) {
      const row = Float64Array.of(rng.next(), rng.next());
      const rejected = rng.next() < (shuffled ? 0.6 : Math.min(1, 2 * row[0]! ** 2)) ? 1 : 0;
      const score = model?.score(row, 1)[0];
      const decision = decideBudget(score === undefined ? [1] : [score], threshold);
      if (decision.serve) {
        hits += 1;
        wrong += rejected;
        firstServe ??= from + turn;
      }
      const rate = rateOf(score, threshold, learner.labels);
      if (rng.next() < rate) judged.push({ row, score, rate, rejected });
    }
    learner.learn(`conversation ${from}`, judged);
  }
  return { learner, hits, wrong, firstServe };
}

describe('risk learner', () => {
  it('opens by itself and keeps the budget', () => {
    const { hits, wrong, firstServe, learner } = stream(6000, options);
    expect(firstServe).toBeGreaterThan(300);
    expect(hits).toBeGreaterThan(600);
    expect(wrong / hits).toBeLessThanOrEqual(0.05);
    expect(learner.labels).toBeLessThan(6000);
  });

  it('serves nothing when the labels know nothing', () => {
    expect(stream(4000, options, true).hits).toBe(0);
  });

  it.each([
    ['half as many', (score: number | undefined) => labelRate(score, { inside: 0.5, outside: 0.05, band: 0.4 })],
    [
      'the label economy',
      (score: number | undefined, threshold: number | undefined, labels: number) =>
        economyRate(score, threshold, labels, { rates: BAND_RATES, allowance: 400 }),
    ],
  ])('learns from labels that were drawn at a lower rate, refit after refit: %s', (_, rateOf) => {
    const { hits, wrong, learner } = stream(12_000, options, false, rateOf);
    const full = stream(12_000, options);
    expect(learner.labels).toBeLessThan(0.7 * full.learner.labels);
    expect(hits).toBeGreaterThan(0.5 * full.hits);
    expect(wrong / hits).toBeLessThanOrEqual(0.05);
  });

  it('serves nothing before 300 labels', () => {
    const { learner, hits } = stream(290, options);
    expect(learner.model).toBeUndefined();
    expect(hits).toBe(0);
  });

  it('scores from the first request with a warm start, but takes no threshold from it', () => {
    const rng = createRng(4);
    const rows = Float64Array.from({ length: 400 }, () => rng.next());
    const rejected = Float64Array.from({ length: 200 }, (_, r) => (rows[2 * r]! > 0.6 ? 1 : 0));
    const learner = new RiskLearner({ ...options, warmStart: { rows, rejected } });
    expect(learner.model).toBeDefined();
    expect(learner.threshold).toBeUndefined();
    const warm = stream(6000, { ...options, warmStart: { rows, rejected } });
    expect(warm.firstServe).toBeLessThan(stream(6000, options).firstServe!);
    expect(warm.wrong / warm.hits).toBeLessThanOrEqual(0.05);
  });

  it('keeps logged scores when it is told not to cross-fit', () => {
    const learner = new RiskLearner({ ...options, crossFitted: false });
    const label = { row: Float64Array.of(0, 0), rate: 1, rejected: 0 as const };
    const other = { ...label, row: Float64Array.of(1, 1), rejected: 1 as const };
    expect(
      learner.learn('a', [...Array(200).fill({ ...label, score: 0.9 }), ...Array(100).fill({ ...other, score: 0.9 })]),
    ).toBe(true);
    expect(learner.threshold).toBeUndefined();
    expect(learner.learn('b', Array(127).fill({ ...label, score: 0.02 }))).toBe(false);
    expect(learner.threshold).toBe(0.02);
  });

  it.each([
    ['another length', Float64Array.of(1)],
    ['a number that is not finite', Float64Array.of(1, Number.NaN)],
  ])('refuses a row with %s', (_, row) => {
    const learner = new RiskLearner(options);
    expect(() => learner.learn('a', [{ row, score: undefined, rate: 1, rejected: 0 }])).toThrow(RangeError);
  });
});
