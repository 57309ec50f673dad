import { Redis } from 'ioredis';

let prefixes = 0;

/** A prefix of its own, so that tests on one server do not meet. */
export const ownPrefix = (name: string): string =>
  `t-${name}-${process.pid}-${Date.now().toString(36)}-${prefixes++}`.slice(0, 32);

/** The server that `npm test` prepared. */
export function sharedRedisUrl(): string {
  const url = process.env['TEST_REDIS_URL'];
  if (url === undefined) throw new Error('TEST_REDIS_URL names no Redis; run the tests by `npm test`');
  return url;
}

/** A plain connection to look at keys. */
export async function openPlain(url: string): Promise<Redis> {
  const client = new Redis(url, { lazyConnect: true });
  await client.connect();
  return client;
}

export async function keysOf(client: Redis, pattern: string): Promise<string[]> {
  const found: string[] = [];
  let cursor = '0';
  do {
    const [next, keys] = await client.scan(cursor, 'MATCH', pattern, 'COUNT', 1000);
    found.push(...keys);
    cursor = next;
  } while (cursor !== '0');
  return found;
}

/** Removes everything whose key matches. */
export async function removeKeys(client: Redis, pattern: string): Promise<void> {
  const keys = await keysOf(client, pattern);
  if (keys.length > 0) await client.unlink(...keys);
}
