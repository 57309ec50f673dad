import { Cluster, Redis, type RedisOptions } from 'ioredis';

export interface QueueAddress {
  /** `redis://[user:password@]host:port[/db]` or `rediss://…`. */
  readonly url: string;
  /** Start nodes of a Redis Cluster, as URLs; they replace `url`. */
  readonly cluster?: readonly string[];
  /** Sentinels, as URLs, which are asked where the primary is; of `url` only the credentials are used then. */
  readonly sentinels?: readonly string[];
  /** Name by which they watch the primary; default `mymaster`. */
  readonly sentinelName?: string;
}

/** Where the configured Redis is. */
export function queueAddress(redis: {
  readonly url: string;
  readonly cluster?: readonly string[];
  readonly sentinels?: readonly string[];
  readonly sentinelName: string;
}): QueueAddress {
  const { url, cluster, sentinels, sentinelName } = redis;
  return {
    url,
    ...(cluster === undefined ? {} : { cluster }),
    ...(sentinels === undefined ? {} : { sentinels, sentinelName }),
  };
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

function sentinelAddress(url: string) {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || 26379) };
}

function open(address: QueueAddress, role: keyof typeof patience): QueueConnection {
  const options = {
    ...patience[role],
    connectionName: `reprise-queues-${role}`,
    connectTimeout: 2_000,
    retryStrategy: reconnectDelayMs,
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  } satisfies RedisOptions;
  const { url, cluster, sentinels, sentinelName = 'mymaster' } = address;
  const [first] = cluster ?? [];
  if (first !== undefined)
    return new Cluster([...(cluster ?? [])], {
      enableOfflineQueue: patience[role].enableOfflineQueue,
      clusterRetryStrategy: reconnectDelayMs,
      redisOptions: { ...options, ...credentials(first) },
    });
  if (sentinels === undefined) return new Redis(url, options);
  return new Redis({
    ...options,
    ...credentials(url),
    sentinels: sentinels.map(sentinelAddress),
    name: sentinelName,
    sentinelRetryStrategy: reconnectDelayMs,
  });
}

/** A connection for BullMQ; it connects by itself, again and again, and its errors are never thrown. */
export function openQueueConnection(address: QueueAddress, role: keyof typeof patience): QueueConnection {
  const client = open(address, role);
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
