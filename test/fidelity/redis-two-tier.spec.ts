import { articlePolicy } from '@reprise/policy';
import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { flood, type ItemRequest, rareCritical, servedShare } from '@reprise/simulator';
import { OwnServer } from '@reprise/testing';
import { newEntry } from '@reprise/testing/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The article's setting as a namespace's policy. */
const policyJson = (eviction: string, protectedShare: number): string =>
  JSON.stringify({
    eviction,
    capacity: 150,
    shares: { planned: 0, protected: protectedShare, recency: 1 - protectedShare },
    corroboration: 1,
    evictionCandidates: 0,
  });

/** Served share of the real weight, through the Redis functions alone. */
async function servedByRedis(store: RedisStore, ns: string, requests: readonly ItemRequest[]): Promise<number> {
  const live = new Set<string>();
  let served = 0;
  let total = 0;
  for (const [t, { item, weight, claim, real }] of requests.entries()) {
    const hit = live.has(item);
    if (real) {
      total += weight;
      if (hit) served += weight;
    }
    const used = hit ? [item] : [];
    await store.policies.feedback(ns, { requestId: `f${t}`, used, delta: hit ? 0 : 1, importance: claim });
    if (hit) continue;
    const {
      stratum: _stratum,
      vector: _vector,
      ...plain
    } = newEntry(0, { id: item, exactKey: item, requestId: `a${t}` });
    const entry = { ...plain, createdMs: Date.now(), importance: claim, seed: t, loss: 'counted' as const };
    const reply = await store.entries.admit(ns, entry);
    if (reply.outcome === 'stored') live.add(item);
    for (const id of reply.evicted) live.delete(id);
  }
  return served / total;
}

describe('the two-tier article through the Redis functions', { timeout: 300_000 }, () => {
  let server: OwnServer;
  let store: RedisStore;

  beforeAll(async () => {
    server = await OwnServer.start();
    store = createRedisStore({ url: server.url, commandTimeoutMs: 10_000 });
    await store.connect(10_000);
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  it('gives the share of the specification and of the article on the flood', async () => {
    const requests = flood();
    await store.admin.setPolicy('flood', policyJson('two-tier', 0.3));
    const share = await servedByRedis(store, 'flood', requests);
    expect(share).toBe(servedShare(requests, articlePolicy('two-tier', 150)));
    expect(Math.abs(share - 0.569)).toBeLessThanOrEqual(0.01);
    expect(await store.admin.check('flood', Date.now())).toEqual([]);
  });

  it('loses everything there under least-recently-used, as the article says', async () => {
    const requests = flood().slice(0, 4000);
    await store.admin.setPolicy('flood-lru', policyJson('lru', 0));
    expect(await servedByRedis(store, 'flood-lru', requests)).toBeLessThanOrEqual(0.01);
  });

  it('gives the share of the specification on rare critical items under GreedyDual-Size', async () => {
    const requests = rareCritical(11_000).slice(0, 6000);
    await store.admin.setPolicy('rare', policyJson('gds', 0));
    const share = await servedByRedis(store, 'rare', requests);
    expect(share).toBe(servedShare(requests, articlePolicy('gds', 150)));
  });
});
