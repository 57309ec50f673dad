/** A judged candidate, as calibration sees it. */
export interface ScoredLabel {
  /** Score at decision time, or the cross-fitted one that replaced it. */
  readonly score: number;
  /** 1: rejected. */
  readonly rejected: 0 | 1;
  /** Probability with which it was labelled, 0..1. */
  readonly rate: number;
}

/** A label after a refit. */
export interface RescoredLabel extends ScoredLabel {
  /** Score that its rate was chosen by; undefined before the first model. */
  readonly drawnBy: number | undefined;
}
