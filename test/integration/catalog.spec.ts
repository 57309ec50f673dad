import { type Catalog, createCatalog, type NamespaceRecord, tenantOf } from '@reprise/catalog';
import { createTelemetry } from '@reprise/observability';
import { findRedisBinary, OwnServer } from '@reprise/testing';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/process.js';
import { type OwnRedis, startRedis } from '../e2e/support/redis.js';
import { openPlain, ownPrefix, removeKeys } from './support/queue-redis.js';

const everything = { offset: 0, limit: 100 };
const moduleFiles = findRedisBinary()?.modules ?? [];

/** Names that break a filter which is put together as text (acceptance case 37). */
const oddNames = [
  'plain',
  'Plain',
  'with-hyphen',
  'with:colon',
  'with space',
  ' leading',
  'trailing ',
  '"quoted"',
  "it's",
  'a,b',
  'a|b',
  'a',
  'b',
  'a*',
  '*',
  'ab',
  'größe',
  '名前',
  'back\\slash',
  '(paren)',
  '{brace}',
  '@at',
  '$dollar',
  '-dash',
  'and',
  'the',
];

const namespace = (name: string, more: Partial<NamespaceRecord> = {}): NamespaceRecord => ({
  name,
  tenant: 'acme',
  entries: 1,
  activity: 2,
  firstSeenMs: 1_000,
  lastSeenMs: 2_000,
  sweptMs: 3_000,
  ...more,
});

