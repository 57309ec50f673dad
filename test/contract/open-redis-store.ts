import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { openTestRedis } from '@reprise/testing';

/** A connected store on a real Redis; closing it closes the server too, when it is the test's own. */
export async function openRedisStore(form: 'fcall' | 'evalsha'): Promise<RedisStore> {
  const redis = await openTestRedis();
  // A slow machine must not open the breaker: what a time-out does has tests of its own.
  const store = createRedisStore({ url: redis.url, form, commandTimeoutMs: 5000 });
  if (!(await store.connect(10_000)))
    throw new Error(`No store on ${redis.url}: ${JSON.stringify(store.health().down)}`);
  return {
    ...store,
    close: async () => {
      await store.close();
      await redis.close();
    },
  };
}
