import { cholesky, solveCholesky, type Matrix } from '../algebra/cholesky.js';
import { conjugateGradient } from '../algebra/conjugate-gradient.js';
import { timesVector, transposedTimesVector, weightedGram } from '../algebra/gram.js';
import { decodeFloats, encodeFloats } from './float64.codec.js';
import { drawRows } from './landmarks.js';
import { rbfKernel } from './rbf-kernel.js';
import { type LabelledRows, type RiskModel, sigmoid } from './risk-model.js';
import { fitScaler, type Scaler, standardise } from './standardise.js';

export interface KlrOptions {
  /** Landmarks at most. */
  readonly landmarks: number;
  readonly ridge: number;
  readonly newtonSteps: number;
  /** Seed of the landmark draw. */
  readonly seed: number;
}

/** The recipe of risk-model.md §4. */
export const KLR_DEFAULTS: KlrOptions = { landmarks: 512, ridge: 0.075, newtonSteps: 6, seed: 1 };

const CLIP = 4;
const JITTER = 1e-6;
const CONSTANT_RIDGE = 1e-4;
const LEAST_CURVATURE = 1e-3;
const SMALL_MOVE = 0.01;
/** A step need not be exact, for the next one corrects it. */
const SOLVER = { tolerance: 1e-3, most: 100 };
export const KLR_FORMAT = 'klr/1';

interface KlrState {
  readonly scaler: Scaler;
  readonly landmarks: Float64Array;
  /** One weight per landmark, then the constant. */
  readonly weights: Float64Array;
}

/**
 * Kernel logistic regression on Nyström features (risk-model.md §4).
 *
 * With φ(x) = k(x,Z)·U·Λ^−½ the ridge on φ's weights is αᵀKα for the weights α = U·Λ^−½·w on k(x,Z), so the whitening
 * need not be computed. The first Newton system (curvature ¼ everywhere) is solved with its Cholesky factor; later ones
 * by conjugate gradients with that factor as the preconditioner, which costs a tenth of a new factor.
 */
export function fitKlr(data: LabelledRows, options: KlrOptions = KLR_DEFAULTS): RiskModel {
  const { count } = data;
  const size = data.rows.length / count;
  const weights = data.weights ?? new Float64Array(count).fill(1);
  const scaler = fitScaler(data.rows, count, size, weights, CLIP);
  const scaled = standardise(data.rows, count, scaler);
  const chosen = drawRows(weights, options.landmarks, options.seed);
  const landmarks = new Float64Array(chosen.length * size);
  chosen.forEach((row, i) => landmarks.set(scaled.subarray(row * size, (row + 1) * size), i * size));
  const problem = createProblem(scaled, size, landmarks, data.rejected, weights, options.ridge);
  return createKlr({ scaler, landmarks, weights: minimise(problem, options.newtonSteps) });
}

interface Problem {
  readonly count: number;
  /** Landmarks and the constant. */
  readonly width: number;
  /** count × width; the last column is 1. */
  readonly design: Float64Array;
  /** width × width: ridge·K, and the ridge of the constant. */
  readonly penalty: Matrix;
  readonly rejected: Float64Array;
  readonly weights: Float64Array;
  readonly ridge: number;
}

function createProblem(
  scaled: Float64Array,
  size: number,
  landmarks: Float64Array,
  rejected: Float64Array,
  weights: Float64Array,
  ridge: number,
): Problem {
  const count = scaled.length / size;
  const m = landmarks.length / size;
  const width = m + 1;
  const bandwidth = Math.sqrt(size);
  const design = rbfKernel(scaled, count, size, landmarks, bandwidth, width);
  for (let r = 0; r < count; r++) design[r * width + m] = 1;
  const penalty = rbfKernel(landmarks, m, size, landmarks, bandwidth, width);
  const square = new Float64Array(width * width);
  square.set(penalty.map((value) => value * ridge));
  for (let i = 0; i < m; i++) square[i * width + i] = square[i * width + i]! + ridge * JITTER;
  square[width * width - 1] = CONSTANT_RIDGE;
  return { count, width, design, penalty: square, rejected, weights, ridge };
}

