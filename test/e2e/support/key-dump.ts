import { Redis } from 'ioredis';

/** A plain connection to look at what the product has written. */
export async function openPlain(url = process.env['TEST_REDIS_URL']): Promise<Redis> {
  if (url === undefined) throw new Error('TEST_REDIS_URL names no Redis; run the tests by `npm test`');
  const client = new Redis(url, { lazyConnect: true });
  await client.connect();
  return client;
}

async function keysWith(client: Redis, pattern: string): Promise<string[]> {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const [next, keys] = await client.scan(cursor, 'MATCH', pattern, 'COUNT', 1000);
    for (const key of keys) found.add(key);
    cursor = next;
  } while (cursor !== '0');
  return [...found].sort();
}

/** All keys of a namespace. */
export const keysOf = (client: Redis, ns: string): Promise<string[]> =>
  keysWith(client, `rp:{${ns.replace(/[*?[\]\\]/g, '\\$&')}}*`);

/** Everything that one key holds, as text. */
async function contentOf(client: Redis, key: string): Promise<string> {
  const type = await client.type(key);
  const read: Readonly<Record<string, () => Promise<unknown>>> = {
    string: () => client.get(key),
    hash: () => client.hgetall(key),
    list: () => client.lrange(key, 0, -1),
    set: () => client.smembers(key),
    zset: () => client.zrange(key, 0, '-1'),
    stream: () => client.xrange(key, '-', '+'),
    vectorset: () => client.call('VRANDMEMBER', key, 100_000),
    none: () => Promise.resolve(null),
  };
  const reader = read[type];
  if (reader === undefined) throw new Error(`${key} is of type ${type}, which this test cannot read`);
  return JSON.stringify(await reader());
}

/** Keys of a namespace whose name or content holds one of `needles`, as `key: needle`. */
export async function tracesOf(client: Redis, ns: string, needles: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const key of await keysOf(client, ns)) {
    const text = `${key} ${await contentOf(client, key)}`.toLowerCase();
    found.push(...needles.filter((needle) => text.includes(needle.toLowerCase())).map((needle) => `${key}: ${needle}`));
  }
  return found;
}
