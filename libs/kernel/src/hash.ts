import { createHash } from 'node:crypto';

/** First `chars` hex characters of the SHA-256 of the parts, each length-prefixed so that ['ab','c'] and ['a','bc'] differ. */
export function stableHash(parts: readonly string[], chars = 32): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex').slice(0, chars);
}
