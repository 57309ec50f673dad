import { normalQuantile } from '../calibration/normal-quantile.js';

/** Observations, the two initial ones included, below which an entry is always explored. */
const LEAST = 6;
const STEPS = 100;
const TOLERANCE = 1e-4;
const LEAST_SLOPE = 1e-6;
const LEVELS = 50;
const EDGE = 1e-6;
/** Variance of the threshold where right and wrong are perfectly separated: [observations, variance], public code. */
const SEPARATED: readonly (readonly [number, number])[] = [
  [6, 0.0354],
  [10, 0.0194],
  [20, 0.0131],
  [30, 0.008],
  [40, 0.0052],
];

interface Curve {
  readonly slope: number;
  /** Similarity at which a reuse is as likely right as wrong, 0..1. */
  readonly threshold: number;
  readonly deviation: number;
}

/**
 * The verified decision of vCache for one cached entry (algorithms.md §2.9): a logistic curve of similarity against
 * right or wrong, fitted without penalty to what was observed of this entry alone.
 */
export class VcacheEntry {
  private readonly similarities = [0, 1];
  private readonly right: (0 | 1)[] = [0, 1];
  private curve: Curve | undefined;

  /** A judged reuse, made or not; similarity −1..1. */
  observe(similarity: number, right: 0 | 1): void {
    this.similarities.push(Math.round(similarity * 1000) / 1000);
    this.right.push(right);
    this.curve = undefined;
  }

  /** Probability with which the entry is served, 0..1; `delta`: error rate that is aimed at, 0..1. */
  exploitProbability(similarity: number, delta: number): number {
    if (this.right.length < LEAST) return 0;
    const { slope, threshold, deviation } = (this.curve ??= fitCurve(this.similarities, this.right));
    let sure = 0;
    for (let i = 0; i < LEVELS; i++) {
      const level = EDGE + ((1 - 2 * EDGE) * i) / (LEVELS - 1);
      const bound = clip(threshold + normalQuantile(1 - level) * deviation);
      sure = Math.max(sure, (1 - level) * sigmoid(slope * (similarity - bound)));
    }
    return sure >= 1 ? 1 : Math.min(1, delta / (1 - sure));
  }
}

const clip = (value: number): number => Math.min(1, Math.max(0, value));
const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

interface Fit {
  readonly base: number;
  readonly slope: number;
  /** Information matrix of (base, slope). */
  readonly information: readonly [number, number, number];
}

function fitCurve(similarities: readonly number[], right: readonly (0 | 1)[]): Curve {
  const { base, slope: fitted, information } = fitLogisticLine(similarities, right);
  const slope = Math.max(fitted, LEAST_SLOPE);
  const threshold = clip(-base / slope);
  if (separated(similarities, right))
    return { slope, threshold, deviation: Math.sqrt(separatedVariance(right.length)) };
  const [a, b, c] = information;
  const determinant = a * c - b * b;
  const [byBase, bySlope] = [-1 / slope, base / slope ** 2];
  const variance = (c * byBase ** 2 - 2 * b * byBase * bySlope + a * bySlope ** 2) / determinant;
  return { slope, threshold, deviation: Math.sqrt(Math.max(0, variance)) };
}

/** Newton steps with halving until no gradient is above the tolerance a row. */
function fitLogisticLine(x: readonly number[], y: readonly (0 | 1)[]): Fit {
  let [base, slope] = [0, 0];
  let at = derivatives(x, y, base, slope);
  for (let step = 0; step < STEPS; step++) {
    const [g0, g1] = at.gradient;
    if (Math.max(Math.abs(g0), Math.abs(g1)) <= TOLERANCE * x.length) break;
    const [a, b, c] = at.information;
    const determinant = Math.max(a * c - b * b, Number.MIN_VALUE);
    const move = [(c * g0 - b * g1) / determinant, (a * g1 - b * g0) / determinant] as const;
    let next = at;
    let scale = 1;
    for (; scale > 1e-6; scale /= 2) {
      next = derivatives(x, y, base + scale * move[0], slope + scale * move[1]);
      if (next.loss < at.loss) break;
    }
    if (!(next.loss < at.loss)) break;
    base += scale * move[0];
    slope += scale * move[1];
    at = next;
  }
  return { base, slope, information: at.information };
}

function derivatives(x: readonly number[], y: readonly (0 | 1)[], base: number, slope: number) {
  let loss = 0;
  const gradient: [number, number] = [0, 0];
  const information: [number, number, number] = [0, 0, 0];
  x.forEach((value, i) => {
    const z = base + slope * value;
    const p = sigmoid(z);
    const towards = y[i] === 1 ? -z : z;
    loss += Math.max(towards, 0) + Math.log1p(Math.exp(-Math.abs(towards)));
    gradient[0] += y[i]! - p;
    gradient[1] += (y[i]! - p) * value;
    const weight = p * (1 - p);
    information[0] += weight;
    information[1] += weight * value;
    information[2] += weight * value * value;
  });
  return { loss, gradient, information };
}

function separated(x: readonly number[], y: readonly (0 | 1)[]): boolean {
  const of = (wanted: 0 | 1) => x.filter((_, i) => y[i] === wanted);
  return Math.max(...of(0)) < Math.min(...of(1));
}

/** Log-linear between the published sizes. */
function separatedVariance(size: number): number {
  const at = SEPARATED.findIndex(([known]) => known >= size);
  if (at === 0) return SEPARATED[0]![1];
  if (at === -1) return SEPARATED.at(-1)![1];
  const [[below, low], [above, high]] = [SEPARATED[at - 1]!, SEPARATED[at]!];
  const share = (size - below) / (above - below);
  return Math.exp((1 - share) * Math.log(low) + share * Math.log(high));
}
