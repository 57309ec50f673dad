import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { Calibrator } from './calibrator.js';
import { crossFit, FOLDS, foldOf } from './cross-fit.js';
import { clopperPearsonUpper } from './intervals.js';
import { KeepRule } from './keep-rule.js';
import type { ScoredLabel } from './label.types.js';
import { firstPrefix, PREFIX_DEFAULTS, prefixThreshold } from './prefix-test.js';
import { nextFit } from './refit-schedule.js';

const budget = 0.05;
const options = { ...PREFIX_DEFAULTS, budget };

/** Labels whose true chance of rejection is `risk(score)`. */
function labels(count: number, seed: number, risk: (score: number) => number): ScoredLabel[] {
  const rng = createRng(seed);
  return Array.from({ length: count }, () => {
    const score = rng.next() * 0.4;
    return { score, rejected: rng.next() < risk(score) ? 1 : 0, rate: 1 };
  });
}

/** 143 of them are one of the tested sizes: 100, 113, 127, 143. */
const right = (count: number): ScoredLabel[] =>
  Array.from({ length: count }, (_, i) => ({ score: (0.3 * (i + 1)) / count, rejected: 0, rate: 1 }));

describe('prefix test', () => {
  it('starts at 1.6 times the least number of labels, 100 at least', () => {
    const first = [0.01, 0.02, 0.05, 0.1].map((share) => firstPrefix({ ...options, budget: share }));
    expect(first).toEqual([479, 239, 100, 100]);
  });

  it('serves nothing before the first prefix is full', () => {
    expect(prefixThreshold(right(99), options)).toBeUndefined();
    expect(prefixThreshold(right(100), options)).toBeCloseTo(0.3, 12);
  });

  it('stops at the first prefix that fails, whatever follows', () => {
    const bad = right(120).map((label): ScoredLabel => ({ ...label, score: 0.31, rejected: 1 }));
    const threshold = prefixThreshold(
      [...right(200), ...bad, ...right(5000).map((l) => ({ ...l, score: 0.35 }))],
      options,
    );
    expect(threshold).toBeLessThanOrEqual(0.3);
    expect(threshold).toBeGreaterThan(0.2);
  });

  it('counts all labels of one score together', () => {
    const tied = Array.from({ length: 200 }, (_, i): ScoredLabel => ({
      score: 0.1,
      rejected: i < 100 ? 0 : 1,
      rate: 1,
    }));
    expect(prefixThreshold(tied, options)).toBeUndefined();
  });

  it('never exceeds the band', () => {
    expect(
      prefixThreshold(
        right(500).map((l) => ({ ...l, score: l.score + 0.3 })),
        options,
      ),
    ).toBe(0.4);
  });

  it('breaks the budget on fresh data in at most 5 % of calibrations, up to chance', () => {
    const risk = (score: number): number => Math.min(1, score / 2);
    let broken = 0;
    for (let seed = 0; seed < 300; seed++) {
      const threshold = prefixThreshold(labels(600, seed, risk), options);
      // Below t the mean risk is t/4 for scores spread evenly.
      if (threshold !== undefined && threshold / 4 > budget) broken += 1;
    }
    expect(clopperPearsonUpper(broken, 300, 0.999)).toBeLessThanOrEqual(0.05);
  });

  it('trusts down-weighted labels less: half the rate needs more labels', () => {
    const mixed = right(110).map((label, i): ScoredLabel => ({ ...label, rate: i % 2 === 0 ? 1 : 0.1 }));
    expect(prefixThreshold(right(110), options)).toBeDefined();
    const wrong = mixed.map((label, i): ScoredLabel => ({ ...label, rejected: i === 51 ? 1 : 0 }));
    expect(prefixThreshold(wrong, options)).toBeUndefined();
  });
});

const rescored = (labels: readonly ScoredLabel[]) => labels.map((label) => ({ ...label, drawnBy: undefined }));

