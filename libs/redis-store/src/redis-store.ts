import { silentTelemetry } from '@reprise/kernel';
import type { EntryStore } from '@reprise/semantic-cache';
import { type Client, type Lane, openClient, primaries } from './connection/connections.js';
import { withDeadline } from './connection/deadline.js';
import type { RedisStoreOptions } from './connection/options.js';
import { StoreHealth } from './connection/store-health.js';
import { loadLibraries } from './scripts/load-libraries.js';
import { ScriptRunner } from './scripts/script-runner.js';
import { RedisEntryStore } from './stores/entry-store.adapter.js';

export interface RedisStore {
  readonly entries: EntryStore;
  /** Connects and loads the functions; false when Redis cannot be reached yet (the store goes on trying by itself). */
  connect(waitMs?: number): Promise<boolean>;
  /** Loads the function libraries where they are missing. */
  ensureLoaded(): Promise<void>;
  health(): { readonly up: boolean; readonly reason?: string };
  close(): Promise<void>;
}

const probeTimeoutMs = 500;

/** Every store port on Redis 8; opens connections lazily and never throws from here. */
export function createRedisStore(options: RedisStoreOptions): RedisStore {
  const nowMs = (): number => options.clock?.nowMs() ?? Date.now();
  const clients: Record<Lane, Client> = { exact: openClient(options, 'exact'), vector: openClient(options, 'vector') };
  for (const client of Object.values(clients)) client.on('error', () => undefined);

  const load = async (): Promise<void> => loadLibraries(primaries(clients.exact));
  const probe = async (): Promise<void> => {
    await Promise.all(
      Object.values(clients).map(async (client) => {
        if (client.status === 'wait') await withDeadline(client.connect(), probeTimeoutMs);
        await withDeadline(client.ping(), probeTimeoutMs);
      }),
    );
    if (options.form !== 'evalsha') await withDeadline(load(), 4 * probeTimeoutMs);
  };
  const health = new StoreHealth('redis', probe, nowMs, options.log, options.telemetry ?? silentTelemetry);
  const runner = new ScriptRunner({
    form: options.form ?? 'fcall',
    client: (lane) => clients[lane],
    healthOf: () => health,
    load,
    timeoutMs: options.commandTimeoutMs ?? 40,
  });

  return {
    entries: new RedisEntryStore(runner),
    ensureLoaded: load,
    async connect(waitMs = 2000) {
      const untilMs = Date.now() + waitMs;
      health.markDown('not connected yet');
      while (!(await health.check())) {
        if (Date.now() >= untilMs) return false;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return true;
    },
    health() {
      return health.reason === undefined ? { up: true } : { up: false, reason: health.reason };
    },
    async close() {
      health.close();
      await Promise.all(
        Object.values(clients).map(async (client) => {
          if (client.status === 'ready') await withDeadline(client.quit(), 1000).catch(() => undefined);
          client.disconnect();
        }),
      );
    },
  };
}
