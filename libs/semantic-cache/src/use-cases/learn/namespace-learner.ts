import {
  type Axes,
  Breaker,
  deserialiseAxes,
  FEATURE_VERSION,
  FEATURES,
  FIRST_FIT,
  fitAxes,
  fitKlr,
  type JudgedCandidate,
  type LabelledRows,
  project,
  RiskLearner,
  type RiskModel,
  SequentialClose,
  serialiseAxes,
  serialiseKnowledge,
} from '@reprise/policy';
import type { LabelRecord, LearnEvent } from '../../ports/risk-store.port.js';

/** What a learner begins with. */
export interface LearnerStart {
  /** Largest accepted share of wrong reuses, 0..1. */
  readonly budget: number;
  /** Confidence with which it is held, 0..1. */
  readonly confidence: number;
  /** Axes that were fitted before, serialised; without them the first labels fit them. */
  readonly axes?: string;
}

/** What was learned up to an event. */
export interface Learned {
  /** The last event; '' at first. */
  readonly position: string;
  /** Labels that were learned from, those of conversations that go on not included. */
  readonly labels: number;
  /** Labels that cannot be learned from: of another list of features, or without the vectors that the axes need. */
  readonly unusable: number;
  readonly threshold?: number;
  readonly bound?: number;
  readonly breakerOpen: boolean;
  readonly coldStartClosed: boolean;
  /** Number of fits so far. */
  readonly fits: number;
  /** Serialised, when asked for and there is one. */
  readonly model?: string;
  readonly axes?: string;
}

/** Places of the axes in a row: the last ones. */
const PLACES = 24;
/** The budget above which a broken keep rule only counts alarms (risk-model.md §5). */
const keepRuleBudget = 0.05;
/** Without its end a conversation is over so long after its last label: the worker that should have closed it was away. */
const lostEndMs = 2 * 3_600_000;
const coldStartDelta = 0.05;

type Fit = (data: LabelledRows) => RiskModel;

/**
 * Learns from the stream of labels of one namespace; the same events give the same model and threshold, in whatever
 * portions they come. Served labels reach breaker and cold-start test at once; model and threshold learn of a
 * conversation when it has ended.
 */
export class NamespaceLearner {
  private readonly learner: RiskLearner;
  private readonly close: SequentialClose;
  private readonly breaker: Breaker;
  /** By conversation, the one whose last label is oldest first. */
  private readonly open = new Map<string, LabelRecord[]>();
  private readonly lastLabelMs = new Map<string, number>();
  /** Ended conversations, while no axes are known. */
  private waiting: { conversation: string; labels: readonly LabelRecord[] }[] = [];
  private axes: Axes | undefined;
  /** The last threshold before the breaker opened: what it would have served. */
  private lastThreshold = 0;
  private position = '';
  private unusable = 0;
  private fits = 0;

  constructor({ budget, confidence, axes }: LearnerStart, fit: Fit = fitKlr) {
    this.axes = axes === undefined ? undefined : deserialiseAxes(axes);
    const calibration = { budget, delta: 1 - confidence, keepRule: budget <= keepRuleBudget };
    this.learner = new RiskLearner({ size: FEATURES, fit, calibration });
    // The bold bet of the test must not lose more than its stake.
    this.close = new SequentialClose(Math.min(budget, 0.16), coldStartDelta);
    this.breaker = new Breaker({ budget });
  }

  fold(events: readonly LearnEvent[]): void {
    for (const event of events) {
      this.endLost(millisecondsOf(event.id));
      if (event.kind === 'end') this.end(event.conversation);
      else this.label(event.label, event.late, millisecondsOf(event.id));
      this.position = event.id;
    }
  }

  /** `serialised`: with model and axes. */
  learned(serialised: boolean): Learned {
    const { threshold, bound, model, labels } = this.learner;
    const known = serialised && model !== undefined && this.axes !== undefined;
    return {
      position: this.position,
      labels: labels + this.waiting.reduce((sum, group) => sum + group.labels.length, 0),
      unusable: this.unusable,
      ...(threshold === undefined ? {} : { threshold }),
      ...(bound === undefined ? {} : { bound }),
      breakerOpen: this.breaker.open,
      coldStartClosed: this.close.closed,
      fits: this.fits,
      ...(known ? this.knowledge(this.axes as Axes, model) : {}),
    };
  }

