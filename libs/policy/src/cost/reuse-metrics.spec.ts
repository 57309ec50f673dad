import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReplayedRequest, reuseMetrics } from './reuse-metrics.js';

const requests = fc.array(
  fc.record({ cost: fc.double({ min: 0.01, max: 1, noNaN: true }), served: fc.boolean(), rejected: fc.boolean() }),
  { minLength: 1, maxLength: 60 },
);

/** As defined: c on a miss, 0 or γ on a hit, request by request. */
const lossOf = (replayed: readonly ReplayedRequest[], gamma: number): number => {
  const losses = replayed.map(({ cost, served, rejected }) => (served ? gamma * Number(rejected) : cost));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return (100 * sum(losses)) / sum(replayed.map(({ cost }) => cost));
};

describe('the metrics of a replay', () => {
  it('add up: loss = 100 − cost avoided rightly and wrongly + γ · false reuse / mean cost', () => {
    fc.assert(
      fc.property(requests, fc.double({ min: 0, max: 3, noNaN: true }), (replayed, gamma) => {
        const { loss, rightCost, wrongCost, falseReuse, meanCost, hits, rightReuse } = reuseMetrics(replayed, gamma);
        expect(loss).toBeCloseTo(100 - rightCost - wrongCost + (gamma * falseReuse) / meanCost, 8);
        expect(loss).toBeCloseTo(lossOf(replayed, gamma), 8);
        expect(hits).toBeCloseTo(rightReuse + falseReuse, 8);
      }),
    );
  });

  it('say 100 % of loss where nothing is served', () => {
    fc.assert(
      fc.property(requests, (replayed) => {
        const { loss, hits, precision } = reuseMetrics(replayed.map((one) => ({ ...one, served: false })));
        expect([loss, hits, precision]).toEqual([100, 0, 100]);
      }),
    );
  });

  it('refuse a replay of nothing', () => {
    expect(() => reuseMetrics([])).toThrow(RangeError);
  });
});
