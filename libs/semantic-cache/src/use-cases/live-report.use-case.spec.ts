import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import type { LabelRecord, LearnEvent } from '../ports/risk-store.port.js';
import { liveReport, measured, type ReportDependencies } from './live-report.use-case.js';

type Given = Pick<LabelRecord, 'rule' | 'served' | 'rejected' | 'rate'> & { score?: number };

const event = (given: Given, at: number): LearnEvent => ({
  id: `${at + 1}-0`,
  kind: 'label',
  late: false,
  label: {
    requestId: `r${at}`,
    conversation: 'c',
    entryId: 'e',
    judge: 'llm',
    snapshot: 1,
    featureVersion: 1,
    row: new Float64Array(0),
    ...given,
  },
});

function deps(labels: readonly Given[], stats: Record<string, number> = {}): ReportDependencies {
  const events = labels.map(event);
  return {
    admin: { stats: () => Promise.resolve(stats) },
    risk: {
      snapshot: () =>
        Promise.resolve({
          version: 4,
          labels: 9,
          threshold: 0.2,
          bound: 0.04,
          breakerOpen: false,
          coldStartClosed: true,
        }),
      spend: () => Promise.resolve({ spentNanoUsd: 2e9, savedNanoUsd: 30e9 }),
      read: (_ns, position, count) => {
        const from = position === '' ? 0 : Number(position.split('-')[0]);
        return Promise.resolve({
          epoch: 0,
          version: 4,
          budget: 0.1,
          confidence: 0.9,
          events: events.slice(from, from + count),
        });
      },
    },
  };
}
const limits = { maxSpendUsd: 1, spendShare: 0.1 };
const served = (rejected: 0 | 1, rate = 1, score = 0.1): Given => ({
  rule: 'budget',
  served: true,
  rejected,
  rate,
  score,
});

describe('liveReport', () => {
  it('reads every page of labels and says what was served, judged, learned and paid', async () => {
    const labels = [
      ...Array.from({ length: 1_100 }, (_, at) => served(at % 50 === 0 ? 1 : 0)),
      { rule: 'cold-start', served: true, rejected: 1, rate: 1 } as const,
      { rule: 'budget', served: false, rejected: 1, rate: 0.1, score: 0.9 } as const,
    ];
    const stats = {
      exact_hit: 5,
      exact_miss: 20,
      semantic_hit: 8,
      judged_by_llm: 7,
      judge_missing: 3,
      ghost_loss_lru: 0.4,
    };
    const report = await liveReport(deps(labels, stats), limits, 'ns');
    expect(report).toMatchObject({
      namespace: 'ns',
      budget: 0.1,
      confidence: 0.9,
      hits: { exact: 5, semantic: 8, missed: 12 },
      falseHits: { judged: 1_101, wrong: 23, effective: 1_101 },
      byRule: { budget: { judged: 1_100, wrong: 22, share: 0.02 }, 'cold-start': { judged: 1, wrong: 1 } },
      withheld: { judged: 1, wrong: 1 },
      gate: { version: 4, labels: 9, threshold: 0.2, bound: 0.04, breakerOpen: false, coldStartClosed: true },
      labels: { kept: 1_102, missing: 3, byJudge: { llm: 7 } },
      money: { saved: 30, judged: 2, net: 28, cap: 4 },
      ghosts: { lru: 0.4 },
    });
    const { wilson, clopperPearson } = report.falseHits;
    expect(clopperPearson.low).toBeLessThan(wilson.low);
    expect(clopperPearson.high).toBeGreaterThan(23 / 1_101);
    expect(report.history.length).toBeLessThanOrEqual(40);
    expect(report.history.at(-1)).toMatchObject({ labels: 1_102, servedJudged: 1_101 });
  });

  it('says what other budgets would have served: more with a larger one, nothing without scores', async () => {
    const labels = Array.from({ length: 2_000 }, (_, at): Given => {
      const score = (at % 100) / 100;
      return { rule: 'budget', served: false, rejected: at % 100 < 2 || score > 0.3 ? 1 : 0, rate: 1, score };
    });
    const { outlook } = await liveReport(deps(labels), limits, 'ns');
    const shares = outlook.map(({ servedShare }) => servedShare);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(outlook[0]).toMatchObject({ budget: 0.01, servedShare: 0, falseHits: { judged: 0 } });
    const unscored = labels.map(({ rule, served: given, rejected, rate }): Given => ({
      rule,
      served: given,
      rejected,
      rate,
    }));
    expect((await liveReport(deps(unscored), limits, 'ns')).outlook.every(({ servedShare }) => servedShare === 0)).toBe(
      true,
    );
  });

  it('of a namespace without anything is empty', async () => {
    const report = await liveReport(deps([]), limits, 'ns');
    expect(report.falseHits).toEqual({
      judged: 0,
      wrong: 0,
      effective: 0,
      wilson: { low: 0, high: 1 },
      clopperPearson: { low: 0, high: 1 },
    });
    expect(report.history).toEqual([]);
  });
});

describe('a share measured from a sample', () => {
  it.each([0.1, 0.3, 1])('does not depend on the rate at which one kind is labelled (%d)', (rate) => {
    const rng = createRng(11);
    const all = Array.from({ length: 20_000 }, () => {
      const risky = rng.next() < 0.3;
      return { rejected: rng.next() < (risky ? 0.4 : 0.02) ? (1 as const) : (0 as const), rate: risky ? rate : 1 };
    });
    const truth = all.filter(({ rejected }) => rejected === 1).length / all.length;
    const drawn = all.filter((label) => rng.next() < label.rate);
    const { share, effective, clopperPearson } = measured(drawn);
    const error = Math.sqrt((truth * (1 - truth)) / effective);
    expect(Math.abs((share ?? 1) - truth)).toBeLessThan(3 * error);
    expect(clopperPearson.low).toBeLessThan(share ?? 0);
    expect(clopperPearson.high).toBeGreaterThan(share ?? 1);
  });
});
