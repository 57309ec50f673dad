import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { CellCounts } from './cell-counts.js';
import { distanceOf, EpsilonNet, type NetState } from './epsilon-net.js';

const EPSILON = 0.3;

function randomStates(count: number, seed: number): NetState[] {
  const rng = createRng(seed);
  return Array.from({ length: count }, () => ({
    key: `key ${Math.floor(rng.next() * 3)}`,
    point: Float64Array.from({ length: 3 }, () => rng.next()),
  }));
}

function build(states: readonly NetState[]) {
  const net = new EpsilonNet(EPSILON);
  const counts = new CellCounts(net);
  for (const state of states) counts.add(state);
  return { net, counts };
}

describe('ε-net', () => {
  it('keeps representatives of one key more than ε apart and every state within ε of one', () => {
    const states = randomStates(600, 1);
    const { net } = build(states);
    const all = Array.from({ length: net.size }, (_, i) => net.at(i)!);
    all.forEach((a, i) => {
      for (const b of all.slice(i + 1))
        if (a.key === b.key) expect(distanceOf(a.point, b.point)).toBeGreaterThan(EPSILON);
    });
    for (const state of states) expect(net.cellOf(state)?.distance).toBeLessThanOrEqual(EPSILON);
  });

  it('counts as a count from scratch does, and the weights sum to 1', () => {
    const states = randomStates(600, 2);
    const { net, counts } = build(states);
    const scratch = Array.from({ length: net.size }, () => 0);
    for (const state of states) {
      const { representative } = net.cellOf(state)!;
      scratch[representative] = scratch[representative]! + 1;
    }
    expect(counts.counts()).toEqual(scratch);
    expect(counts.weights().reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  it('moves a state to a later representative that is nearer', () => {
    const at = (x: number): NetState => ({ key: 'k', point: Float64Array.of(x) });
    const { counts } = build([at(0), at(0.29), at(0.5)]);
    expect(counts.counts()).toEqual([1, 2]);
  });

  it('never covers a state by a representative of another key', () => {
    const { net } = build([{ key: 'a', point: Float64Array.of(0) }]);
    expect(net.cellOf({ key: 'b', point: Float64Array.of(0) })).toBeUndefined();
  });

  it('refuses an ε that is not positive, and has no weights without turns', () => {
    expect(() => new EpsilonNet(0)).toThrow(RangeError);
    expect(new CellCounts(new EpsilonNet(1)).weights()).toHaveLength(0);
  });
});
