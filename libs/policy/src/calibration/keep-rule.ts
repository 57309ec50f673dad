import type { ScoredLabel } from './label.types.js';

const BET = 2;
const ALARM = Math.log(10);
const SHRINK = 0.8;
const REGROWTH = 1.0005;

/**
 * The keep rule (risk-model.md §5): a running bet that served labels are wrong more often than the budget allows;
 * when it wins, the threshold shrinks by a fifth and grows back by .05 % per label.
 */
export class KeepRule {
  private evidence = 0;
  private kept = 1;
  private firings = 0;

  constructor(private readonly budget: number) {}

  /** Share of the calibrated threshold that is in force, (0, 1]. */
  get factor(): number {
    return this.kept;
  }

  /** How often the rule has fired: the alarm of budgets at which it does not shrink. */
  get alarms(): number {
    return this.firings;
  }

  /** New labels in the band, in order, and the threshold in force. */
  add(labels: readonly ScoredLabel[], threshold: number | undefined): void {
    for (const { score, rejected } of labels) {
      if (threshold !== undefined && score <= threshold) {
        this.evidence = Math.max(0, this.evidence + Math.log1p(BET * (rejected - this.budget)));
      }
    }
    if (this.evidence >= ALARM) {
      this.kept *= SHRINK;
      this.evidence = 0;
      this.firings += 1;
    } else if (this.kept < 1) {
      this.kept = Math.min(1, this.kept * REGROWTH ** labels.length);
    }
  }
}
