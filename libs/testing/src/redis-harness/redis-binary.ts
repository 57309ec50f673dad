import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..');

export interface RedisBinary {
  readonly path: string;
  /** Modules to load (FT.*, JSON.*); may be empty. */
  readonly modules: readonly string[];
}

/** A redis-server ≥ 8 of this machine: TEST_REDIS_BIN, else what `npm start` fetched into `.cache`. */
export function findRedisBinary(env: NodeJS.ProcessEnv = process.env): RedisBinary | undefined {
  const modules = (env['TEST_REDIS_MODULES'] ?? '').split(':').filter((path) => path !== '');
  const given = env['TEST_REDIS_BIN'];
  if (given !== undefined && given !== '') return { path: given, modules };
  const cache = join(root, '.cache/redis');
  if (!existsSync(cache)) return undefined;
  const found = readdirSync(cache)
    .map((folder) => join(cache, folder, 'redis-server'))
    .find((path) => existsSync(path));
  return found === undefined ? undefined : { path: found, modules };
}
