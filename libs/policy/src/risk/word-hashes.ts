/** A set of words: their 32-bit hashes, ascending, each once. */
export type WordHashes = Uint32Array;

const BASIS = 2166136261;
const PRIME = 16777619;

/** 32 bits of a word: FNV-1a over its UTF-16 units, then the finaliser of MurmurHash3. */
export function hashWord(word: string, basis = BASIS): number {
  let hash = basis;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function wordHashes(words: Iterable<string>): WordHashes {
  const hashes = new Set<number>();
  for (const word of words) hashes.add(hashWord(word));
  return Uint32Array.from(hashes).sort();
}

/** How many of the first set are in the second. */
export function sharedHashes(a: WordHashes, b: WordHashes): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const x = a[i]!;
    const y = b[j]!;
    if (x === y) shared += 1;
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  return shared;
}

/** Shared words by all words; 1 for two empty sets. */
export function jaccard(a: WordHashes, b: WordHashes): number {
  const shared = sharedHashes(a, b);
  const all = a.length + b.length - shared;
  return all === 0 ? 1 : shared / all;
}

export const equalHashes = (a: WordHashes, b: WordHashes): boolean =>
  a.length === b.length && a.every((hash, i) => hash === b[i]);
