/** A seeded source of uniform numbers in [0, 1); the core never draws from a global one. */
export interface Rng {
  next(): number;
}
