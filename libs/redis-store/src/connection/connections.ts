import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisStoreOptions } from './options.js';

export type Client = Redis | Cluster;

/** Which connection a call takes. */
export type Lane = 'exact' | 'vector';

const reconnectDelayMs = (times: number): number => Math.min(25 * 2 ** Math.min(times, 6), 1000);

function clientOptions(options: RedisStoreOptions, lane: string) {
  return {
    lazyConnect: true,
    connectionName: `reprise-${lane}`,
    connectTimeout: 2000,
    // Nothing waits in a queue on the request path: without a connection a call fails at once.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: reconnectDelayMs,
    // A demoted primary: find the new one.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
    enableAutoPipelining: lane === 'exact' && options.cluster === undefined,
    ...(options.sentinels
      ? {
          sentinels: [...options.sentinels],
          name: options.sentinelName ?? 'mymaster',
          sentinelRetryStrategy: reconnectDelayMs,
        }
      : {}),
  } satisfies RedisOptions;
}

function credentials(url: string) {
  const parsed = new URL(url);
  return {
    ...(parsed.username ? { username: decodeURIComponent(parsed.username) } : {}),
    ...(parsed.password ? { password: decodeURIComponent(parsed.password) } : {}),
    ...(parsed.protocol === 'rediss:' ? { tls: {} } : {}),
  } satisfies RedisOptions;
}

function openCluster(options: RedisStoreOptions, lane: string): Cluster {
  const {
    retryStrategy: _retry,
    enableOfflineQueue: _queue,
    lazyConnect: _lazy,
    ...redisOptions
  } = clientOptions(options, lane);
  return new Cluster([...(options.cluster ?? [])], {
    lazyConnect: true,
    enableOfflineQueue: false,
    clusterRetryStrategy: reconnectDelayMs,
    maxRedirections: 4,
    retryDelayOnTryAgain: 10,
    retryDelayOnClusterDown: 50,
    retryDelayOnFailover: 25,
    slotsRefreshTimeout: 1000,
    shardedSubscribers: lane === 'subscriber',
    redisOptions: { ...redisOptions, ...credentials(options.url) },
  });
}

/** Opens one connection (or one set of them, in a Cluster); it connects by itself again, with capped delays. */
export function openClient(options: RedisStoreOptions, lane: Lane | 'subscriber'): Client {
  if (options.cluster) return openCluster(options, lane);
  const own = clientOptions(options, lane);
  if (options.sentinels) return new Redis({ ...own, ...credentials(options.url) });
  return new Redis(options.url, own);
}

/** The servers that hold functions: the one server, or every primary. */
export function primaries(client: Client): Redis[] {
  return client instanceof Cluster ? client.nodes('master') : [client];
}
