import { createRng } from '@reprise/kernel';
import {
  clopperPearsonLower,
  decideBudget,
  deserialiseKnowledge,
  FEATURE_VERSION,
  FEATURES,
  fitLogistic,
  project,
  type RiskKnowledge,
} from '@reprise/policy';
import { describe, expect, it } from 'vitest';
import type { LabelRecord } from '../../ports/risk-store.port.js';
import { NamespaceLearner } from './namespace-learner.js';

const budget = 0.05;
/** Requests that are decided before a snapshot reaches the gateways. */
const inFlight = 20;
const topics = 60;
const size = 12;
const places = 24;

interface Decided {
  readonly served: boolean;
  readonly wrong: boolean;
  /** The learner's own state after this request. */
  readonly breakerOpen: boolean;
}

interface Snapshot {
  readonly knowledge?: RiskKnowledge;
  readonly threshold?: number;
  readonly breakerOpen: boolean;
}

/**
 * Requests about some topics, one a conversation. The reuse of a cached answer is wrong when its features say so, mostly,
 * or when the topic's answer has changed since it was stored; no feature tells that. A miss stores the answer of the day.
 */
function play(requests: number, changesAt: number, seed: number): Decided[] {
  const rng = createRng(seed);
  const learner = new NamespaceLearner({ budget, confidence: 0.95 }, fitLogistic);
  const snapshots: Snapshot[] = [];
  const stored = new Array<number>(topics).fill(0);
  const decided: Decided[] = [];
  let fits = 0;
  let knowledge: RiskKnowledge | undefined;
  for (let n = 0; n < requests; n++) {
    const topic = Math.floor(rng.next() * topics);
    const today = n >= changesAt && topic % 2 === 0 ? 1 : 0;
    const row = Float64Array.from({ length: FEATURES }, (_, i) => (i < FEATURES - places ? rng.next() : 0));
    const texts = Float32Array.from({ length: 3 * size }, () => rng.next() - 0.5);
    const misleading = rng.next() < ((row[0] ?? 0) < 0.5 ? 0.005 : 0.8);
    const wrong = misleading || stored[topic] !== today;
    const { threshold, breakerOpen, ...held }: Snapshot = snapshots[n - inFlight] ?? { breakerOpen: false };
    if (held.knowledge !== undefined) place(row, texts, held.knowledge);
    const score = held.knowledge?.model.score(row, 1)[0];
    const served = score !== undefined && !breakerOpen && decideBudget([score], threshold).serve;
    if (!served) stored[topic] = today;
    const label: LabelRecord = {
      ...{ requestId: `r${n}`, conversation: `c${n}`, entryId: 'e', turn: 0, judge: 'reference', rate: 1 },
      rule: 'budget',
      rejected: wrong ? 1 : 0,
      ...{ served, snapshot: 1, featureVersion: FEATURE_VERSION, row },
      ...(score === undefined ? { texts } : { score }),
    };
    learner.fold([
      { id: `${2 * n + 1}-0`, kind: 'label', label, late: false },
      { id: `${2 * n + 2}-0`, kind: 'end', conversation: `c${n}` },
    ]);
    const now = learner.learned(false);
    if (now.fits !== fits) knowledge = deserialiseKnowledge(learner.learned(true).model ?? '');
    fits = now.fits;
    snapshots.push({
      breakerOpen: now.breakerOpen,
      ...(now.threshold === undefined ? {} : { threshold: now.threshold }),
      ...(knowledge === undefined ? {} : { knowledge }),
    });
    decided.push({ served, wrong, breakerOpen: now.breakerOpen });
  }
  return decided;
}

function place(row: Float64Array, texts: Float32Array, { axes }: RiskKnowledge): void {
  for (let i = 0; i < 3; i++)
    row.set(project(texts.subarray(i * size, (i + 1) * size), axes), FEATURES - places + i * axes.count);
}

const count = (all: readonly Decided[], of: (one: Decided) => boolean): number => all.filter(of).length;
const served = (all: readonly Decided[]): number => count(all, (one) => one.served);
const wrong = (all: readonly Decided[]): number => count(all, (one) => one.served && one.wrong);

/** Wrong ones among the judged hits of a full window that prove the budget broken. */
const window = 250;
const proof = Array.from({ length: window }, (_, i) => i).findIndex(
  (rejected) => clopperPearsonLower(rejected, window, 0.05) > budget,
);

describe('half of the answers change their meaning in mid-stream', () => {
  const changesAt = 2_500;
  it.each([1, 2, 3])('the breaker opens, and service comes back by itself: order %i', { timeout: 300_000 }, (seed) => {
    const all = play(4_500, changesAt, seed);
    const opensAt = all.findIndex(({ breakerOpen }, n) => n >= changesAt && breakerOpen);
    const closesAt = all.findIndex(({ breakerOpen }, n) => n > opensAt && !breakerOpen);
    const parts = [all.slice(0, changesAt), all.slice(changesAt, opensAt + 1), all.slice(opensAt + 1, closesAt)];
    const [before, drift, open, after] = [...parts, all.slice(closesAt)] as [
      Decided[],
      Decided[],
      Decided[],
      Decided[],
    ];
    expect(opensAt).toBeGreaterThan(changesAt);
    expect(closesAt).toBeGreaterThan(opensAt);
    expect(closesAt - opensAt).toBeLessThan(600);
    expect(all.slice(closesAt).findIndex((one) => one.served)).toBeLessThan(600);

    expect(served(before)).toBeGreaterThan(500);
    expect(wrong(before)).toBeLessThanOrEqual(budget * served(before));
    // It is open before more is wrong than proves the budget broken, and what was under way.
    expect(served(drift)).toBeLessThanOrEqual(window);
    expect(wrong(drift)).toBeGreaterThan(2);
    expect(wrong(drift) + wrong(open)).toBeLessThanOrEqual(proof + inFlight);
    expect(served(open)).toBeLessThanOrEqual(inFlight);
    expect(served(after)).toBeGreaterThan(300);
    expect(wrong(after)).toBeLessThanOrEqual(budget * served(after));
    expect(wrong(all)).toBeLessThanOrEqual(budget * served(all) + inFlight);
  });
});
