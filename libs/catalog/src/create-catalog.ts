import { type Log, type Result, silentTelemetry, type Telemetry } from '@reprise/kernel';
import type { NamespaceCatalog, NamespaceSighting } from '@reprise/semantic-cache';
import { type CatalogAddress, CatalogConnection, type CatalogError } from './catalog-connection.js';
import { CatalogRepository } from './catalog-repository.js';
import { type NamespaceRecord, type PriceRecord, tenantOf, type TenantRecord } from './records.js';

export interface CatalogOptions extends CatalogAddress {
  /** Keys begin with it, in braces; default `rpcat`. */
  readonly prefix?: string;
  /** Longest wait for one call; default 2,000. */
  readonly timeoutMs?: number;
  readonly log?: Log;
  readonly telemetry?: Telemetry;
}

/** What the configuration lists. */
export interface ConfiguredRecords {
  readonly tenants: readonly { readonly name: string; readonly keys: number }[];
  readonly prices: readonly Omit<PriceRecord, 'rank'>[];
}

/** Low-write records of the product. Every call ends in time, and an unreachable catalog is a value, never an exception. */
export interface Catalog extends NamespaceCatalog {
  readonly tenants: CatalogRepository<TenantRecord>;
  readonly namespaces: CatalogRepository<NamespaceRecord>;
  readonly prices: CatalogRepository<PriceRecord>;
  /** Whether this Redis searches (FT.*), or records are found by listing them. */
  capabilities(): Promise<Result<{ readonly search: boolean }, CatalogError>>;
  /** Puts the tenants and price cards of the configuration in; price cards that it no longer lists go. */
  register(configured: ConfiguredRecords, nowMs: number): Promise<Result<number, CatalogError>>;
  close(): Promise<void>;
}

export function createCatalog(options: CatalogOptions): Catalog {
  return new RedisOmCatalog(options);
}

const everything = { offset: 0, limit: 10_000 };

class RedisOmCatalog implements Catalog {
  readonly tenants;
  readonly namespaces;
  readonly prices;
  private readonly connection: CatalogConnection;

  constructor({ prefix = 'rpcat', timeoutMs = 2_000, log, telemetry = silentTelemetry, ...address }: CatalogOptions) {
    this.connection = new CatalogConnection({ ...address, prefix, timeoutMs, log, telemetry });
    this.tenants = new CatalogRepository<TenantRecord>(this.connection, 'tenant', ({ name }) => name);
    this.namespaces = new CatalogRepository<NamespaceRecord>(this.connection, 'namespace', ({ name }) => name);
    this.prices = new CatalogRepository<PriceRecord>(this.connection, 'price', ({ model }) => model);
  }

  capabilities(): Promise<Result<{ readonly search: boolean }, CatalogError>> {
    return this.connection.answer(async ({ index }) => ({ search: await index.available() }));
  }

  async observe(sightings: readonly NamespaceSighting[], nowMs: number): Promise<void> {
    const used = new Set<string>();
    for (const sighting of sightings) {
      const known = await this.namespaces.get(sighting.name);
      if (!known.ok) return;
      const record = seenAgain(known.value, sighting, nowMs);
      if (record.lastSeenMs === nowMs) used.add(record.tenant);
      if (!(await this.namespaces.save([record])).ok) return;
    }
    for (const name of used) {
      const known = await this.tenants.get(name);
      if (!known.ok) return;
      const first: TenantRecord = { name, source: 'seen', keys: 0, firstSeenMs: nowMs, lastSeenMs: nowMs };
      if (!(await this.tenants.save([{ ...(known.value ?? first), lastSeenMs: nowMs }])).ok) return;
    }
  }

  async register({ tenants, prices }: ConfiguredRecords, nowMs: number): Promise<Result<number, CatalogError>> {
    const records: TenantRecord[] = [];
    for (const { name, keys } of tenants) {
      const known = await this.tenants.get(name);
      if (!known.ok) return known;
      const { firstSeenMs = nowMs, lastSeenMs = nowMs } = known.value ?? {};
      records.push({ name, source: 'config', keys, firstSeenMs, lastSeenMs });
    }
    const saved = await this.tenants.save(records);
    if (!saved.ok) return saved;
    const old = await this.prices.list(everything);
    if (!old.ok) return old;
    for (const { model } of old.value.records)
      if (!prices.some((price) => price.model === model)) await this.prices.remove(model);
    const cards = await this.prices.save(prices.map((price, rank) => ({ ...price, rank })));
    return cards.ok ? { ok: true, value: records.length + cards.value } : cards;
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

function seenAgain(
  known: NamespaceRecord | undefined,
  { name, activity, entries }: NamespaceSighting,
  nowMs: number,
): NamespaceRecord {
  const unchanged = known !== undefined && known.activity === activity;
  return {
    name,
    tenant: tenantOf(name),
    entries,
    activity,
    firstSeenMs: known?.firstSeenMs ?? nowMs,
    lastSeenMs: unchanged ? known.lastSeenMs : nowMs,
    sweptMs: nowMs,
  };
}
