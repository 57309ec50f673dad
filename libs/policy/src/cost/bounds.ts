import type { Belief } from './online-krr.js';

/** Optimistic and pessimistic value, both in [0, 1] and low ≤ high. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

const unit = (value: number): number => Math.min(1, Math.max(0, value));

/** Bounds of a request's cost: known input cost plus the believed output cost ± multiplier · width. */
export function costBounds(inputCost: number, output: Belief, multiplier: number): Bounds {
  const middle = inputCost + output.mean;
  return { low: unit(middle - multiplier * output.width), high: unit(middle + multiplier * output.width) };
}

/**
 * Bounds of a reuse's loss: γ · (believed risk ± multiplier · width).
 *
 * A pair of different keys (chi = 0) loses 1 whatever was believed, so it can never be chosen over a fresh answer.
 */
export function reuseBounds(compatible: boolean, risk: Belief, multiplier: number, gamma = 1): Bounds {
  if (!compatible) return { low: 1, high: 1 };
  return {
    low: unit(gamma * (risk.mean - multiplier * risk.width)),
    high: unit(gamma * (risk.mean + multiplier * risk.width)),
  };
}

/** Fires when the information gained since the last switch reaches ln 2 (algorithms.md §2.7, rule c). */
export class InformationTrigger {
  private last = 0;

  /** The current log-determinant; returns whether to recompute, and if so starts anew from it. */
  due(logDeterminant: number): boolean {
    if (logDeterminant - this.last < Math.LN2) return false;
    this.last = logDeterminant;
    return true;
  }
}
