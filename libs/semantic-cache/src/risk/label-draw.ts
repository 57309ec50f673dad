import { BAND_RATES, ECONOMY_DEFAULTS, economyRate, labelCoin, type NamespacePolicy } from '@reprise/policy';
import type { LabelRule } from '../ports/risk-store.port.js';
import type { HeldSnapshot } from './risk-snapshots.js';

/** The coin of one request: drawn from its id before anything is known of its outcome. */
export interface LabelDraw {
  readonly coin: number;
  /** Whether any outcome could be drawn. */
  readonly possible: boolean;
}

export function drawLabel(secret: string, requestId: string, { labelRate }: NamespacePolicy): LabelDraw {
  const coin = labelCoin(secret, requestId);
  // With both rates at 0 the operator wants no labels; else reuses of the cold-start rule are always judged.
  return { coin, possible: labelRate.inside > 0 || labelRate.outside > 0 };
}

/** Probability with which the reuse, made or not, is judged; depends on what is known before the verdict only. */
export function rateOf(
  { labelRate }: NamespacePolicy,
  rule: LabelRule,
  score: number | undefined,
  snapshot: HeldSnapshot | undefined,
): number {
  if (rule === 'cold-start') return 1;
  if (rule === 'comparison') return labelRate.inside;
  if (score === undefined) return labelRate.inside;
  const { inside, outside } = labelRate;
  const options = { ...ECONOMY_DEFAULTS, rates: { inside, outside, band: BAND_RATES.band } };
  return economyRate(score, snapshot?.threshold, snapshot?.labels ?? 0, options);
}
