import { seedOf } from '@reprise/kernel';
import type { LabelledRows, RiskModel } from '../risk/risk-model.js';

export const FOLDS = 4;

/** Fold of a conversation, 0 … folds − 1: all its labels are in one. */
export const foldOf = (conversation: string, folds = FOLDS): number => seedOf(['fold', conversation]) % folds;

/**
 * Cross-fitted scores: each row is scored by a model that saw neither it nor its conversation.
 *
 * `fold`: fold of each row. A fold whose complement is empty is scored 1 (serve nothing).
 */
export function crossFit(
  data: LabelledRows,
  fold: readonly number[],
  fit: (data: LabelledRows) => RiskModel,
  folds = FOLDS,
): Float64Array {
  const scores = new Float64Array(data.count).fill(1);
  for (let out = 0; out < folds; out++) {
    const inside: number[] = [];
    const outside: number[] = [];
    fold.forEach((own, row) => (own === out ? inside : outside).push(row));
    if (inside.length === 0 || outside.length === 0) continue;
    const model = fit(pickRows(data, outside));
    const held = pickRows(data, inside);
    model.score(held.rows, held.count).forEach((score, i) => (scores[inside[i]!] = score));
  }
  return scores;
}

function pickRows(data: LabelledRows, chosen: readonly number[]): LabelledRows {
  const size = data.rows.length / data.count;
  const rows = new Float64Array(chosen.length * size);
  chosen.forEach((row, i) => rows.set(data.rows.subarray(row * size, (row + 1) * size), i * size));
  return {
    rows,
    count: chosen.length,
    rejected: Float64Array.from(chosen, (row) => data.rejected[row]!),
    ...(data.weights === undefined ? {} : { weights: Float64Array.from(chosen, (row) => data.weights![row]!) }),
  };
}
