import type { LabelledRows, RiskModel } from '../risk/risk-model.js';
import { Calibrator, type CalibratorOptions } from './calibrator.js';
import { crossFit, foldOf } from './cross-fit.js';
import { FIRST_FIT, nextFit } from './refit-schedule.js';
import { RowStore } from './row-store.js';

/** A judged candidate with its feature row. */
export interface JudgedCandidate {
  readonly row: Float64Array;
  /** Score at decision time; undefined before the first model. */
  readonly score: number | undefined;
  /** Probability with which it was labelled. */
  readonly rate: number;
  readonly rejected: 0 | 1;
}

/** Labelled rows of another namespace: they help to fit, they never calibrate. */
export interface WarmStart {
  readonly rows: Float64Array;
  readonly rejected: Float64Array;
  /** Weight beside a local label; .5 unless set. */
  readonly weight?: number;
}

export interface RiskLearnerOptions {
  /** Numbers in a row. */
  readonly size: number;
  readonly fit: (data: LabelledRows) => RiskModel;
  readonly calibration: CalibratorOptions;
  /** False: scores stay as they were logged at decision time (LR-12, whose features hold earlier labels). */
  readonly crossFitted?: boolean;
  readonly warmStart?: WarmStart;
}

const WARM_WEIGHT = 0.5;

/**
 * Learns from judged candidates, one ended conversation at a time (risk-model.md §4, §5): when to fit, cross-fitted
 * scores, threshold. A caller keeps `model` and `threshold` for the whole of a conversation.
 */
export class RiskLearner {
  private readonly rows: RowStore;
  private readonly rejected: (0 | 1)[] = [];
  private readonly rates: number[] = [];
  private readonly drawnBy: (number | undefined)[] = [];
  private readonly folds: number[] = [];
  private readonly calibrator: Calibrator;
  private next = FIRST_FIT;
  /** The first label that calibrates. */
  private since = 0;
  private current: RiskModel | undefined;

  constructor(private readonly options: RiskLearnerOptions) {
    this.rows = new RowStore(options.size);
    this.calibrator = new Calibrator(options.calibration);
    if (options.warmStart !== undefined) this.current = options.fit(withWarm(empty, options.warmStart));
  }

  get labels(): number {
    return this.rows.count;
  }

  /** Undefined before the first fit. */
  get model(): RiskModel | undefined {
    return this.current;
  }

  /** Undefined: serve nothing. */
  get threshold(): number | undefined {
    return this.calibrator.threshold;
  }

  /** Upper bound of the wrong share at or below the threshold, 0..1; undefined: no threshold. */
  get bound(): number | undefined {
    return this.calibrator.bound;
  }

  /** Alarms of the keep rule. */
  get alarms(): number {
    return this.calibrator.alarms;
  }

  /** The labels of one ended conversation, in the order of its turns; returns whether the model was fitted anew. */
  learn(conversation: string, judged: readonly JudgedCandidate[]): boolean {
    const fold = foldOf(conversation);
    for (const { row, rejected, rate, score } of judged) {
      this.rows.push(row);
      this.rejected.push(rejected);
      this.rates.push(rate);
      this.drawnBy.push(score);
      this.folds.push(fold);
    }
    this.calibrator.add(judged.flatMap(({ score, ...label }) => (score === undefined ? [] : [{ ...label, score }])));
    if (this.labels < this.next) return false;
    this.refit();
    return true;
  }

  /** Earlier labels go on to teach the model; the threshold is found by later ones alone. */
  recalibrate(): void {
    this.since = this.labels;
    this.calibrator.restart();
  }

  private refit(): void {
    const { fit, warmStart, crossFitted } = this.options;
    const data = { rows: this.rows.all(), count: this.labels, rejected: Float64Array.from(this.rejected) };
    const fitWarm = (own: LabelledRows): RiskModel => fit(warmStart === undefined ? own : withWarm(own, warmStart));
    this.current = fitWarm(data);
    if (crossFitted ?? true) {
      const scores = crossFit(data, this.folds, fitWarm);
      const labels = this.rejected.map((rejected, i) => ({
        score: scores[i]!,
        rejected,
        rate: this.rates[i]!,
        drawnBy: this.drawnBy[i],
      }));
      this.calibrator.refit(labels.slice(this.since));
    }
    this.next = nextFit(this.labels);
  }
}

const empty: LabelledRows = { rows: new Float64Array(0), count: 0, rejected: new Float64Array(0) };

function withWarm(own: LabelledRows, { rows, rejected, weight = WARM_WEIGHT }: WarmStart): LabelledRows {
  const count = own.count + rejected.length;
  const weights = new Float64Array(count).fill(1, 0, own.count).fill(weight, own.count);
  return { rows: join(own.rows, rows), count, rejected: join(own.rejected, rejected), weights };
}

function join(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
