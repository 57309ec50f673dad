/** Labelled pairs to learn from: `count` rows of features, row by row. */
export interface LabelledRows {
  readonly rows: Float64Array;
  readonly count: number;
  /** 1: the reuse was rejected; 0: it was accepted. */
  readonly rejected: Float64Array;
  /** Weight of each row; all 1 when absent. */
  readonly weights?: Float64Array;
}

/** A fitted model: the probability that a reuse would be rejected. */
export interface RiskModel {
  /** Numbers in a feature row. */
  readonly size: number;
  /** Scores of `count` rows, each in (0, 1), never rounded. */
  score(rows: Float64Array, count: number): Float64Array;
  /** Versioned text from which `deserialiseRiskModel` rebuilds a model with identical scores. */
  serialise(): string;
}

const FLATTEST = 20;

/** 1 / (1 + e^−x), with x kept within ±20 as the reference does. */
export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-Math.min(FLATTEST, Math.max(-FLATTEST, x))));
}
