import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import type { LossTable } from '../selection/loss-table.js';
import { chooseContent, mostOften } from './content-rules.js';
import { PairRisk } from './pair-risk.js';
import { cheapestOption } from './reuse-options.js';

describe('the choice between a fresh answer and reuses', () => {
  it('takes the least loss; ties go to the fresh answer, then to the earlier option', () => {
    const options = [
      { id: 1, loss: 0.3 },
      { id: 2, loss: 0.2 },
      { id: 3, loss: 0.2 },
    ];
    expect(cheapestOption(0.5, options)?.id).toBe(2);
    expect(cheapestOption(0.2, options)).toBeUndefined();
    expect(cheapestOption(0.5, [])).toBeUndefined();
  });
});

describe('the content of a planned cache', () => {
  /** Row 0 is asked for most, row 1 costs most; item 2 does for rows 1 and 2. */
  const table: LossTable = {
    items: 3,
    weights: Float64Array.of(0.5, 0.3, 0.2),
    costs: Float64Array.of(0.1, 0.9, 0.8),
    offsets: Int32Array.of(0, 1, 3, 4),
    columns: Int32Array.of(0, 1, 2, 2),
    losses: Float64Array.of(0, 0, 0.1, 0),
  };

  it.each([
    ['reverse-greedy', [2]],
    ['most-requested', [0]],
    ['largest-cost', [1]],
  ] as const)('by %s is %j', (rule, kept) => {
    expect(chooseContent(rule, table, 1)).toEqual(kept);
    expect(chooseContent(rule, table, 3)).toEqual([0, 1, 2]);
  });

  it('of the nearest-neighbour caches is what is nearest most often', () => {
    expect(mostOften([4, 7, 7, 9, 4, 1], 2)).toEqual([4, 7]);
  });
});

describe('the risk of pairs', () => {
  it('is the centre without labels, approaches what was seen, and is surer of it', () => {
    const rng = createRng(3);
    const rows = Array.from({ length: 300 }, () => Float64Array.from({ length: 4 }, () => rng.next()));
    const truth = (row: Float64Array): number => (row[0]! > 0.5 ? 1 : 0);
    const risk = new PairRisk(Float64Array.from(rows.flatMap((row) => [...row])), {
      ...{ size: 4, landmarks: 40, ridge: 1, centre: 0.5, seed: 1 },
    });
    const places = rows.map((row) => risk.place(row));
    const before = risk.believe(places[0]!);
    expect(before.mean).toBe(0.5);
    places.slice(50).forEach((place, i) => risk.learn(place, truth(rows[i + 50]!)));
    const after = places.slice(0, 50).map((place) => risk.believe(place));
    const right = after.filter(({ mean }, i) => mean > 0.5 === (truth(rows[i]!) === 1)).length;
    expect(right).toBeGreaterThan(42);
    expect(after[0]!.width).toBeLessThan(before.width);
    expect(risk.logDeterminant).toBeGreaterThan(0);
  });

  it('takes equal rows, of which one landmark is enough', () => {
    const risk = new PairRisk(new Float64Array(12).fill(2), { size: 4, landmarks: 3, ridge: 1, centre: 0.5, seed: 1 });
    const place = risk.place(new Float64Array(4).fill(2));
    for (let n = 0; n < 50; n++) risk.learn(place, 0);
    expect(risk.believe(place).mean).toBeLessThan(0.05);
  });
});
