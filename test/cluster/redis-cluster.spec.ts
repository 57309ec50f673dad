import { createRedisStore } from '@reprise/redis-store';
import { OwnCluster } from '@reprise/testing';
import { storeContract } from '@reprise/testing/contracts';
import { afterAll, beforeAll } from 'vitest';

let cluster: OwnCluster;

beforeAll(async () => {
  cluster = await OwnCluster.start();
});

afterAll(async () => {
  await cluster.stop();
});

for (const form of ['fcall', 'evalsha'] as const) {
  storeContract(`redis cluster of three, ${form.toUpperCase()}`, async () => {
    const url = cluster.nodes[0]?.url ?? '';
    const store = createRedisStore({ url, cluster: cluster.addresses, form, commandTimeoutMs: 5000 });
    if (!(await store.connect(10_000))) throw new Error('The store did not connect to the cluster.');
    return store;
  });
}
