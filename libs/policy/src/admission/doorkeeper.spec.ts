import { describe, expect, it } from 'vitest';
import { Doorkeeper } from './doorkeeper.js';

describe('Doorkeeper', () => {
  it('knows a representative from its second sighting on', () => {
    const door = new Doorkeeper(64);
    expect([1, 2, 3].map(() => door.sight('a', 0))).toEqual([false, true, true]);
    expect(door.sight('b', 0)).toBe(false);
  });

  it('does not let one source corroborate itself', () => {
    const door = new Doorkeeper(64);
    expect(door.sight('a', 7)).toBe(false);
    expect(door.sight('a', 7)).toBe(false);
    expect(door.sight('a', 8)).toBe(true);
    expect(door.sight('a', 0)).toBe(true);
  });

  it('remembers about as many as it has cells and forgets the rest', () => {
    const door = new Doorkeeper(1600);
    for (let i = 0; i < 10_000; i++) door.sight(`junk ${i}`, 0);
    const known = (from: number, to: number) => {
      let count = 0;
      for (let i = from; i < to; i++) if (door.sight(`junk ${i}`, 0)) count += 1;
      return count;
    };
    expect(known(9_600, 10_000)).toBeGreaterThan(395);
    expect(known(0, 2_000)).toBe(0);
  });

  it('gives a flood of unique names no sighting', () => {
    const door = new Doorkeeper(16 * 150);
    let known = 0;
    for (let i = 0; i < 100_000; i++) if (door.sight(`unique ${i}`, 0)) known += 1;
    expect(known).toBe(0);
  });
});
