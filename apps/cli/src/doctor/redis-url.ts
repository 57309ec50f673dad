import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppConfig } from '@reprise/config';
import type { Io } from '../io.js';
import { repoRoot } from '../repo-root.js';

const DEFAULT_URL = 'redis://127.0.0.1:6379';

/** The server that `npm start` runs on its own data folder, if it says so there. */
function embeddedUrl(io: Pick<Io, 'cwd'>): string | undefined {
  for (const root of new Set([io.cwd, repoRoot])) {
    const file = join(root, '.reprise', 'redis', 'running.json');
    if (!existsSync(file)) continue;
    try {
      const { url } = JSON.parse(readFileSync(file, 'utf8')) as { url?: unknown };
      if (typeof url === 'string') return url;
    } catch {
      // Half written by a server that is just starting: as if it were not there.
    }
  }
  return undefined;
}

/** Where Redis is: the configured servers, else the one that `npm start` started, which may have another port. */
export function redisUrlsOf(config: Pick<AppConfig, 'redis'>, io: Pick<Io, 'cwd'>): readonly string[] {
  const { cluster, url } = config.redis;
  if (cluster !== undefined) return cluster;
  return [url === DEFAULT_URL ? (embeddedUrl(io) ?? url) : url];
}

/** Host and port of an address; a password in it is never printed. */
export const placeOf = (url: string): string => new URL(url).host || '127.0.0.1:6379';
