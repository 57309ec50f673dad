import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { OwnCluster } from '@reprise/testing';
import { exactQuery, lookupQuery, newEntry, unitVector } from '@reprise/testing/contracts';
import calculateSlot from 'cluster-key-slot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ns = 'moving';
const slot = calculateSlot(`rp:{${ns}}`);

describe('a cluster while a slot moves', () => {
  let cluster: OwnCluster;
  let store: RedisStore;

  beforeAll(async () => {
    cluster = await OwnCluster.start();
    store = createRedisStore({ url: cluster.nodes[0]?.url ?? '', cluster: cluster.addresses, commandTimeoutMs: 2000 });
    await store.connect(10_000);
  });
  afterAll(async () => {
    await store.close();
    await cluster.stop();
  });

  const idOf = (node: number): Promise<string> =>
    cluster.on(node, async (c) => String(await c.call('CLUSTER', 'MYID')));

  async function ownerOf(): Promise<number> {
    const ids = await Promise.all(cluster.nodes.map((_, i) => idOf(i)));
    const lines = await cluster.on(0, async (c) => String(await c.call('CLUSTER', 'NODES')));
    const own = (line: string): boolean =>
      line
        .split(' ')
        .slice(8)
        .some((range) => {
          const [from = -1, to = from] = range.split('-').map(Number);
          return from <= slot && slot <= to;
        });
    const id = lines.split('\n').find(own)?.split(' ')[0];
    return ids.indexOf(id ?? '');
  }

  /** Moves the slot key by key, as `redis-cli --cluster reshard` does; `between` runs after each batch. */
  async function reshard(from: number, to: number, between: () => Promise<void>): Promise<void> {
    const [source, target] = [await idOf(from), await idOf(to)];
    const port = String(cluster.nodes[to]?.port);
    await cluster.on(to, (c) => c.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', source));
    await cluster.on(from, (c) => c.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target));
    await cluster.on(from, async (c) => {
      for (;;) {
        const keys = (await c.call('CLUSTER', 'GETKEYSINSLOT', slot, 5)) as string[];
        if (keys.length === 0) break;
        await c.call('MIGRATE', '127.0.0.1', port, '', 0, 5000, 'KEYS', ...keys);
        await between();
      }
    });
    for (const node of [to, from]) await cluster.on(node, (c) => c.call('CLUSTER', 'SETSLOT', slot, 'NODE', target));
  }

  it('refuses calls by name, damages nothing, and serves again from the new node', async () => {
    for (let n = 0; n < 40; n += 1) await store.entries.admit(ns, newEntry(n));
    const from = await ownerOf();
    const to = (from + 1) % 3;
    let refused = 0;
    let answered = 0;
    let n = 1000;
    await reshard(from, to, async () => {
      const calls = [
        store.entries.admit(ns, newEntry((n += 1))),
        store.entries.exact(ns, exactQuery(`exact-${n % 40}`)),
        store.entries.lookup(ns, lookupQuery(unitVector(64, n % 40))),
        store.policies.feedback(ns, { requestId: `f${n}`, used: ['entry-1', 'entry-2'], delta: 0.5 }),
        store.admin.sweep(ns, Date.now(), 10),
      ];
      for (const result of await Promise.allSettled<unknown>(calls)) {
        if (result.status === 'fulfilled') answered += 1;
        else {
          refused += 1;
          expect(result.reason).toMatchObject({ code: 'RP_ERR_CACHE_UNAVAILABLE' });
        }
      }
    });
    expect(refused + answered).toBeGreaterThan(20);
    expect(await ownerOf()).toBe(to);

    const deadline = Date.now() + 20_000;
    const serves = async (): Promise<boolean> =>
      store.entries.exact(ns, exactQuery('exact-7')).then(
        (reply) => reply.outcome === 'hit',
        () => false,
      );
    while (!(await serves())) {
      if (Date.now() > deadline) throw new Error('The namespace did not come back.');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await store.admin.check(ns, Date.now())).toEqual([]);
    expect((await store.admin.stats(ns))['entries']).toBeGreaterThanOrEqual(40);
    expect((await store.entries.admit(ns, newEntry(5000))).outcome).toBe('stored');
    expect((await store.entries.lookup(ns, lookupQuery(unitVector(64, 7)))).candidates[0]?.similarity).toBeGreaterThan(
      0.99,
    );
  });
});
