// numpy's `default_rng(seed)` (SeedSequence and PCG64), as far as the reference used it: the same conversation sets,
// the same random orders and the same label coins, without Python.
const MASK32 = 0xffffffffn;
const MASK64 = (1n << 64n) - 1n;
const MASK128 = (1n << 128n) - 1n;
const MULTIPLIER = (2549297995355413924n << 64n) + 4865540595714422341n;
const POOL = 4;

const hashMix = (constants) => (value) => {
  let mixed = (value ^ constants.hash) >>> 0;
  constants.hash = Math.imul(constants.hash, constants.multiplier) >>> 0;
  mixed = Math.imul(mixed, constants.hash) >>> 0;
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

const mix = (x, y) => {
  const mixed = (Math.imul(x, 0xca01f9dd) - Math.imul(y, 0x4973f715)) >>> 0;
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

/** Eight 32-bit words of numpy's SeedSequence for one 32-bit seed. */
function seedWords(seed) {
  const enter = hashMix({ hash: 0x43b0d7e5, multiplier: 0x931e8875 });
  const pool = Array.from({ length: POOL }, (_, i) => enter(i === 0 ? seed : 0));
  for (let from = 0; from < POOL; from += 1) {
    for (let to = 0; to < POOL; to += 1) {
      if (from !== to) pool[to] = mix(pool[to], enter(pool[from]));
    }
  }
  const leave = hashMix({ hash: 0x8b51f9dd, multiplier: 0x58f38ded });
  return Array.from({ length: 2 * POOL }, (_, i) => leave(pool[i % POOL]));
}

export function numpyRng(seed) {
  const words = seedWords(seed).map(BigInt);
  const wide = [0, 2, 4, 6].map((i) => words[i] | (words[i + 1] << 32n));
  const increment = ((((wide[2] << 64n) | wide[3]) << 1n) | 1n) & MASK128;
  let state = 0n;
  const step = () => (state = (state * MULTIPLIER + increment) & MASK128);
  step();
  state = (state + ((wide[0] << 64n) | wide[1])) & MASK128;
  step();

  const next64 = () => {
    step();
    const folded = (state >> 64n) ^ (state & MASK64);
    const turn = state >> 122n;
    return ((folded >> turn) | (folded << ((64n - turn) & 63n))) & MASK64;
  };
  let kept;
  const next32 = () => {
    if (kept !== undefined) {
      const high = kept;
      kept = undefined;
      return high;
    }
    const both = next64();
    kept = both >> 32n;
    return both & MASK32;
  };
  /** Uniform in 0 … top by rejection under the smallest mask. */
  const below = (top) => {
    const mask = 2 ** (32 - Math.clz32(top)) - 1;
    for (;;) {
      const value = (Number(next32()) & mask) >>> 0;
      if (value <= top) return value;
    }
  };
  return {
    random: () => Number(next64() >> 11n) / 9007199254740992,
    permutation(n) {
      const values = Array.from({ length: n }, (_, i) => i);
      for (let i = n - 1; i > 0; i -= 1) {
        const j = below(i);
        [values[i], values[j]] = [values[j], values[i]];
      }
      return values;
    },
  };
}
