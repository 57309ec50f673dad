import { createRng, type Rng } from '@reprise/kernel';
import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { OwnServer } from '@reprise/testing';
import { newEntry } from '@reprise/testing/contracts';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const plain = (n: number, change: Parameters<typeof newEntry>[1] = {}) => {
  const {
    stratum: _stratum,
    vector: _vector,
    ...entry
  } = newEntry(n, { createdMs: Date.now(), loss: 'counted', ...change });
  return entry;
};

/** A Beta draw of another construction than the product's: from two gammas as sums of exponentials (whole shapes only). */
function drawBeta(alpha: number, beta: number, rng: Rng): number {
  const gamma = (shape: number): number => {
    let sum = 0;
    for (let i = 0; i < shape; i += 1) sum -= Math.log(rng.next());
    return sum;
  };
  const x = gamma(alpha);
  return x / (x + gamma(beta));
}

describe('victims in Redis', { timeout: 300_000 }, () => {
  let server: OwnServer;
  let store: RedisStore;
  let client: Redis;

  beforeAll(async () => {
    server = await OwnServer.start();
    store = createRedisStore({ url: server.url, commandTimeoutMs: 20_000 });
    await store.connect(10_000);
    client = new Redis(server.url);
  });
  afterAll(async () => {
    client.disconnect();
    await store.close();
    await server.stop();
  });

  const firstVictim = async (from: Redis, ns: string, seed: number): Promise<string> => {
    const [, line = ''] = (await from.call('FCALL_RO', 'rp_victims', 1, `rp:{${ns}}`, 1, seed)) as string[];
    return line.split(' ')[0] ?? '';
  };

  it('leave as often as their posteriors say (chi-square against Monte Carlo)', async () => {
    const ns = 'chi-square';
    // Aging off, so that the posteriors are whole numbers; every entry has the same age, so that the bonus is equal.
    const policy = {
      capacity: 6,
      eviction: 'solar-e',
      posterior: { agingAmount: 0 },
      shares: { planned: 0, protected: 0 },
    };
    await store.admin.setPolicy(ns, JSON.stringify(policy));
    const posteriors = [
      [1, 1],
      [2, 1],
      [1, 2],
      [4, 1],
      [3, 3],
      [1, 5],
    ] as const;
    for (const n of posteriors.keys()) await store.entries.admit(ns, plain(n));
    let request = 0;
    for (const [n, [alpha, beta]] of posteriors.entries()) {
      const label = (verdict: 'correct' | 'incorrect') =>
        store.policies.label(ns, { requestId: `l${(request += 1)}`, id: `entry-${n}`, verdict });
      for (let i = 1; i < alpha; i += 1) await label('correct');
      for (let i = 1; i < beta; i += 1) await label('incorrect');
    }

    const draws = 6000;
    const found = posteriors.map(() => 0);
    const seeds = createRng(7);
    for (let i = 0; i < draws; i += 1) {
      const victim = await firstVictim(client, ns, Math.floor(seeds.next() * 2 ** 31));
      const at = Number(victim.slice('entry-'.length));
      found[at] = (found[at] ?? 0) + 1;
    }
    const rng = createRng(99);
    const rounds = 400_000;
    const lowest = posteriors.map(() => 0);
    for (let i = 0; i < rounds; i += 1) {
      let best = 0;
      let bestValue = Infinity;
      for (const [n, [alpha, beta]] of posteriors.entries()) {
        const value = drawBeta(alpha, beta, rng);
        if (value < bestValue) [best, bestValue] = [n, value];
      }
      lowest[best] = (lowest[best] ?? 0) + 1;
    }
    const chiSquare = posteriors.reduce((sum, _, n) => {
      const expected = ((lowest[n] ?? 0) / rounds) * draws;
      return sum + ((found[n] ?? 0) - expected) ** 2 / expected;
    }, 0);
    // Five degrees of freedom, one in 100,000.
    expect(chiSquare).toBeLessThan(30.9);
  });

  it('are the same by seed after a restart and on a replica', async () => {
    const ns = 'restart';
    await store.admin.setPolicy(ns, JSON.stringify({ capacity: 200, eviction: 'solar' }));
    for (let n = 0; n < 200; n += 1) await store.entries.admit(ns, plain(n));
    for (let i = 0; i < 100; i += 1) {
      await store.policies.feedback(ns, { requestId: `f${i}`, used: [`entry-${(i * 7) % 200}`], delta: 0.5 });
    }
    const seeds = Array.from({ length: 40 }, (_, i) => i * 50_021 + 3);
    const victims = async (from: Redis): Promise<string[]> =>
      Promise.all(seeds.map((seed) => firstVictim(from, ns, seed)));
    const before = await victims(client);
    expect(new Set(before).size).toBeGreaterThan(20);

    const replica = await OwnServer.start(['--replicaof', `127.0.0.1 ${server.port}`]);
    const reader = new Redis(replica.url);
    while (!(await reader.info('replication')).includes('master_link_status:up'))
      await new Promise((r) => setTimeout(r, 25));
    expect(await victims(reader)).toEqual(before);
    reader.disconnect();
    await replica.stop();

    // The replica's snapshot may still be under way.
    while (!(await client.info('persistence')).includes('rdb_bgsave_in_progress:0'))
      await new Promise((r) => setTimeout(r, 25));
    await client.save();
    await server.kill();
    await server.launch();
    while (!store.health().up) await new Promise((r) => setTimeout(r, 25));
    expect(await victims(client)).toEqual(before);
  });

  it('are never protected entries, in a flood of 100,000 unique ones and in one that claims importance', async () => {
    const ns = 'flood';
    await store.admin.setPolicy(ns, JSON.stringify({ capacity: 100, eviction: 'solar-e' }));
    for (let n = 0; n < 20; n += 1) {
      await store.entries.admit(ns, plain(n, { importance: 5, source: 1 }));
      await store.policies.feedback(ns, {
        requestId: `use-${n}`,
        used: [`entry-${n}`],
        delta: 0,
        importance: 5,
        source: 2,
      });
    }
    const kept = async (): Promise<string[]> => (await client.zrange(`rp:{${ns}}:t:p`, '0', '-1')).sort();
    const before = await kept();
    expect(before).toHaveLength(20);
    const floodOf = async (from: number, count: number, importance: number): Promise<void> => {
      for (let n = from; n < from + count; n += 200) {
        const batch = Array.from({ length: 200 }, (_, i) => plain(n + i, { importance, source: n + i, seed: n + i }));
        await Promise.all(batch.map((entry) => store.entries.admit(ns, entry)));
      }
    };
    await floodOf(1000, 100_000, 0);
    expect(await kept()).toEqual(before);
    await floodOf(200_000, 10_000, 1000);
    expect(await kept()).toEqual(before);
    // One key that comes back to what it wrote, as offers and as uses, does not corroborate itself, under any id.
    const self = 77;
    const again = { importance: 1000, source: self };
    for (let n = 300_000; n < 301_000; n += 20) {
      const texts = Array.from({ length: 20 }, (_, i) => n + i);
      const offer = (m: number, change: object) => store.entries.admit(ns, plain(m, { ...again, seed: m, ...change }));
      await Promise.all(texts.map((m) => offer(m, {})));
      await Promise.all(texts.map((m) => offer(m, { requestId: `again-${m}` })));
      await Promise.all(
        texts.map((m) => offer(m, { id: `other-${m}`, requestId: `other-${m}`, answer: `other ${m}` })),
      );
      const used = texts.flatMap((m) => [`entry-${m}`, `other-${m}`]);
      await store.policies.feedback(ns, { requestId: `self-${n}`, used, delta: 1, ...again });
    }
    expect(await kept()).toEqual(before);
    const stats = await store.admin.stats(ns);
    expect(stats).toMatchObject({ entries: 100, protected: 20 });
    expect(stats['evicted']).toBeGreaterThan(100_000);
    expect(await store.admin.check(ns, Date.now())).toEqual([]);
  });
});
