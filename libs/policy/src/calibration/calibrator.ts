import { clopperPearsonUpper } from './intervals.js';
import { KeepRule } from './keep-rule.js';
import type { RescoredLabel, ScoredLabel } from './label.types.js';
import { PREFIX_DEFAULTS, prefixThreshold } from './prefix-test.js';

export interface CalibratorOptions {
  /** Largest accepted share of wrong reuses, 0..1. */
  readonly budget: number;
  readonly delta?: number;
  readonly leastPrefix?: number;
  readonly band?: number;
  /** Labels in the window. */
  readonly window?: number;
  /** New labels between two looks. */
  readonly every?: number;
  readonly keepRule?: boolean;
}

const DEFAULTS = { ...PREFIX_DEFAULTS, window: 6000, every: 50, keepRule: false };

/** The window of labels of one namespace and the threshold that they allow (risk-model.md §5). */
export class Calibrator {
  private labels: ScoredLabel[] = [];
  private unseen = 0;
  private calibrated: number | undefined;
  private readonly options: Required<CalibratorOptions>;
  private readonly keep: KeepRule;

  constructor(options: CalibratorOptions) {
    this.options = { ...DEFAULTS, ...options };
    this.keep = new KeepRule(options.budget);
  }

  /** Serve when score ≤ threshold; undefined: serve nothing. */
  get threshold(): number | undefined {
    if (this.calibrated === undefined || !this.options.keepRule) return this.calibrated;
    return this.calibrated * this.keep.factor;
  }

  /** Upper bound of the wrong share among the window's labels at or below the threshold, 0..1; undefined: no threshold. */
  get bound(): number | undefined {
    const threshold = this.threshold;
    if (threshold === undefined) return undefined;
    let [weight, square, rejected] = [0, 0, 0];
    for (const label of this.labels) {
      if (label.score > threshold) continue;
      weight += 1 / label.rate;
      square += 1 / label.rate ** 2;
      rejected += label.rejected / label.rate;
    }
    if (weight === 0) return 1;
    const trials = weight ** 2 / square;
    return clopperPearsonUpper((rejected / weight) * trials, trials, this.options.delta);
  }

  /** Alarms of the keep rule, whether or not it shrinks the threshold. */
  get alarms(): number {
    return this.keep.alarms;
  }

  /** Labels of one ended conversation, with their scores at decision time; those above the band are left out. */
  add(labels: readonly ScoredLabel[]): void {
    const inBand = labels.filter(({ score }) => score <= this.options.band);
    this.keep.add(inBand, this.threshold);
    this.labels.push(...inBand);
    this.unseen += inBand.length;
    if (this.unseen >= this.options.every) this.look();
  }

  /**
   * After a refit: cross-fitted scores of all earlier labels, oldest first, replace the stored ones. Those that were drawn at
   * the low rate of the scores above the band are never counted; rates within it may differ.
   */
  refit(labels: readonly RescoredLabel[]): void {
    const { band } = this.options;
    this.labels = labels.filter(({ score, drawnBy }) => score <= band && (drawnBy === undefined || drawnBy <= band));
    this.look();
  }

  /** What was labelled before says nothing of what comes: the threshold is found anew. */
  restart(): void {
    this.labels = [];
    this.look();
  }

  private look(): void {
    this.labels = this.labels.slice(-this.options.window);
    this.unseen = 0;
    this.calibrated = prefixThreshold(this.labels, this.options);
  }
}
