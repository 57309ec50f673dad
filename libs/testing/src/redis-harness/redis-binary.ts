import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
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

/** A redis-cli of this machine: TEST_REDIS_CLI, beside the server, on the PATH, or in what `npm start` fetched into `.cache`. */
export function findRedisCli(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const given = env['TEST_REDIS_CLI'];
  if (given !== undefined && given !== '') return given;
  const server = findRedisBinary(env);
  const cache = join(root, '.cache/redis');
  const folders = [
    ...(server === undefined ? [] : [dirname(server.path)]),
    ...(env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...(existsSync(cache) ? readdirSync(cache).map((folder) => join(cache, folder, 'bin')) : []),
  ];
  return folders.map((folder) => join(folder, 'redis-cli')).find((path) => existsSync(path));
}