describe('calibrator', () => {
  it('looks every 50 labels in the band, and only those count', () => {
    const calibrator = new Calibrator({ budget });
    calibrator.add(right(149).map((l) => ({ ...l, score: 0.9 })));
    calibrator.add(right(49));
    expect(calibrator.threshold).toBeUndefined();
    calibrator.add(right(60));
    expect(calibrator.threshold).toBeDefined();
  });

  it('forgets labels beyond the window', () => {
    const calibrator = new Calibrator({ budget, window: 143 });
    calibrator.add(right(200).map((l): ScoredLabel => ({ ...l, rejected: 1 })));
    calibrator.add(right(200));
    expect(calibrator.threshold).toBeCloseTo(0.3, 12);
  });

  it('drops rows at a refit that were drawn at the low rate of scores above the band', () => {
    const calibrator = new Calibrator({ budget });
    calibrator.refit(right(143).map((l) => ({ ...l, rate: 0.1, drawnBy: 0.5 })));
    expect(calibrator.threshold).toBeUndefined();
    calibrator.refit(rescored(right(143)));
    expect(calibrator.threshold).toBeCloseTo(0.3, 12);
  });

  it.each([0.5, 0.1])('counts rows of the band at a refit whatever their rate: %d', (rate) => {
    const calibrator = new Calibrator({ budget });
    calibrator.refit(rescored(right(143)).map((l) => ({ ...l, rate })));
    expect(calibrator.threshold).toBeCloseTo(0.3, 12);
  });

  it('shrinks the threshold by the keep rule only when asked to', () => {
    const wrong = right(40).map((l): ScoredLabel => ({ ...l, score: 0.01, rejected: 1 }));
    const [plain, kept] = [false, true].map((keepRule) => {
      const calibrator = new Calibrator({ budget, keepRule });
      calibrator.refit(rescored(right(143)));
      calibrator.add(wrong);
      return calibrator;
    });
    expect(plain!.threshold).toBeCloseTo(0.3, 12);
    expect(kept!.threshold).toBeCloseTo(0.24, 12);
    expect(plain!.alarms).toBe(1);
  });
});

describe('keep rule', () => {
  it('grows back by .05 % a label, never beyond 1', () => {
    const rule = new KeepRule(budget);
    rule.add(
      [1, 1, 1].map((rejected) => ({ score: 0.1, rejected: rejected as 1, rate: 1 })),
      0.2,
    );
    expect(rule.factor).toBe(0.8);
    rule.add(right(10), 0.0001);
    expect(rule.factor).toBeCloseTo(0.8 * 1.0005 ** 10, 12);
    rule.add(right(5000), 0.0001);
    expect(rule.factor).toBe(1);
  });

  it('ignores labels above the threshold and budgets that are kept', () => {
    const rule = new KeepRule(budget);
    rule.add(
      right(50).map((l): ScoredLabel => ({ ...l, rejected: 1 })),
      undefined,
    );
    rule.add(right(1000), 1);
    expect(rule.alarms).toBe(0);
  });
});

describe('cross-fitting', () => {
  it('scores each row by a model that saw neither it nor its conversation', () => {
    const conversations = Array.from({ length: 40 }, (_, i) => `c${i % 20}`);
    const fold = conversations.map((id) => foldOf(id));
    const rows = Float64Array.from(conversations, (_, i) => i);
    const rejected = new Float64Array(40);
    const seen: number[][] = [];
    const scores = crossFit({ rows, count: 40, rejected }, fold, (data) => {
      seen.push([...data.rows]);
      const model = seen.length;
      return { size: 1, score: (given, count) => given.map(() => model).slice(0, count), serialise: () => '' };
    });
    expect(seen).toHaveLength(FOLDS);
    scores.forEach((model, row) => {
      const others = seen[model - 1]!;
      expect(others.some((other) => conversations[other] === conversations[row])).toBe(false);
    });
  });

  it('scores 1 where there is nothing to learn from', () => {
    const data = { rows: new Float64Array(2), count: 2, rejected: new Float64Array(2) };
    const scores = crossFit(data, [1, 1], () => ({ size: 1, score: () => new Float64Array(2), serialise: () => '' }));
    expect([...scores]).toEqual([1, 1]);
  });
});

describe('refits', () => {
  it('come first at 300 labels, then every 500, 1,000 and 2,000', () => {
    expect([0, 300, 2999, 3000, 8000].map(nextFit)).toEqual([300, 800, 3499, 4000, 10_000]);
  });
});
