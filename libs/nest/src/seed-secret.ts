import { createHash } from 'node:crypto';
import type { AppConfig } from '@reprise/config';

/**
 * What seeds of eviction draws are made with: the same in all replicas and after a restart, so that a request that is
 * tried again draws the same victim wherever it arrives; not known to callers where the configuration has a secret.
 */
export function seedSecret({ redis, auth, upstream }: Pick<AppConfig, 'redis' | 'auth' | 'upstream'>): string {
  const parts = [redis.url, auth.adminTokenHash ?? '', upstream.apiKey ?? ''];
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}

/** 31 bits of hash(secret, ns, request id): a retry of the same request draws the same victim. */
export function seedOf(secret: string, ns: string, requestId: string): number {
  return createHash('sha256').update(`${secret}\0${ns}\0${requestId}`).digest().readUInt32BE(0) >>> 1;
}
