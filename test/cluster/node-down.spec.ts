import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { OwnCluster } from '@reprise/testing';
import { exactQuery, newEntry } from '@reprise/testing/contracts';
import calculateSlot from 'cluster-key-slot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A namespace on one of three equal shares of the slots. */
function namespaceOn(node: number): string {
  for (let i = 0; ; i += 1) {
    const ns = `tenant-${i}`;
    if (Math.floor(calculateSlot(`rp:{${ns}}`) / Math.ceil(16384 / 3)) === node) return ns;
  }
}

describe('a cluster with a dead node', () => {
  let cluster: OwnCluster;
  let store: RedisStore;

  beforeAll(async () => {
    cluster = await OwnCluster.start();
    store = createRedisStore({ url: cluster.nodes[0]?.url ?? '', cluster: cluster.addresses, commandTimeoutMs: 1000 });
    await store.connect(10_000);
  });
  afterAll(async () => {
    await store.close();
    await cluster.stop();
  });

  it('goes on with the namespaces of the others, and takes the node back when it returns empty', async () => {
    const [lost, kept] = [namespaceOn(1), namespaceOn(2)];
    for (const ns of [lost, kept]) await store.entries.admit(ns, newEntry(1));
    await cluster.nodes[1]?.kill();
    await expect(store.entries.exact(lost, exactQuery('exact-1'))).rejects.toMatchObject({
      code: 'RP_ERR_CACHE_UNAVAILABLE',
    });
    for (let i = 0; i < 20; i += 1) {
      expect((await store.entries.exact(kept, exactQuery('exact-1'))).outcome).toBe('hit');
      await expect(store.entries.exact(lost, exactQuery('exact-1'))).rejects.toMatchObject({
        code: 'RP_ERR_CACHE_UNAVAILABLE',
      });
    }
    expect(store.health()).toMatchObject({ up: false, down: [{ server: `127.0.0.1:${cluster.nodes[1]?.port}` }] });

    await cluster.nodes[1]?.launch();
    const deadline = Date.now() + 30_000;
    for (;;) {
      const reply = await store.entries.admit(lost, newEntry(1)).catch(() => undefined);
      if (reply?.outcome === 'stored') break;
      if (Date.now() > deadline) throw new Error(`It did not come back: ${JSON.stringify(store.health())}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await store.entries.exact(lost, exactQuery('exact-1'))).outcome).toBe('hit');
    expect((await store.entries.exact(kept, exactQuery('exact-1'))).outcome).toBe('hit');
    expect(store.health().up).toBe(true);
  });
});
