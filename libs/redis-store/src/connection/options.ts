import type { Clock, Log, Telemetry } from '@reprise/kernel';

export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/** How to reach Redis (8 or newer, with vector sets): one server, Sentinel, or Cluster. */
export interface RedisStoreOptions {
  /** `redis://[user:password@]host:port[/db]` or `rediss://…`; with `cluster` or `sentinels` its credentials are used. */
  readonly url: string;
  readonly cluster?: readonly NodeAddress[];
  readonly sentinels?: readonly NodeAddress[];
  /** Name of the master that the sentinels watch. */
  readonly sentinelName?: string;
  /** Form of the Lua functions; default `fcall`. */
  readonly form?: 'fcall' | 'evalsha';
  /** After this long without an answer a call fails and the store counts as down; default 40. */
  readonly commandTimeoutMs?: number;
  /** Time-out of administrative calls (purge, check, sweep); default 5,000. */
  readonly adminTimeoutMs?: number;
  readonly log?: Log;
  readonly telemetry?: Telemetry;
  readonly clock?: Clock;
}
