import { Cluster, Redis, type RedisOptions } from 'ioredis';

export interface QueueAddress {
  /** `redis://[user:password@]host:port[/db]` or `rediss://…`. */
  readonly url: string;
  /** Start nodes of a Redis Cluster, as URLs; they replace `url`. */
  readonly cluster?: readonly string[];
}

export type QueueConnection = Redis | Cluster;

const reconnectDelayMs = (times: number): number => Math.min(50 * 2 ** Math.min(times, 6), 2_000);

/** `producer` fails at once when Redis is away; `worker` waits until it is back. */
const patience = {
  producer: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 1_000 },
  worker: { enableOfflineQueue: true, maxRetriesPerRequest: null },
} as const satisfies Record<string, RedisOptions>;

function credentials(url: string) {
  const { username, password, protocol } = new URL(url);
  return {
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  } satisfies RedisOptions;
}

/** A connection for BullMQ; it connects by itself, again and again, and its errors are never thrown. */
export function openQueueConnection(address: QueueAddress, role: keyof typeof patience): QueueConnection {
  const options = {
    ...patience[role],
    connectionName: `reprise-queues-${role}`,
    connectTimeout: 2_000,
    retryStrategy: reconnectDelayMs,
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  } satisfies RedisOptions;
  const [first] = address.cluster ?? [];
  const client =
    first === undefined
      ? new Redis(address.url, options)
      : new Cluster([...(address.cluster ?? [])], {
          enableOfflineQueue: patience[role].enableOfflineQueue,
          clusterRetryStrategy: reconnectDelayMs,
          redisOptions: { ...options, ...credentials(first) },
        });
  // Without a listener ioredis prints; what matters is seen by the commands that fail.
  client.on('error', () => undefined);
  return client;
}

export async function closeQueueConnection(client: QueueConnection): Promise<void> {
  if (client.status === 'ready') {
    const quit = client.quit().catch(() => undefined);
    await Promise.race([quit, new Promise((resolve) => setTimeout(resolve, 500).unref())]);
  }
  client.disconnect();
}
