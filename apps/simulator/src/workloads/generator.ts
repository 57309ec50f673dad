import { createRng, seedOf, type Rng } from '@reprise/kernel';
import type { ItemRequest } from '../runner/item-replay.js';
import { SimulatorError } from '../simulator-error.js';

export const generatorNames = ['zipf', 'drift', 'cycling'] as const;
export type GeneratorName = (typeof generatorNames)[number];

export interface GeneratorOptions {
  readonly workload: GeneratorName;
  readonly requests: number;
  /** Distinct items. */
  readonly items: number;
  /** Exponent of the popularity: item of rank r with probability ∝ 1 / r^exponent (zipf, drift). */
  readonly exponent: number;
  /** Requests after which the most popular item is replaced by a new one (drift). */
  readonly driftEvery: number;
  /** Ways in which each item is asked for; only the exact-match bound tells them apart. */
  readonly wordings: number;
  readonly seed: number;
}

export const defaultGenerator: Omit<GeneratorOptions, 'seed'> = {
  workload: 'zipf',
  requests: 100_000,
  items: 10_000,
  exponent: 0.9,
  driftEvery: 50,
  wordings: 3,
};

/**
 * A seeded stream of requests, one at a time, so that a million take no memory.
 *
 * zipf: independent draws by rank. drift: the same over a window that moves on by one item. cycling: all items in turn, again and again.
 * The worth of an item is 1 … 10 by a hash of its number, independent of its popularity.
 */
export function* generate(options: GeneratorOptions): Generator<ItemRequest> {
  const { workload, requests, items, wordings, seed } = options;
  if (![requests, items, wordings].every((value) => Number.isInteger(value) && value >= 1))
    throw new SimulatorError('requests, items and wordings must be whole numbers, at least 1.');
  const rng = createRng(seedOf(['generator', workload, String(seed)]));
  const next = itemDraw(options, rng);
  for (let step = 0; step < requests; step++) {
    const number = next(step);
    const weight = worthOf(number);
    yield {
      item: String(number),
      weight,
      claim: weight,
      real: true,
      wording: wordings === 1 ? 0 : Math.floor(rng.next() * wordings),
    };
  }
}

/** Total weight is spread over 1 … 10 by a multiplicative hash (Knuth): even, and the same for all seeds. */
const worthOf = (number: number): number => 1 + (((number * 2_654_435_761) >>> 0) / 2 ** 32) * 9;

function itemDraw({ workload, items, exponent, driftEvery }: GeneratorOptions, rng: Rng): (step: number) => number {
  if (workload === 'cycling') return (step) => step % items;
  const rank = zipfDraw(items, exponent, rng);
  if (workload === 'zipf') return rank;
  return (step) => Math.floor(step / driftEvery) + rank();
}

/** Ranks 0 … n − 1 by inversion of the cumulative distribution. */
function zipfDraw(n: number, exponent: number, rng: Rng): () => number {
  const cumulative = new Float64Array(n);
  let sum = 0;
  for (let rank = 0; rank < n; rank++) {
    sum += (rank + 1) ** -exponent;
    cumulative[rank] = sum;
  }
  return () => {
    const wanted = rng.next() * sum;
    let low = 0;
    let high = n - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cumulative[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
