import { RepriseError } from '@reprise/kernel';

const nsPattern = /^[^{}\p{Cc}]{1,200}$/u;

/**
 * The base key of a namespace, the one key that every function declares; its hash tag puts all keys of the namespace
 * on one slot (redis/keys.md). Throws RP_ERR_BAD_REQUEST for a name that could leave its tag.
 */
export function baseKey(ns: string): string {
  if (!nsPattern.test(ns)) throw new RepriseError('RP_ERR_BAD_REQUEST', 'The namespace name is not valid.');
  return `rp:{${ns}}`;
}

/** Set of all namespaces that were ever written to. */
export const namespacesKey = 'rp:namespaces';
/** Set of hashes of revoked API keys. */
export const revokedKey = 'rp:revoked';
/** Prefix of cached embeddings: `rp:emb:<identity>:<text hash>`. */
export const embeddingKey = (identity: string, textHash: string): string => `rp:emb:${identity}:${textHash}`;
