import { err, type Log, ok, type Result, type Telemetry } from '@reprise/kernel';
import type { Repository, Schema } from 'redis-om';
import type { CatalogClient } from './catalog-client.js';
import { type RecordKind, recordKinds, schemaOf } from './schemas.js';
import { SearchIndex } from './search-index.js';

export interface CatalogAddress {
  /** `redis://[user:password@]host:port[/db]` or `rediss://…`. */
  readonly url: string;
  /** Start nodes of a Redis Cluster, as URLs; they replace `url`. */
  readonly cluster?: readonly string[];
  /** Sentinels, as URLs, which are asked where the primary is; of `url` only the credentials are used then. */
  readonly sentinels?: readonly string[];
  /** Name by which they watch the primary; default `mymaster`. */
  readonly sentinelName?: string;
}

/** Why a call of the catalog has no answer; nothing else depends on the catalog. */
export type CatalogError = 'catalog-unavailable';

export interface CatalogConnectionOptions extends CatalogAddress {
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly log: Log | undefined;
  readonly telemetry: Telemetry;
}

/** One kind of records: its redis-om repository, and the sorted set of its names. */
export interface Shelf {
  readonly repository: Repository;
  readonly schema: Schema;
  readonly names: string;
}

/** What a call works with when Redis is there. */
export interface OpenCatalog {
  readonly client: CatalogClient;
  readonly shelves: Readonly<Record<RecordKind, Shelf>>;
  readonly index: SearchIndex;
}

const reconnectDelayMs = (retries: number): number => Math.min(50 * 2 ** Math.min(retries, 6), 2_000);

/** What the first sentinel that answers says, as a URL with the credentials of `url`. */
async function primaryUrl({ url, sentinels = [], sentinelName = 'mymaster' }: CatalogAddress): Promise<string> {
  const { createClient } = await import('redis');
  for (const sentinel of sentinels) {
    const at = new URL(sentinel);
    if (at.port === '') at.port = '26379';
    const asked = createClient({ url: at.href, socket: { connectTimeout: 1_000, reconnectStrategy: false } });
    asked.on('error', () => undefined);
    try {
      await asked.connect();
      const found = await asked.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', sentinelName]);
      if (!Array.isArray(found)) continue;
      const primary = new URL(url);
      [primary.hostname = '', primary.port = ''] = found.map(String);
      return primary.href;
    } catch {
      // The next one may know.
    } finally {
      if (asked.isOpen) await asked.disconnect().catch(() => undefined);
    }
  }
  throw new Error('no sentinel knows the primary');
}

async function openClient(address: CatalogAddress): Promise<CatalogClient> {
  const { cluster } = address;
  const url = address.sentinels === undefined ? address.url : await primaryUrl(address);
  const { createClient, createCluster } = await import('redis');
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

/**
 * The catalog's own connection (node-redis, which redis-om needs). The first call loads both libraries and connects:
 * they take 25 MB, which a process that never asks the catalog does not spend. Fails open.
 */
export class CatalogConnection {
  private made: Promise<OpenCatalog> | undefined;
  private connecting: Promise<unknown> | undefined;
  private client: CatalogClient | undefined;
  private down = false;
  private closed = false;

  constructor(private readonly options: CatalogConnectionOptions) {}

  /** The answer of `work`, or `catalog-unavailable` when it fails or takes longer than the time-out. */
  async answer<T>(work: (catalog: OpenCatalog) => Promise<T>): Promise<Result<T, CatalogError>> {
    try {
      const value = await within(this.open().then(work), this.options.timeoutMs);
      if (this.down) this.options.log?.write('info', 'the catalog answers again');
      this.down = false;
      return ok(value);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!this.down) this.options.log?.write('warn', 'the catalog cannot be reached', { reason });
      this.down = true;
      this.askSentinelsAnew();
      this.options.telemetry.count('reprise_degraded_total', { mode: 'catalog-unavailable' });
      return err('catalog-unavailable');
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.client?.disconnect().catch(() => undefined);
  }

  /** After a failure the primary may be another one. */
  private askSentinelsAnew(): void {
    if (this.options.sentinels === undefined) return;
    void this.client?.disconnect().catch(() => undefined);
    this.client = undefined;
    this.made = undefined;
    this.connecting = undefined;
  }

  /** Resolves when commands can be sent; the client goes on trying by itself when this takes too long. */
  private async open(): Promise<OpenCatalog> {
    if (this.closed) throw new Error('the catalog is closed');
    this.made ??= this.make();
    const catalog = await this.made;
    this.connecting ??= catalog.client.connect().catch((error: unknown) => {
      this.connecting = undefined;
      throw error;
    });
    await this.connecting;
    return catalog;
  }

  private async make(): Promise<OpenCatalog> {
    const { Repository, Schema } = await import('redis-om');
    const { prefix, log } = this.options;
    const client = await openClient(this.options);
    client.on('error', () => undefined);
    this.client = client;
    const shelf = (kind: RecordKind): Shelf => {
      const schema = schemaOf(Schema, prefix, kind);
      return { schema, repository: new Repository(schema, client as never), names: `{${prefix}}:names:${kind}` };
    };
    const shelves = Object.fromEntries(recordKinds.map((kind) => [kind, shelf(kind)])) as Record<RecordKind, Shelf>;
    return { client, shelves, index: new SearchIndex(client, Object.values(shelves), log) };
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
