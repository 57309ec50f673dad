import { stableHash } from './hash.js';

/** A seeded source of uniform numbers in [0, 1); the core never draws from a global one. */
export interface Rng {
  next(): number;
}

const modulus1 = 2147483563;
const modulus2 = 2147483399;
const warmUp = 8;

/**
 * L'Ecuyer's combined Lehmer generator (CACM 31(6), 1988): exact in IEEE doubles, so JavaScript and Lua 5.1 draw the same numbers.
 *
 * Every product stays below 2^53. `next()` is in (0, 1), never 0 or 1, with a step of 1 / 2147483563.
 * `seed` is an integer in 0 … 2^31 − 1; use a hash (`seedOf`), because neighbouring seeds give related streams.
 * The algorithm is specified for its Lua twin in docs/concepts/policies.md, "Random numbers".
 */
export function createRng(seed: number): Rng {
  if (!Number.isInteger(seed) || seed < 0 || seed > 2147483647) {
    throw new RangeError('The seed must be an integer in 0 … 2^31 − 1.');
  }
  let state1 = 1 + (seed % (modulus1 - 1));
  let state2 = 1 + ((seed * 69621 + 12345) % (modulus2 - 1));
  const next = (): number => {
    state1 = (40014 * state1) % modulus1;
    state2 = (40692 * state2) % modulus2;
    const difference = state1 - state2;
    return (difference < 1 ? difference + modulus1 - 1 : difference) / modulus1;
  };
  for (let i = 0; i < warmUp; i++) next();
  return { next };
}

/** A 31-bit seed from a tuple, e.g. (secret, namespace, request id): the same request always gets the same seed. */
export function seedOf(parts: readonly string[]): number {
  return parseInt(stableHash(parts, 8), 16) >>> 1;
}
