import { createRng, seedOf } from '@reprise/kernel';

/** Labelling rates by score band, 0..1. */
export interface BandRates {
  readonly inside: number;
  readonly outside: number;
  readonly band: number;
}

export const BAND_RATES: BandRates = { inside: 1, outside: 0.1, band: 0.4 };

/** Uniform in (0, 1): depends on the secret and the request id only, so that no outcome can sway it. */
export function labelCoin(secret: string, requestId: string): number {
  return createRng(seedOf(['label', secret, requestId])).next();
}

/** Labelling rate of a candidate; before the first model (no score) every candidate is labelled. */
export function labelRate(score: number | undefined, rates: BandRates = BAND_RATES): number {
  if (score === undefined) return 1;
  return score <= rates.band ? rates.inside : rates.outside;
}

export interface EconomyOptions {
  readonly rates: BandRates;
  /** Labels up to which every rate is full. */
  readonly allowance: number;
}

export const ECONOMY_DEFAULTS: EconomyOptions = { rates: BAND_RATES, allowance: 1500 };

const CORE = { low: 0.3, high: 2.5 };
const OUTSIDE_CORE = 0.3;

/**
 * The rate under the label economy (risk-model.md §5): falls with √(allowance/labels), and within the band by .3 more
 * where the score is far from the threshold, for such labels cannot move it.
 */
export function economyRate(
  score: number | undefined,
  threshold: number | undefined,
  labels: number,
  options: EconomyOptions = ECONOMY_DEFAULTS,
): number {
  const full = labelRate(score, options.rates);
  if (score === undefined || labels <= options.allowance) return full;
  const slowed = full * Math.sqrt(options.allowance / labels);
  const far =
    threshold !== undefined &&
    score <= options.rates.band &&
    (score < CORE.low * threshold || score > CORE.high * threshold);
  return far ? slowed * OUTSIDE_CORE : slowed;
}

export interface WeightedLabel {
  readonly rejected: 0 | 1;
  readonly rate: number;
}

/** Inverse-probability estimate of the share of rejected reuses among `total`, and its standard error. */
export function inverseProbability(
  labels: readonly WeightedLabel[],
  total: number,
): { readonly share: number; readonly standardError: number } {
  let sum = 0;
  let variance = 0;
  for (const { rejected, rate } of labels) {
    sum += rejected / rate;
    variance += (rejected * (1 - rate)) / (rate * rate);
  }
  return { share: sum / total, standardError: Math.sqrt(variance) / total };
}
