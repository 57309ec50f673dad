import { KLR_FORMAT, type KlrRecord, restoreKlr } from './klr.js';
import { LR_FORMAT, type LogisticRecord, restoreLogistic } from './lr12.js';
import type { RiskModel } from './risk-model.js';

/**
 * The model that `serialise` wrote, with identical scores.
 *
 * Undefined when the text is of an unknown format (a later version); throws SyntaxError or RangeError when it is damaged.
 */
export function deserialiseRiskModel(text: string): RiskModel | undefined {
  const record = JSON.parse(text) as { readonly format?: unknown };
  if (record.format === KLR_FORMAT) return restoreKlr(record as unknown as KlrRecord);
  if (record.format === LR_FORMAT) return restoreLogistic(record as unknown as LogisticRecord);
  return undefined;
}
