import { createRng } from '@reprise/kernel';
import { deserialiseKnowledge, FEATURE_VERSION, FEATURES, fitLogistic, project } from '@reprise/policy';
import { describe, expect, it } from 'vitest';
import type { LabelRecord, LearnEvent } from '../../ports/risk-store.port.js';
import { NamespaceLearner } from './namespace-learner.js';

const size = 12;
const start = { budget: 0.05, confidence: 0.95 };

/** A stream of labelled conversations; the first number of a row says how risky the reuse is. */
function stream(conversations: number, change: (n: number) => Partial<LabelRecord> = () => ({})): LearnEvent[] {
  const rng = createRng(11);
  const events: LearnEvent[] = [];
  let time = 0;
  for (let c = 0; c < conversations; c++) {
    const turns = 1 + Math.floor(rng.next() * 4);
    for (let turn = 0; turn < turns; turn++) {
      const row = Float64Array.from({ length: FEATURES }, (_, i) => (i < 36 ? rng.next() : 0));
      const texts = Float32Array.from({ length: 3 * size }, () => rng.next() - 0.5);
      const rejected = rng.next() < ((row[0] ?? 0) < 0.5 ? 0 : 0.8) ? 1 : 0;
      const label: LabelRecord = {
        ...{ requestId: `r${c}-${turn}`, conversation: `c${c}`, entryId: 'e', turn, rule: 'budget', served: false },
        ...{ rejected, judge: 'reference', rate: 1, snapshot: 0, featureVersion: FEATURE_VERSION, row, texts },
        ...change(c),
      };
      events.push({ id: `${(time += 1000)}-0`, kind: 'label', label, late: false });
    }
    events.push({ id: `${(time += 1000)}-0`, kind: 'end', conversation: `c${c}` });
  }
  return events;
}

const learner = (axes?: string) =>
  new NamespaceLearner({ ...start, ...(axes === undefined ? {} : { axes }) }, fitLogistic);

function learnedFrom(events: readonly LearnEvent[], portion = events.length, axes?: string) {
  const made = learner(axes);
  for (let from = 0; from < events.length; from += portion) made.fold(events.slice(from, from + portion));
  return made.learned(true);
}

describe('the learner of a namespace', () => {
  const events = stream(500);

  it('comes to the same model and threshold in whatever portions the events come, and with the axes of its forerunner', () => {
    const whole = learnedFrom(events);
    expect(whole.threshold).toBeGreaterThan(0);
    expect(whole.bound).toBeLessThanOrEqual(0.05);
    expect(whole.fits).toBeGreaterThan(1);
    expect(learnedFrom(events, 7)).toEqual(whole);
    expect(learnedFrom(events, 100, whole.axes)).toEqual(whole);
  });

  it('learns of a conversation when it has ended, in the order of its turns', () => {
    const made = learner();
    const [first, second] = stream(40).filter(({ kind }) => kind === 'label');
    if (first === undefined || second === undefined) throw new Error('too short');
    made.fold([first, second]);
    expect(made.learned(false).labels).toBe(0);
    const shuffled = [...events];
    for (let i = 1; i < shuffled.length; i++) {
      const [a, b] = [shuffled[i - 1], shuffled[i]];
      if (a?.kind !== 'label' || b?.kind !== 'label' || a.label.conversation !== b.label.conversation) continue;
      shuffled[i - 1] = { ...b, id: a.id };
      shuffled[i] = { ...a, id: b.id };
    }
    expect(learnedFrom(shuffled)).toEqual(learnedFrom(events));
  });

  it('fills the places of the axes in rows that came before they were known', () => {
    const { model, axes } = learnedFrom(events);
    const known = deserialiseKnowledge(model ?? '');
    if (known === undefined || axes === undefined) throw new Error('nothing was learned');
    const placed = events.map((event) => {
      if (event.kind === 'end') return event;
      const { texts, row, ...rest } = event.label;
      const filled = row.slice();
      for (let i = 0; i < 3; i++)
        filled.set(
          project((texts ?? new Float32Array()).subarray(i * size, (i + 1) * size), known.axes),
          FEATURES - 24 + 8 * i,
        );
      return { ...event, label: { ...rest, row: filled } };
    });
    expect(learnedFrom(placed, 50, axes).model).toBe(model);
  });

  it('takes labels of conversations that had ended, or whose end is never told', () => {
    const [label] = events;
    if (label?.kind !== 'label') throw new Error('no label');
    const made = learner();
    made.fold([{ ...label, late: true }]);
    expect(made.learned(false).labels).toBe(1);
    const other = { ...label, label: { ...label.label, conversation: 'lost' } };
    made.fold([{ ...other, id: '5000-0' }]);
    expect(made.learned(false).labels).toBe(1);
    made.fold([{ id: '9000000-0', kind: 'end', conversation: 'whatever' }]);
    expect(made.learned(false).labels).toBe(2);
  });

  it('counts labels that it cannot learn from', () => {
    const learned = learnedFrom(stream(10, (c) => (c % 2 === 0 ? { featureVersion: 0 } : {})));
    expect(learned.unusable).toBeGreaterThan(0);
    expect(learned.labels + learned.unusable).toBe(stream(10).filter(({ kind }) => kind === 'label').length);
  });

  it('closes the cold-start rule at once when its hits are wrong, and not for candidates that nobody was given', () => {
    const coldLabels = (served: boolean) =>
      stream(30, () => ({ rule: 'cold-start', served, rejected: 1 })).filter(({ kind }) => kind === 'label');
    expect(learnedFrom(coldLabels(true)).coldStartClosed).toBe(true);
    expect(learnedFrom(coldLabels(false)).coldStartClosed).toBe(false);
  });

  it('opens the breaker when served reuses are wrong, before their conversations end, and closes it when they are right again', () => {
    const made = learner();
    made.fold(events);
    const threshold = made.learned(false).threshold ?? 0;
    const [sample] = events;
    if (sample?.kind !== 'label') throw new Error('no label');
    let time = 1e7;
    const labels = (count: number, change: Partial<LabelRecord>) =>
      Array.from({ length: count }, (_, i): LearnEvent => ({
        ...sample,
        id: `${(time += 1)}-0`,
        label: { ...sample.label, conversation: `late ${i}`, score: threshold / 2, ...change },
      }));
    made.fold(labels(10, { served: true, rejected: 1 }));
    expect(made.learned(false).breakerOpen).toBe(true);
    made.fold(labels(100, { served: false, rejected: 0 }));
    expect(made.learned(false).breakerOpen).toBe(false);
  });
});

describe('a judge that rejects everything from some moment on', () => {
  // Invariant 23 (algorithms.md §4.7).
  it.each([0, 5, 25])('lets through no more wrong reuses than the budget and what is under way: %i', (inFlight) => {
    const made = learner();
    made.fold(stream(500));
    const [sample] = stream(1);
    if (sample?.kind !== 'label') throw new Error('no label');
    let wrong = 0;
    const late: LearnEvent[] = [];
    for (let request = 0; request < 2_000; request++) {
      const { threshold, breakerOpen } = made.learned(false);
      const served = !breakerOpen && threshold !== undefined;
      if (served) wrong += 1;
      const label: LabelRecord = {
        ...sample.label,
        conversation: `w${request}`,
        score: (threshold ?? 0) / 2,
        served,
        rejected: 1,
      };
      late.push({ id: `${1e7 + request}-0`, kind: 'label', label, late: false });
      if (late.length > inFlight) made.fold(late.splice(0, 1));
    }
    // The breaker needs ten judged hits: the least that any share can be proved by.
    expect(wrong).toBeLessThanOrEqual(10 + inFlight);
  });
});
