import { type Belief, OnlineKrr } from '../cost/online-krr.js';
import { drawRows } from '../risk/landmarks.js';
import { fitScaler, type Scaler, standardise } from '../risk/standardise.js';

export interface PairRiskOptions {
  /** Numbers in a row. */
  readonly size: number;
  /** Landmarks at most. */
  readonly landmarks: number;
  /** λ. */
  readonly ridge: number;
  /** What is believed where nothing is known. */
  readonly centre: number;
  readonly seed: number;
}

const CLIP = 4;

/**
 * How likely a reuse is to be rejected (or what a request will cost), learned one label at a time: kernel ridge regression on Nyström features
 * of standardised rows (algorithms.md §2.6, §2.7). Scale and landmarks come from rows without labels and stay as they are.
 */
export class PairRisk {
  private readonly scaler: Scaler;
  private readonly model: OnlineKrr;

  /** `rows`: at least two, one after another. */
  constructor(rows: Float64Array, { size, landmarks, ridge, centre, seed }: PairRiskOptions) {
    const count = rows.length / size;
    const weights = new Float64Array(count).fill(1);
    this.scaler = fitScaler(rows, count, size, weights, CLIP);
    const scaled = standardise(rows, count, this.scaler);
    const chosen = drawRows(weights, landmarks, seed).map((row) => scaled.subarray(row * size, (row + 1) * size));
    const distinct = chosen.filter((row, i) => chosen.findIndex((other) => equal(row, other)) === i);
    const flat = new Float64Array(distinct.length * size);
    distinct.forEach((row, i) => flat.set(row, i * size));
    this.model = new OnlineKrr({ landmarks: flat, size, bandwidth: Math.sqrt(size), ridge, centre });
  }

  /** ln det(I + K/λ) of what was learned. */
  get logDeterminant(): number {
    return this.model.logDeterminant;
  }

  /** Where a row lies for the model; it stays, so that pairs that come back are placed once. */
  place(row: Float64Array): Float64Array {
    return this.model.features(standardise(row, 1, this.scaler));
  }

  believe(place: Float64Array): Belief {
    return this.model.believe(place);
  }

  /** The same for many places, faster. */
  believeAll(places: readonly Float64Array[]): Belief[] {
    return this.model.believeAll(places);
  }

  learn(place: Float64Array, value: number): void {
    this.model.learn(place, value);
  }
}

const equal = (a: Float64Array, b: Float64Array): boolean => a.every((value, i) => value === b[i]);
