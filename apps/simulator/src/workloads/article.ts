import { createRng, seedOf } from '@reprise/kernel';
import type { ItemRequest } from '../runner/item-replay.js';

/** Ids that sort like numbers, because one row of the article breaks ties by item number. */
const itemId = (item: number): string => String(item).padStart(8, '0');

const steps = 18_000;

type Draw = () => number;

const plain = (item: number, weight: number): ItemRequest => ({
  item: itemId(item),
  weight,
  claim: weight,
  real: true,
});

/** Drifting working set of 40 out of 1,200 items, weight 1. */
export function locality(seed: number): ItemRequest[] {
  const next = drifting(drawer('locality', seed));
  return Array.from({ length: steps }, () => plain(next(), 1));
}

function drifting(draw: Draw): () => number {
  const set = Array.from({ length: 20 }, (_, i) => i);
  let fresh = 20;
  return () => {
    if (draw() < 0.8) return set[Math.floor(draw() * set.length)] as number;
    const item = fresh % 1200;
    fresh += 1;
    set.push(item);
    if (set.length > 40) set.shift();
    return item;
  };
}

/** 97 %: one of 1,000 items, weight 1; 3 %: one of 40, weight 60. */
export function rareCritical(seed: number): ItemRequest[] {
  const draw = drawer('rare-critical', seed);
  return Array.from({ length: steps }, () =>
    draw() < 0.97 ? plain(Math.floor(draw() * 1000), 1) : plain(1000 + Math.floor(draw() * 40), 60),
  );
}

/** Cycles of 30 real items (weight 10) and `width` junk items that never come back (weight 1). */
export function flood(width = 220): ItemRequest[] {
  const requests: ItemRequest[] = [];
  let junk = 2000;
  while (requests.length < steps) {
    for (let item = 0; item < 30; item++) requests.push(plain(item, 10));
    for (let i = 0; i < width; i++) requests.push(plain(junk++, 1));
  }
  return requests.slice(0, steps);
}

/** Locality with 10 % critical items of weight 20, and after each real request three unique junk items that claim `claim`. */
export function poisoned(seed: number, claim: number): ItemRequest[] {
  const draw = drawer('poisoned', seed);
  const next = drifting(draw);
  const requests: ItemRequest[] = [];
  let junk = 5000;
  while (requests.length < 4 * steps) {
    requests.push(draw() < 0.1 ? plain(2000 + Math.floor(draw() * 40), 20) : plain(next(), 1));
    for (let i = 0; i < 3; i++) requests.push({ item: itemId(junk++), weight: 0, claim, real: false });
  }
  return requests;
}

/** Total weight of each item over the stream, times exp(N(0, 0.5)): the article's oracle tag. */
export function oracleTags(requests: readonly ItemRequest[], seed: number): Map<string, number> {
  const draw = drawer('tags', seed);
  const totals = new Map<string, number>();
  for (const { item, weight } of requests) totals.set(item, (totals.get(item) ?? 0) + weight);
  for (const [item, total] of totals) {
    const normal = Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw());
    totals.set(item, total * Math.exp(0.5 * normal));
  }
  return totals;
}

function drawer(name: string, seed: number): Draw {
  const rng = createRng(seedOf(['two-tier article', name, String(seed)]));
  return () => rng.next();
}
