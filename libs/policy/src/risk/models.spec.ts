import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { FEATURES } from './features.js';
import { fitKlr, KLR_DEFAULTS } from './klr.js';
import { ClassPosteriors, LR12_FEATURES, lr12Row } from './lr12-features.js';
import { fitLogistic } from './lr12.js';
import { deserialiseRiskModel } from './model.codec.js';
import type { LabelledRows } from './risk-model.js';

const SIZE = 4;
const small = { ...KLR_DEFAULTS, landmarks: 60 };

/** Rejected inside a ring: no linear model can say so. */
function ring(count: number, seed: number): LabelledRows {
  const rng = createRng(seed);
  const rows = Float64Array.from({ length: count * SIZE }, () => rng.next() * 2 - 1);
  const rejected = Float64Array.from({ length: count }, (_, r) =>
    Math.hypot(rows[r * SIZE]!, rows[r * SIZE + 1]!) < 0.7 !== rng.next() < 0.05 ? 1 : 0,
  );
  return { rows, count, rejected };
}

function lossOf(scores: Float64Array, { rejected, count }: LabelledRows): number {
  return scores.reduce((sum, p, r) => sum - Math.log(rejected[r] === 1 ? p : 1 - p), 0) / count;
}

describe('kernel logistic regression', () => {
  it('learns what a linear model cannot', () => {
    const [train, test] = [ring(600, 1), ring(400, 2)];
    expect(lossOf(fitKlr(train, small).score(test.rows, test.count), test)).toBeLessThan(0.4);
    expect(lossOf(fitLogistic(train).score(test.rows, test.count), test)).toBeGreaterThan(0.6);
  });

  it('is at the minimum after six steps: thirty give the same scores', () => {
    const data = ring(300, 3);
    const six = fitKlr(data, small).score(data.rows, data.count);
    const thirty = fitKlr(data, { ...small, newtonSteps: 30 }).score(data.rows, data.count);
    six.forEach((score, i) => expect(score).toBeCloseTo(thirty[i]!, 3));
  });

  it('does not depend on how a weight is written: weight 2 is the row twice', () => {
    const data = ring(80, 4);
    const twice: LabelledRows = {
      rows: Float64Array.from([...data.rows, ...data.rows.subarray(0, SIZE)]),
      count: 81,
      rejected: Float64Array.from([...data.rejected, data.rejected[0]!]),
    };
    const weights = new Float64Array(80).fill(1);
    weights[0] = 2;
    const a = fitLogistic({ ...data, weights }).score(data.rows, 80);
    const b = fitLogistic(twice).score(data.rows, 80);
    a.forEach((score, i) => expect(score).toBeCloseTo(b[i]!, 8));
  });

  it('is deterministic', () => {
    const data = ring(200, 5);
    expect(fitKlr(data, small).serialise()).toBe(fitKlr(data, small).serialise());
  });

  it('survives labels of one kind and equal rows', () => {
    const data = { rows: new Float64Array(40 * SIZE).fill(1), count: 40, rejected: new Float64Array(40) };
    const [score] = fitKlr(data, small).score(data.rows, 1);
    expect(score).toBeLessThan(0.1);
    expect(score).toBeGreaterThan(0);
  });
});

describe('model text', () => {
  it.each([
    ['kernel', (data: LabelledRows) => fitKlr(data, small)],
    ['logistic', fitLogistic],
  ])('gives a %s model with identical scores', (_, fit) => {
    const data = ring(150, 6);
    const model = fit(data);
    const again = deserialiseRiskModel(model.serialise());
    expect(again?.score(data.rows, data.count)).toEqual(model.score(data.rows, data.count));
    expect(again?.size).toBe(SIZE);
  });

  it('is refused when it is of another format or damaged', () => {
    expect(deserialiseRiskModel('{"format":"klr/99"}')).toBeUndefined();
    const text = fitLogistic(ring(50, 7)).serialise();
    expect(() => deserialiseRiskModel(text.replace('"size":4', '"size":5'))).toThrow(RangeError);
    expect(() => deserialiseRiskModel('{')).toThrow(SyntaxError);
  });
});

describe('the simple arm', () => {
  it('has twelve features, two of them posteriors of the class of the reply', () => {
    const posteriors = new ClassPosteriors();
    expect(posteriors.of(1)).toBe(1 / 2);
    posteriors.add(1, 0);
    posteriors.add(1, 0);
    posteriors.add(1, 1);
    expect(posteriors.of(1)).toBe(3 / 5);
    const row = lr12Row(new Float64Array(FEATURES).fill(7), 0.25, 0.75);
    expect([...row]).toEqual([0.25, 0.75, ...new Array<number>(10).fill(7)]);
    expect(LR12_FEATURES).toBe(12);
  });
});
