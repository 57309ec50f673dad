import { createRng, seedOf } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { drawBeta, drawGamma, onScoreGrid } from './beta.js';

const draws = 100_000;

function moments(draw: () => number) {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < draws; i++) {
    const x = draw();
    sum += x;
    squares += x * x;
  }
  const mean = sum / draws;
  return { mean, variance: squares / draws - mean * mean };
}

describe('drawBeta', () => {
  it.each([
    [1, 1],
    [2, 1],
    [5, 1.35],
    [60, 14.2],
    [1, 30],
    [0.5, 0.5],
  ])('has the mean and variance of Beta(%d, %d)', (a, b) => {
    const rng = createRng(seedOf(['beta', String(a), String(b)]));
    const { mean, variance } = moments(() => drawBeta(a, b, rng));
    expect(Math.abs(mean - a / (a + b))).toBeLessThan(0.003);
    const expected = (a * b) / ((a + b) ** 2 * (a + b + 1));
    expect(Math.abs(variance / expected - 1)).toBeLessThan(0.03);
  });

  it('gives the draws that the Lua twin is checked against', () => {
    const first = (a: number, b: number, seed: number) => {
      const rng = createRng(seed);
      return [1, 2, 3].map(() => Number(drawBeta(a, b, rng).toFixed(12)));
    };
    expect(first(1, 1, 42)).toEqual([0.400158134761, 0.843552061683, 0.885207437092]);
    expect(first(60, 14.2, 42)).toEqual([0.806737263103, 0.76977194431, 0.860947137916]);
  });
});

describe('drawGamma', () => {
  it.each([0, -1, Number.NaN, Infinity])('refuses the shape %s', (shape) => {
    expect(() => drawGamma(shape, createRng(1))).toThrow(RangeError);
  });
});

describe('onScoreGrid', () => {
  it('makes scores equal that differ in the last bit, and tells 1e-8 apart', () => {
    expect(onScoreGrid(0.1 + 0.2)).toBe(onScoreGrid(0.3));
    expect(onScoreGrid(0.3)).toBeLessThan(onScoreGrid(0.30000001));
  });
});