function valueOf<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string },
): T {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

/** Resolves when `find` is answered by the search index: it knows a record that the list does not. */
async function untilSearching(catalog: Catalog, plain: Redis, prefix: string): Promise<void> {
  await catalog.namespaces.save([namespace('sentinel', { tenant: 'sentinel' })]);
  await plain.zrem(`{${prefix}}:names:namespace`, 'sentinel');
  await eventually(async () => {
    const found = await catalog.namespaces.find({ equal: { tenant: 'sentinel' } }, everything);
    return found.ok && found.value.total === 1;
  });
  await catalog.namespaces.remove('sentinel');
}

interface Place {
  readonly url: string;
  readonly search: boolean;
  readonly end: () => Promise<unknown>;
}

const places: [name: string, open: () => Promise<Place>][] = [
  [
    'with the modules of this machine',
    async () => {
      const server = await OwnServer.start();
      return { url: server.url, search: moduleFiles.some((file) => file.includes('search')), end: () => server.stop() };
    },
  ],
  [
    'without modules',
    async () => {
      const server = await startRedis();
      return { url: server.url, search: false, end: () => server.stop('SIGKILL') };
    },
  ],
  [
    'in a database that modules do not index',
    async () => {
      const server = await OwnServer.start();
      return { url: `${server.url}/3`, search: false, end: () => server.stop() };
    },
  ],
];

describe.each(places)('the catalog on a Redis %s', (_, open) => {
  let place: Place;
  let plain: Redis;
  let catalog: Catalog;
  let prefix: string;
  const metrics = createTelemetry({ version: 'test', strict: true });

  beforeAll(async () => {
    place = await open();
    plain = await openPlain(place.url);
  });
  afterAll(async () => {
    plain.disconnect();
    await place.end();
  });
  beforeEach(async () => {
    prefix = ownPrefix('catalog');
    catalog = createCatalog({ url: place.url, prefix, telemetry: metrics.telemetry });
    if (place.search) await untilSearching(catalog, plain, prefix);
  });
  afterEach(async () => {
    await catalog.close();
    await removeKeys(plain, `{${prefix}}*`);
  });

  it('knows whether it can search', async () => {
    expect(await catalog.capabilities()).toEqual({ ok: true, value: { search: place.search } });
  });

  it('saves, fetches, replaces and removes', async () => {
    const { namespaces } = catalog;
    expect(valueOf(await namespaces.get('one'))).toBeUndefined();
    await namespaces.save([namespace('one')]);
    expect(valueOf(await namespaces.get('one'))).toEqual(namespace('one'));
    await namespaces.save([namespace('one', { entries: 0, lastSeenMs: 9_999_999_999_999 })]);
    expect(valueOf(await namespaces.get('one'))).toEqual(
      namespace('one', { entries: 0, lastSeenMs: 9_999_999_999_999 }),
    );
    expect(valueOf(await namespaces.remove('one'))).toBe(true);
    expect(valueOf(await namespaces.remove('one'))).toBe(false);
    expect(valueOf(await namespaces.get('one'))).toBeUndefined();
    expect(valueOf(await namespaces.list(everything))).toEqual({ records: [], total: 0 });
  });

  it('lists in the order of names, by pages', async () => {
    const names = ['d', 'b', 'a', 'e', 'c'];
    await catalog.namespaces.save(names.map((name) => namespace(name)));
    const pages: string[][] = [];
    for (const offset of [0, 2, 4, 6]) {
      const page = valueOf(await catalog.namespaces.list({ offset, limit: 2 }));
      expect(page.total).toBe(5);
      pages.push(page.records.map(({ name }) => name));
    }
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e'], []]);
  });

  it('passes over a name whose record is gone', async () => {
    await catalog.namespaces.save([namespace('a'), namespace('b')]);
    await removeKeys(plain, `{${prefix}}:namespace:a`);
    const page = valueOf(await catalog.namespaces.list(everything));
    expect(page.records.map(({ name }) => name)).toEqual(['b']);
  });

  it('keeps every name apart, and finds exactly the one that is asked for', async () => {
    await catalog.namespaces.save(oddNames.map((name) => namespace(name, { tenant: name })));
    for (const name of oddNames) {
      expect(valueOf(await catalog.namespaces.get(name)), name).toEqual(namespace(name, { tenant: name }));
      const found = valueOf(await catalog.namespaces.find({ equal: { tenant: name } }, everything));
      expect(
        found.records.map((record) => record.name),
        name,
      ).toEqual([name]);
      expect(found.total, name).toBe(1);
    }
    expect(valueOf(await catalog.namespaces.list(everything)).total).toBe(oddNames.length);
  });

  it('finds by text and number together, sorted, by pages', async () => {
    const records = Array.from({ length: 30 }, (_, i) =>
      namespace(`n${String(29 - i).padStart(2, '0')}`, { tenant: i % 2 === 0 ? 'acme' : 'other', lastSeenMs: i * 100 }),
    );
    await catalog.namespaces.save(records);
    const criteria = { equal: { tenant: 'acme' }, atLeast: { lastSeenMs: 1_000 } };
    const wanted = records
      .filter(({ tenant, lastSeenMs }) => tenant === 'acme' && lastSeenMs >= 1_000)
      .map(({ name }) => name)
      .sort();
    expect(wanted).toHaveLength(10);
    for (const offset of [0, 4, 8, 12]) {
      const page = valueOf(await catalog.namespaces.find(criteria, { offset, limit: 4 }));
      expect(page.total).toBe(10);
      expect(page.records.map(({ name }) => name)).toEqual(wanted.slice(offset, offset + 4));
    }
  });

  it('finds everything without criteria', async () => {
    await catalog.namespaces.save(['b', 'a'].map((name) => namespace(name)));
    const found = valueOf(await catalog.namespaces.find({}, everything));
    expect(found.records.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('makes an index that was dropped again, although redis-om noted that it is made', async () => {
    expect(await plain.exists(`{${prefix}}:namespace:index:hash`)).toBe(place.search ? 1 : 0);
    if (place.search) await plain.call('FT.DROPINDEX', `{${prefix}}:namespace:index`);
    const second = createCatalog({ url: place.url, prefix });
    expect(await second.capabilities()).toEqual({ ok: true, value: { search: place.search } });
    if (place.search) await untilSearching(second, plain, prefix);
    await second.close();
  });

  it('has what was there before it searched', async () => {
    await catalog.namespaces.save([namespace('old', { tenant: 'early' })]);
    const second = createCatalog({ url: place.url, prefix });
    await second.capabilities();
    await eventually(async () => {
      const found = await second.namespaces.find({ equal: { tenant: 'early' } }, everything);
      return found.ok && found.value.total === 1;
    });
    await second.close();
  });

  it('keeps the first and the last use of a namespace, and of its tenant', async () => {
    const see = (activity: number, nowMs: number) =>
      catalog.observe([{ name: 'acme.k1:sub', activity, entries: activity }], nowMs);
    await see(5, 1_000);
    await see(5, 2_000);
    expect(valueOf(await catalog.namespaces.get('acme.k1:sub'))).toEqual({
      name: 'acme.k1:sub',
      tenant: 'acme',
      entries: 5,
      activity: 5,
      firstSeenMs: 1_000,
      lastSeenMs: 1_000,
      sweptMs: 2_000,
    });
    await see(6, 3_000);
    expect(valueOf(await catalog.namespaces.get('acme.k1:sub'))).toMatchObject({
      firstSeenMs: 1_000,
      lastSeenMs: 3_000,
    });
    expect(valueOf(await catalog.tenants.get('acme'))).toEqual({
      name: 'acme',
      source: 'seen',
      keys: 0,
      firstSeenMs: 1_000,
      lastSeenMs: 3_000,
    });
  });

  it('takes over what the configuration lists, and no more', async () => {
    await catalog.observe([{ name: 'acme', activity: 1, entries: 0 }], 500);
    const price = (model: string) => ({ model, inputPerMTokUsd: 0.15, outputPerMTokUsd: 0.6 });
    await catalog.register({ tenants: [{ name: 'acme', keys: 2 }], prices: [price('gpt-*'), price('*')] }, 1_000);
    await catalog.register({ tenants: [{ name: 'acme', keys: 3 }], prices: [price('*')] }, 2_000);
    expect(valueOf(await catalog.tenants.list(everything)).records).toEqual([
      { name: 'acme', source: 'config', keys: 3, firstSeenMs: 500, lastSeenMs: 500 },
    ]);
    expect(valueOf(await catalog.prices.list(everything)).records).toEqual([{ ...price('*'), rank: 0 }]);
  });

  it('puts every key under one hash tag', async () => {
    await catalog.capabilities();
    await catalog.namespaces.save([namespace('one')]);
    const keys = await plain.keys(`*${prefix}*`);
    expect(keys.length).toBeGreaterThan(1);
    expect(keys.filter((key) => !key.startsWith(`{${prefix}}:`))).toEqual([]);
  });

  it('counts nothing as degraded while Redis answers', async () => {
    await catalog.namespaces.list(everything);
    expect(metrics.total('reprise_degraded_total', { mode: 'catalog-unavailable' })).toBe(0);
  });
});

describe('the catalog without its Redis', () => {
  let server: OwnRedis | undefined;
  const metrics = createTelemetry({ version: 'test', strict: true });
  afterEach(async () => {
    await server?.stop('SIGKILL');
  });

  it('says so in every call, and answers again when Redis is back', async () => {
    const first = await startRedis();
    await first.stop('SIGKILL');
    const catalog = createCatalog({ url: first.url, timeoutMs: 300, telemetry: metrics.telemetry });
    const unavailable = { ok: false, error: 'catalog-unavailable' };
    expect(await catalog.namespaces.get('a')).toEqual(unavailable);
    expect(await catalog.namespaces.save([namespace('a')])).toEqual(unavailable);
    expect(await catalog.tenants.list(everything)).toEqual(unavailable);
    expect(await catalog.capabilities()).toEqual(unavailable);
    expect(await catalog.register({ tenants: [{ name: 'a', keys: 1 }], prices: [] }, 1)).toEqual(unavailable);
    await expect(catalog.observe([{ name: 'a', activity: 1, entries: 1 }], 1)).resolves.toBeUndefined();
    expect(metrics.total('reprise_degraded_total', { mode: 'catalog-unavailable' })).toBe(6);

    server = await startRedis(first.port);
    await eventually(async () => (await catalog.namespaces.save([namespace('a')])).ok);
    expect(valueOf(await catalog.namespaces.get('a'))).toEqual(namespace('a'));
    await catalog.close();
  });

  it('gives up on a Redis that hangs, and goes on with it later', async () => {
    server = await startRedis();
    const catalog = createCatalog({ url: server.url, timeoutMs: 200 });
    await catalog.namespaces.save([namespace('a')]);
    server.signal('SIGSTOP');
    expect(await catalog.namespaces.get('a')).toEqual({ ok: false, error: 'catalog-unavailable' });
    server.signal('SIGCONT');
    await eventually(async () => (await catalog.namespaces.get('a')).ok);
    await catalog.close();
  });

  it('closes without ever having been used', async () => {
    const catalog = createCatalog({ url: 'redis://127.0.0.1:1' });
    await expect(catalog.close()).resolves.toBeUndefined();
  });
});

describe('the catalog on a Redis that comes back empty', () => {
  it('makes its index again', async () => {
    const server = await OwnServer.start();
    const catalog = createCatalog({ url: server.url, timeoutMs: 1_000 });
    await catalog.namespaces.save([namespace('a')]);
    const before = await catalog.capabilities();
    const plain = await openPlain(server.url);
    plain.on('error', () => undefined);
    const searches = before.ok && before.value.search;
    if (searches) await untilSearching(catalog, plain, 'rpcat');
    expect(valueOf(await catalog.namespaces.find({ equal: { tenant: 'acme' } }, everything)).total).toBe(1);
    await server.restartEmpty();
    await eventually(async () => (await catalog.namespaces.save([namespace('b')])).ok);
    expect(valueOf(await catalog.namespaces.find({ equal: { tenant: 'acme' } }, everything)).records).toEqual([
      namespace('b'),
    ]);
    expect(await catalog.capabilities()).toEqual(before);
    await eventually(
      async () => valueOf(await catalog.namespaces.find({ equal: { tenant: 'acme' } }, everything)).total === 1,
    );
    if (searches) await untilSearching(catalog, plain, 'rpcat');
    plain.disconnect();
    await catalog.close();
    await server.stop();
  });
});

describe('tenantOf', () => {
  it.each([
    ['acme', 'acme'],
    ['acme.0123456789ab', 'acme'],
    ['acme:sub', 'acme'],
    ['acme.0123456789ab:sub.with:more', 'acme'],
    ['k-0123:h-ff', 'k-0123'],
    ['global', 'global'],
    ['', ''],
  ])('%j → %j', (name, tenant) => {
    expect(tenantOf(name)).toBe(tenant);
  });
});
