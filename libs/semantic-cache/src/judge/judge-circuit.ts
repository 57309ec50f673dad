/** Failures in a row after which a judge is left alone for a while. */
const failuresToOpen = 5;
const firstPauseMs = 5_000;
const longestPauseMs = 300_000;

/**
 * Leaves a judge that is down alone. While it rests no reuse is judged at all: a judge that settles only the easy ones
 * would leave a sample that says too little of what is wrong.
 */
export class JudgeCircuit {
  private failures = 0;
  private pauseMs = firstPauseMs;
  private openUntilMs = 0;

  /** When the judge may be asked again, wall time; undefined: now. */
  restsUntil(nowMs: number): number | undefined {
    return nowMs < this.openUntilMs ? this.openUntilMs : undefined;
  }

  answered(): void {
    this.failures = 0;
    this.pauseMs = firstPauseMs;
  }

  failed(nowMs: number): void {
    // Calls that were under way when it opened say nothing new: sixteen of them are one outage, not twelve.
    if (nowMs < this.openUntilMs) return;
    this.failures += 1;
    if (this.failures < failuresToOpen) return;
    this.openUntilMs = nowMs + this.pauseMs;
    this.pauseMs = Math.min(2 * this.pauseMs, longestPauseMs);
    // One failure after the rest is enough for the next one.
    this.failures = failuresToOpen - 1;
  }
}
