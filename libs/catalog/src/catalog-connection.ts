import { err, type Log, ok, type Result, type Telemetry } from '@reprise/kernel';
import { createClient, createCluster } from 'redis';

export interface CatalogAddress {
  /** `redis://[user:password@]host:port[/db]` or `rediss://…`. */
  readonly url: string;
  /** Start nodes of a Redis Cluster, as URLs; they replace `url`. */
  readonly cluster?: readonly string[];
}

/** Why a call of the catalog has no answer; nothing else depends on the catalog. */
export type CatalogError = 'catalog-unavailable';

export type CatalogClient = ReturnType<typeof createClient> | ReturnType<typeof createCluster>;

export interface CatalogConnectionOptions extends CatalogAddress {
  readonly timeoutMs: number;
  readonly log: Log | undefined;
  readonly telemetry: Telemetry;
}

const reconnectDelayMs = (retries: number): number => Math.min(50 * 2 ** Math.min(retries, 6), 2_000);

function openClient({ url, cluster }: CatalogAddress): CatalogClient {
  const socket = { connectTimeout: 2_000, reconnectStrategy: reconnectDelayMs };
  if (cluster === undefined) return createClient({ url, socket, disableOfflineQueue: true, name: 'reprise-catalog' });
  const { username, password } = new URL(cluster[0] ?? url);
  return createCluster({
    rootNodes: cluster.map((node) => ({ url: node })),
    defaults: {
      socket,
      ...(username ? { username: decodeURIComponent(username) } : {}),
      ...(password ? { password: decodeURIComponent(password) } : {}),
    },
  });
}

/** The catalog's own connection (node-redis, which redis-om needs); opened by the first call, fails open. */
export class CatalogConnection {
  readonly client: CatalogClient;
  private opening: Promise<unknown> | undefined;
  private down = false;

  constructor(private readonly options: CatalogConnectionOptions) {
    this.client = openClient(options);
    this.client.on('error', () => undefined);
  }

  /** The answer of `work`, or `catalog-unavailable` when it fails or takes longer than the time-out. */
  async answer<T>(work: () => Promise<T>): Promise<Result<T, CatalogError>> {
    try {
      const value = await within(this.open().then(work), this.options.timeoutMs);
      if (this.down) this.options.log?.write('info', 'the catalog answers again');
      this.down = false;
      return ok(value);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!this.down) this.options.log?.write('warn', 'the catalog cannot be reached', { reason });
      this.down = true;
      this.options.telemetry.count('reprise_degraded_total', { mode: 'catalog-unavailable' });
      return err('catalog-unavailable');
    }
  }

  async close(): Promise<void> {
    if (this.opening === undefined) return;
    await this.client.disconnect().catch(() => undefined);
  }

  /** Resolves when commands can be sent; the client goes on trying by itself when this takes too long. */
  private async open(): Promise<unknown> {
    this.opening ??= this.client.connect().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }
}

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  work.catch(() => undefined);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
