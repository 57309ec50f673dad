import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LossTable, selectionLoss } from './loss-table.js';
import { reverseGreedy } from './reverse-greedy.js';

/** Values are multiples of 1/64, so that sums are exact and ties are real. */
const STEP = 64;

interface Dense {
  readonly weights: number[];
  readonly costs: number[];
  /** Undefined: chi = 0. */
  readonly losses: (number | undefined)[][];
}

function tableOf({ weights, costs, losses }: Dense, cap = Infinity): LossTable {
  const offsets = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (const row of losses) {
    const pairs = row.flatMap((loss, j) => (loss === undefined ? [] : [{ loss, j }]));
    pairs.sort((a, b) => a.loss - b.loss || a.j - b.j);
    for (const { loss, j } of pairs.slice(0, cap)) {
      columns.push(j);
      values.push(loss);
    }
    offsets.push(columns.length);
  }
  return {
    items: losses[0]?.length ?? 0,
    weights: Float64Array.from(weights),
    costs: Float64Array.from(costs),
    offsets: Int32Array.from(offsets),
    columns: Int32Array.from(columns),
    losses: Float64Array.from(values),
  };
}

const flags = (items: number, chosen: Iterable<number>): Uint8Array => {
  const kept = new Uint8Array(items);
  for (const item of chosen) kept[item] = 1;
  return kept;
};
const loss = (table: LossTable, chosen: Iterable<number>): number => selectionLoss(table, flags(table.items, chosen));

function naive(table: LossTable, size: number, pinned: ReadonlySet<number>): number[] {
  let kept = Array.from({ length: table.items }, (_, j) => j);
  while (kept.length > size) {
    const free = kept.filter((j) => !pinned.has(j));
    if (free.length === 0) break;
    const without = (j: number): number[] => kept.filter((other) => other !== j);
    const worst = free.reduce((a, b) => (loss(table, without(b)) < loss(table, without(a)) ? b : a));
    kept = without(worst);
  }
  return kept;
}

function* subsets(items: number, size: number, from = 0): Generator<number[]> {
  if (size === 0) yield [];
  for (let j = from; j < items && size > 0; j++) {
    for (const rest of subsets(items, size - 1, j + 1)) yield [j, ...rest];
  }
}

/** Il'ev's factor (e^G − 1)/G from the curvature s; infinite when an item is redundant. */
function ilevFactor(table: LossTable): number {
  const all = Array.from({ length: table.items }, (_, j) => j);
  const ratios = all.map((j) => {
    const last = loss(table, []) - loss(table, [j]);
    const first =
      loss(
        table,
        all.filter((other) => other !== j),
      ) - loss(table, all);
    return last === 0 ? 0 : 1 - first / last;
  });
  const curvature = Math.max(...ratios);
  const steepness = curvature / (1 - curvature);
  return steepness === 0 ? 1 : (Math.exp(steepness) - 1) / steepness;
}

const share = fc.integer({ min: 0, max: STEP }).map((value) => value / STEP);
const instance = fc.integer({ min: 1, max: 10 }).chain((items) =>
  fc.integer({ min: 1, max: 10 }).chain((rows) =>
    fc.record({
      weights: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: rows, maxLength: rows }),
      costs: fc.array(share, { minLength: rows, maxLength: rows }),
      losses: fc.array(fc.array(fc.option(share, { nil: undefined }), { minLength: items, maxLength: items }), {
        minLength: rows,
        maxLength: rows,
      }),
      size: fc.integer({ min: 0, max: 10 }),
      pinned: fc.uniqueArray(fc.integer({ min: 0, max: items - 1 }), { maxLength: 3 }),
    }),
  ),
);

describe('reverse greedy', () => {
  it('keeps the same items as the naive algorithm: ties, empty rows, pinned items, size ≥ items', () => {
    fc.assert(
      fc.property(instance, ({ size, pinned, ...dense }) => {
        const table = tableOf(dense);
        const { kept, loss: reported } = reverseGreedy(table, size, new Set(pinned));
        expect(kept).toEqual(naive(table, size, new Set(pinned)));
        expect(kept.length).toBe(Math.min(table.items, Math.max(size, pinned.length)));
        expect(reported).toBe(loss(table, kept));
      }),
      { numRuns: 400, seed: 5 },
    );
  });

  it("stays within Il'ev's bound of the best selection", () => {
    fc.assert(
      fc.property(instance, ({ size, ...dense }) => {
        const table = tableOf(dense);
        const factor = ilevFactor(table);
        if (!Number.isFinite(factor)) return;
        const best = Math.min(...[...subsets(table.items, Math.min(size, table.items))].map((m) => loss(table, m)));
        expect(reverseGreedy(table, size).loss).toBeLessThanOrEqual(factor * best + 1e-9);
      }),
      { numRuns: 200, seed: 6 },
    );
  });

  it('has a loss that is monotone and supermodular', () => {
    fc.assert(
      fc.property(instance, fc.infiniteStream(fc.integer({ min: 0, max: 2 })), (dense, draws) => {
        const table = tableOf(dense);
        const items = Array.from({ length: table.items }, (_, j) => j);
        const level = items.map(() => draws.next().value as number);
        const small = items.filter((j) => level[j] === 2);
        const large = items.filter((j) => level[j]! >= 1);
        for (const j of items.filter((item) => level[item] === 0)) {
          const gain = (base: number[]): number => loss(table, base) - loss(table, [...base, j]);
          expect(gain(small)).toBeGreaterThanOrEqual(gain(large));
          expect(gain(large)).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  it('over-estimates the loss when the lists are cut', () => {
    fc.assert(
      fc.property(instance, fc.integer({ min: 1, max: 4 }), ({ size, ...dense }, cap) => {
        const { kept, loss: reported } = reverseGreedy(tableOf(dense, cap), size);
        expect(loss(tableOf(dense), kept)).toBeLessThanOrEqual(reported);
      }),
      { numRuns: 200, seed: 8 },
    );
  });

  it('never serves a pair that is not compatible', () => {
    const table = tableOf({ weights: [1], costs: [0.5], losses: [[undefined, 0.75]] });
    expect(reverseGreedy(table, 2).loss).toBe(0.5);
  });
});
