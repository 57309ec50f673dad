import type { Redis } from 'ioredis';

/** What a server can do, detected once. */
export interface StoreCapabilities {
  readonly redisVersion: string;
  readonly vectorSets: boolean;
  /** FT.* commands (Query Engine). */
  readonly search: boolean;
  readonly json: boolean;
  /** `noeviction` is the only right setting: a cache that loses single keys behind our back breaks its indexes. */
  readonly maxmemoryPolicy: string;
}

export async function detectCapabilities(server: Redis): Promise<StoreCapabilities> {
  const info = await server.info();
  const field = (name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
  const known = (await server.call('COMMAND', 'INFO', 'VSIM', 'FT.SEARCH', 'JSON.GET')) as unknown[];
  const [vectorSets = false, search = false, json = false] = known.map((row) => Array.isArray(row) && row.length > 0);
  return {
    redisVersion: field('redis_version'),
    vectorSets,
    search,
    json,
    maxmemoryPolicy: field('maxmemory_policy'),
  };
}
