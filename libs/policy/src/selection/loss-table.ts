/**
 * Which item serves which row at which loss, as sparse rows: only pairs that can serve at all (chi = 1).
 *
 * Row i's pairs are at offsets[i] … offsets[i + 1] − 1 of `columns` and `losses`. A pair whose loss is not below the
 * row's cost can never be used, and may be left out. Losses and costs in [0, 1]; weights ≥ 0.
 */
export interface LossTable {
  readonly items: number;
  readonly weights: Float64Array;
  /** Cost of the fresh answer of each row. */
  readonly costs: Float64Array;
  readonly offsets: Int32Array;
  readonly columns: Int32Array;
  readonly losses: Float64Array;
}

/** F(M) = Σ wᵢ·min{cᵢ, min over kept j of Rᵢⱼ}; `kept`: 1 for each item that is in M. */
export function selectionLoss(table: LossTable, kept: Uint8Array): number {
  let sum = 0;
  for (let row = 0; row < table.weights.length; row++) {
    let least = table.costs[row]!;
    for (let at = table.offsets[row]!; at < table.offsets[row + 1]!; at++) {
      if (kept[table.columns[at]!] === 1 && table.losses[at]! < least) least = table.losses[at]!;
    }
    sum += table.weights[row]! * least;
  }
  return sum;
}