  private knowledge(axes: Axes, model: RiskModel): { model: string; axes: string } {
    return {
      model: serialiseKnowledge({ featureVersion: FEATURE_VERSION, axes, model }),
      axes: serialiseAxes(axes),
    };
  }

  private label(label: LabelRecord, late: boolean, atMs: number): void {
    if (label.featureVersion !== FEATURE_VERSION || label.row.length !== FEATURES) {
      this.unusable += 1;
      return;
    }
    this.guard(label);
    const labels = this.open.get(label.conversation) ?? [];
    labels.push(label);
    this.open.delete(label.conversation);
    this.open.set(label.conversation, labels);
    this.lastLabelMs.set(label.conversation, atMs);
    if (late) this.end(label.conversation);
  }

  /** What must act at once. */
  private guard({ rule, served, rejected, score }: LabelRecord): void {
    if (rule === 'cold-start') {
      if (served) this.close.add(rejected);
      return;
    }
    const was = this.breaker.open;
    const wouldServe = score !== undefined && score <= this.lastThreshold;
    if (!served && !(was && wouldServe)) return;
    // What was labelled while answers were changing would keep the gate shut for as long as it is in the window.
    if (!this.breaker.add(rejected) && was) this.learner.recalibrate();
  }

  private end(conversation: string): void {
    const labels = this.open.get(conversation);
    if (labels === undefined) return;
    this.open.delete(conversation);
    this.lastLabelMs.delete(conversation);
    const ordered = labels.every(({ turn }) => turn !== undefined)
      ? labels.toSorted((a, b) => (a.turn as number) - (b.turn as number))
      : labels;
    if (this.axes !== undefined) return this.learn(conversation, ordered, this.axes);
    const placed = ordered.filter(({ texts }) => texts !== undefined);
    this.unusable += ordered.length - placed.length;
    this.waiting.push({ conversation, labels: placed });
    if (this.waiting.reduce((sum, group) => sum + group.labels.length, 0) >= FIRST_FIT) this.place();
  }

  /** Fits the axes by the texts of the first labels, and learns from these. */
  private place(): void {
    const axes = fitAxes(
      this.waiting.flatMap(({ labels }) => labels.flatMap(({ texts }) => vectorsOf(texts))).filter(isText),
    );
    this.axes = axes;
    const { waiting } = this;
    this.waiting = [];
    for (const { conversation, labels } of waiting) this.learn(conversation, labels, axes);
  }

  private learn(conversation: string, labels: readonly LabelRecord[], axes: Axes): void {
    const judged = labels.map((label): JudgedCandidate => {
      const { rate, rejected, score } = label;
      return { row: rowOf(label, axes), score, rate, rejected };
    });
    const fitted = this.learner.learn(conversation, judged);
    if (!this.breaker.open) this.lastThreshold = this.learner.threshold ?? this.lastThreshold;
    if (!fitted) return;
    this.fits += 1;
    this.breaker.recalibrated();
  }

  private endLost(nowMs: number): void {
    for (const [conversation, lastMs] of this.lastLabelMs) {
      if (nowMs - lastMs < lostEndMs) return;
      this.end(conversation);
    }
  }
}

const millisecondsOf = (id: string): number => Number(id.split('-')[0]);

/** Message, previous reply and candidate reply. */
function vectorsOf(texts: Float32Array | undefined): Float32Array[] {
  if (texts === undefined) return [];
  const size = texts.length / 3;
  return [0, 1, 2].map((i) => texts.subarray(i * size, (i + 1) * size));
}

/** No text has the zero vector. */
const isText = (vector: Float32Array): boolean => vector.some((value) => value !== 0);

function rowOf({ row, texts }: LabelRecord, axes: Axes): Float64Array {
  if (texts === undefined) return row;
  const filled = row.slice();
  vectorsOf(texts).forEach((vector, i) => {
    filled.set(project(vector, axes), FEATURES - PLACES + i * axes.count);
  });
  return filled;
}
