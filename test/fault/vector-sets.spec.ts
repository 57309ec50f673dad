import { createRng } from '@reprise/kernel';
import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import type { NewEntry } from '@reprise/semantic-cache';
import { OwnServer } from '@reprise/testing';
import { hourMs, lookupQuery, newEntry } from '@reprise/testing/contracts';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const rng = createRng(5);

function randomVector(dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => rng.next() - 0.5);
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

let made = 0;
const entry = (change: Partial<NewEntry> = {}): NewEntry => {
  made += 1;
  const life = { createdMs: Date.now(), exactTtlMs: hourMs, semanticTtlMs: hourMs, loss: 'counted' as const };
  return newEntry(made, { ...life, id: `e${made}`, exactKey: `x${made}`, vector: randomVector(32), ...change });
};

/** VREM and VADD of an existing member crash servers, replicas and the loading of append-only files (redis/redis#15424). */
describe('vector sets under churn', { timeout: 240_000 }, () => {
  let server: OwnServer;
  let store: RedisStore;
  let client: Redis;

  beforeAll(async () => {
    server = await OwnServer.start(['--appendonly', 'yes', '--appendfsync', 'no']);
    store = createRedisStore({ url: server.url, commandTimeoutMs: 20_000, adminTimeoutMs: 20_000 });
    await store.connect(10_000);
    client = new Redis(server.url);
  });
  afterAll(async () => {
    client.disconnect();
    await store.close();
    await server.stop();
  });

  const dead = async (ns: string, stratum: string): Promise<number> =>
    Number(await client.call('VCARD', `rp:{${ns}}:v:${stratum}`)) -
    Number(await client.hget(`rp:{${ns}}:strata`, stratum));

  it('are never asked to remove a member, and the append-only file loads again', async () => {
    const ns = 'churn';
    await store.admin.setPolicy(ns, JSON.stringify({ capacity: 300, eviction: 'lru' }));
    // Many small strata that fill and drain, as tenants with a rolling window have them.
    for (let round = 0; round < 60; round += 1) {
      const batch = Array.from({ length: 100 }, (_, i) => entry({ stratum: `s${(round * 7 + i) % 40}` }));
      await Promise.all(batch.map((one) => store.entries.admit(ns, one)));
    }
    expect(await store.admin.check(ns, Date.now())).toEqual([]);
    const commands = await client.info('commandstats');
    expect(commands).toContain('cmdstat_VADD');
    expect(commands).not.toContain('cmdstat_VREM');

    const entries = (await store.admin.stats(ns))['entries'];
    await server.kill();
    await server.launch();
    const until = Date.now() + 20_000;
    while (!store.health().up && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 25));
    expect((await store.admin.stats(ns))['entries']).toBe(entries);
    expect(await store.admin.check(ns, Date.now())).toEqual([]);
  });

  it('stay small and exact: dead members never outnumber the live ones for long', async () => {
    const ns = 'bounded';
    for (const [stratum, capacity] of [
      ['small', 8],
      ['large', 200],
    ] as const) {
      await store.admin.setPolicy(ns, JSON.stringify({ capacity, eviction: 'fifo' }));
      const kept: NewEntry[] = [];
      for (let i = 0; i < 12 * capacity; i += 1) {
        const one = entry({ stratum });
        await store.entries.admit(ns, one);
        kept.push(one);
        if (kept.length > capacity) kept.shift();
      }
      expect(await dead(ns, stratum)).toBeLessThanOrEqual(2 * capacity + 48);
      for (const one of kept) {
        const reply = await store.entries.lookup(
          ns,
          lookupQuery(one.vector ?? new Float32Array(), { stratum, policyVersion: 0, nowMs: Date.now() }),
        );
        expect(reply.candidates[0]?.id).toBe(one.id);
        expect(reply.candidates[0]?.similarity).toBeGreaterThan(0.99);
        expect(reply.candidates).toHaveLength(8);
      }
      for (let i = 0; i < 40; i += 1) await store.admin.sweep(ns, Date.now(), 1000);
      expect(await dead(ns, stratum)).toBe(0);
      await store.admin.purge(ns, { all: true }, false, Date.now());
    }
    expect(await store.admin.check(ns, Date.now())).toEqual([]);
  });

  it('keep vectors bit by bit when they are built anew', async () => {
    const ns = 'copies';
    const entries = Array.from({ length: 60 }, () => entry({ stratum: 'one' }));
    for (const one of entries) await store.entries.admit(ns, one);
    const vectors = async (): Promise<Record<string, string>> => {
      const members = (await client.call('VRANDMEMBER', `rp:{${ns}}:v:one`, 100)) as string[];
      const found: Record<string, string> = {};
      for (const member of members) {
        const [, raw] = (await client.callBuffer('VEMB', `rp:{${ns}}:v:one`, member, 'RAW')) as Buffer[];
        found[member] = raw?.toString('hex') ?? '';
      }
      return found;
    };
    const before = await vectors();
    await store.admin.purge(ns, { entryId: entries[0]?.id ?? '' }, false, Date.now());
    const after = await vectors();
    expect(Object.keys(after)).toHaveLength(59);
    for (const [member, raw] of Object.entries(after)) expect(raw).toBe(before[member]);
  });

  it('hold nothing of what was purged when the purge has ended', async () => {
    const ns = 'purged';
    for (let i = 0; i < 150; i += 1)
      await store.entries.admit(ns, entry({ stratum: `p${i % 3}`, user: i % 5 === 0 ? 'u' : 'v' }));
    await store.admin.purge(ns, { user: 'u' }, false, Date.now());
    for (const stratum of ['p0', 'p1', 'p2']) expect(await dead(ns, stratum)).toBe(0);
    expect(await client.keys(`rp:{${ns}}:w:*`)).toEqual([]);
    expect(await store.admin.check(ns, Date.now())).toEqual([]);
    expect((await store.admin.stats(ns))['entries']).toBe(120);
  });

  it('take new members while they are built anew', async () => {
    const ns = 'meanwhile';
    await store.admin.setPolicy(ns, JSON.stringify({ capacity: 100, eviction: 'fifo' }));
    const work = Array.from({ length: 16 }, async () => {
      for (let i = 0; i < 60; i += 1) await store.entries.admit(ns, entry({ stratum: 'busy' }));
    });
    const sweeps = (async () => {
      for (let i = 0; i < 60; i += 1) await store.admin.sweep(ns, Date.now(), 100);
    })();
    await Promise.all([...work, sweeps]);
    expect(await store.admin.check(ns, Date.now())).toEqual([]);
    const reply = await store.entries.lookup(
      ns,
      lookupQuery(randomVector(32), { stratum: 'busy', count: 64, nowMs: Date.now() }),
    );
    expect(reply.candidates).toHaveLength(64);
  });
});
