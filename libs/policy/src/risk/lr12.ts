import { cholesky, solveCholesky } from '../algebra/cholesky.js';
import { timesVector, transposedTimesVector, weightedGram } from '../algebra/gram.js';
import { decodeFloats, encodeFloats } from './float64.codec.js';
import { type LabelledRows, type RiskModel, sigmoid } from './risk-model.js';
import { fitScaler, type Scaler, standardise } from './standardise.js';

const CLIP = 5;
const PENALTY = 1;
const CONSTANT_RIDGE = 1e-6;
const STEPS = 30;
const SMALL_MOVE = 1e-9;
const LEAST_CURVATURE = 1e-9;
export const LR_FORMAT = 'lr/1';

/** L2 logistic regression on standardised features (LR-12 of risk-model.md §4): the fallback, and the arm of comparison. */
export function fitLogistic(data: LabelledRows): RiskModel {
  const { count, rejected } = data;
  const size = data.rows.length / count;
  const weights = data.weights ?? new Float64Array(count).fill(1);
  const scaler = fitScaler(data.rows, count, size, weights, CLIP);
  const design = withConstant(standardise(data.rows, count, scaler), count, size);
  const width = size + 1;
  const solution = new Float64Array(width);
  for (let step = 0; step < STEPS; step++) {
    const chance = timesVector(design, count, width, solution).map(sigmoid);
    const error = chance.map((p, r) => weights[r]! * (p - rejected[r]!));
    const gradient = transposedTimesVector(design, count, width, error);
    const curvature = chance.map((p, r) => weights[r]! * Math.max(p * (1 - p), LEAST_CURVATURE));
    const hessian = weightedGram(design, count, width, curvature);
    for (let i = 0; i < width; i++) {
      const ridge = i < size ? PENALTY : CONSTANT_RIDGE;
      gradient[i] = gradient[i]! + ridge * solution[i]!;
      hessian[i * width + i] = hessian[i * width + i]! + ridge;
    }
    const move = solveCholesky(cholesky(hessian, width), width, gradient);
    let farthest = 0;
    for (let i = 0; i < width; i++) {
      solution[i] = solution[i]! - move[i]!;
      farthest = Math.max(farthest, Math.abs(move[i]!));
    }
    if (farthest < SMALL_MOVE) break;
  }
  return createLogistic(scaler, solution);
}

function withConstant(rows: Float64Array, count: number, size: number): Float64Array {
  const wide = new Float64Array(count * (size + 1)).fill(1);
  for (let r = 0; r < count; r++) wide.set(rows.subarray(r * size, (r + 1) * size), r * (size + 1));
  return wide;
}

function createLogistic(scaler: Scaler, weights: Float64Array): RiskModel {
  const size = scaler.mean.length;
  return {
    size,
    score: (rows, count) =>
      timesVector(withConstant(standardise(rows, count, scaler), count, size), count, size + 1, weights).map(sigmoid),
    serialise: () =>
      JSON.stringify({
        format: LR_FORMAT,
        size,
        clip: scaler.clip,
        mean: encodeFloats(scaler.mean),
        spread: encodeFloats(scaler.spread),
        weights: encodeFloats(weights),
      }),
  };
}

/** The fields that `serialise` wrote; numbers as base64. */
export interface LogisticRecord {
  readonly size: number;
  readonly clip: number;
  readonly mean: string;
  readonly spread: string;
  readonly weights: string;
}

/** Throws RangeError when a field has another length than it says. */
export function restoreLogistic(record: LogisticRecord): RiskModel {
  const { size } = record;
  return createLogistic(
    { mean: decodeFloats(record.mean, size), spread: decodeFloats(record.spread, size), clip: record.clip },
    decodeFloats(record.weights, size + 1),
  );
}