function minimise(problem: Problem, steps: number): Float64Array {
  const { count, width, design, penalty, rejected, weights } = problem;
  const solution = new Float64Array(width);
  const hessian = weightedGram(
    design,
    count,
    width,
    weights.map((weight) => weight / 4),
  ); // curvature at 0
  for (let i = 0; i < hessian.length; i++) hessian[i] = hessian[i]! + penalty[i]!;
  const factor = cholesky(hessian, width);
  const precondition = (vector: Float64Array): Float64Array => solveCholesky(factor, width, vector);
  for (let step = 0; step < steps; step++) {
    const chance = timesVector(design, count, width, solution).map(sigmoid);
    const gradient = transposedTimesVector(
      design,
      count,
      width,
      chance.map((p, r) => weights[r]! * (p - rejected[r]!)),
    );
    addTimes(gradient, penalty, solution);
    const curvature = chance.map((p, r) => weights[r]! * Math.max(p * (1 - p), LEAST_CURVATURE));
    const move =
      step === 0
        ? precondition(gradient)
        : conjugateGradient(
            (v) => hessianTimes(problem, curvature, v),
            precondition,
            gradient,
            SOLVER.tolerance,
            SOLVER.most,
          );
    for (let i = 0; i < width; i++) solution[i] = solution[i]! - move[i]!;
    if (lengthOf(move, problem) < SMALL_MOVE) break;
  }
  return solution;
}

/** Length of a move in the weights of the whitened features: an upper bound of how far any one of them moves. */
function lengthOf(move: Float64Array, { penalty, width, ridge }: Problem): number {
  const image = new Float64Array(width);
  addTimes(image, penalty, move);
  let sum = 0;
  for (let i = 0; i < width - 1; i++) sum += (image[i]! * move[i]!) / ridge;
  return Math.sqrt(Math.max(0, sum) + move[width - 1]! ** 2);
}

function hessianTimes(problem: Problem, curvature: Float64Array, vector: Float64Array): Float64Array {
  const { design, count, width, penalty } = problem;
  const product = timesVector(design, count, width, vector);
  for (let r = 0; r < count; r++) product[r] = product[r]! * curvature[r]!;
  const image = transposedTimesVector(design, count, width, product);
  addTimes(image, penalty, vector);
  return image;
}

function addTimes(to: Float64Array, matrix: Matrix, vector: Float64Array): void {
  const product = timesVector(matrix, vector.length, vector.length, vector);
  for (let i = 0; i < to.length; i++) to[i] = to[i]! + product[i]!;
}

function createKlr(state: KlrState): RiskModel {
  const { scaler, landmarks, weights } = state;
  const size = scaler.mean.length;
  const width = weights.length;
  return {
    size,
    score(rows, count) {
      const scaled = standardise(rows, count, scaler);
      const design = rbfKernel(scaled, count, size, landmarks, Math.sqrt(size), width);
      for (let r = 0; r < count; r++) design[r * width + width - 1] = 1;
      return timesVector(design, count, width, weights).map(sigmoid);
    },
    serialise: () =>
      JSON.stringify({
        format: KLR_FORMAT,
        size,
        landmarks: width - 1,
        clip: scaler.clip,
        mean: encodeFloats(scaler.mean),
        spread: encodeFloats(scaler.spread),
        points: encodeFloats(landmarks),
        weights: encodeFloats(weights),
      }),
  };
}

/** The fields that `serialise` wrote; numbers as base64. */
export interface KlrRecord {
  readonly size: number;
  readonly landmarks: number;
  readonly clip: number;
  readonly mean: string;
  readonly spread: string;
  readonly points: string;
  readonly weights: string;
}

/** Throws RangeError when a field has another length than it says. */
export function restoreKlr(record: KlrRecord): RiskModel {
  const { size, landmarks } = record;
  return createKlr({
    scaler: { mean: decodeFloats(record.mean, size), spread: decodeFloats(record.spread, size), clip: record.clip },
    landmarks: decodeFloats(record.points, landmarks * size),
    weights: decodeFloats(record.weights, landmarks + 1),
  });
}
