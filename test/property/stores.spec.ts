import { createMemoryStore, type MemoryStore } from '@reprise/memory-store';
import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { OwnServer } from '@reprise/testing';
import { unitVector } from '@reprise/testing/contracts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offered, type StoreStep, storeTrace } from './store-trace.js';

type Stores = Pick<MemoryStore, 'entries' | 'admin'>;

/** The outcome of one step on one store, without what two stores may order or round in their own way. */
async function outcome(store: Stores, ns: string, step: StoreStep, call: number, nowMs: number): Promise<unknown> {
  const query = { nowMs, requestId: `request-${call}`, policyVersion: 0 };
  switch (step.kind) {
    case 'admit':
      return store.entries.admit(ns, offered(step, call, nowMs));
    case 'exact':
      return store.entries.exact(ns, { ...query, exactKey: `exact-${step.n}`, maxAgeMs: step.maxAgeMs });
    case 'lookup': {
      const vector = unitVector(32, step.n % 10);
      return store.entries.lookup(ns, {
        ...query,
        vector,
        stratum: 'stratum',
        count: 64,
        maxAgeMs: step.maxAgeMs,
      });
    }
    case 'serve': {
      const { policyVersion } = await store.entries.policy(ns, 0);
      return store.entries.serve(ns, {
        ...query,
        policyVersion,
        entryId: `entry-${step.n}-0`,
        maxAgeMs: step.maxAgeMs,
      });
    }
    case 'quarantine':
      return store.admin.quarantine(ns, `entry-${step.n}-0`, 'wrong', nowMs);
    case 'purge': {
      const reply = await store.admin.purge(ns, step.filter, step.dryRun, nowMs);
      return { ...reply, sample: [...reply.sample].sort() };
    }
    case 'pause':
      return store.admin.pause(ns, step.paused);
    case 'policy':
      return store.admin.setPolicy(ns, JSON.stringify({ capacity: step.capacity, eviction: step.eviction }));
    case 'sweep':
      return (await sweepAll(store, ns, nowMs)) && undefined;
    case 'wait':
      return undefined;
  }
}

/** Sweeps until a round finds nothing: how many steps that takes is each store's own business. */
async function sweepAll(store: Stores, ns: string, nowMs: number): Promise<boolean> {
  for (let quiet = 0; quiet < 12;) {
    quiet = (await store.admin.sweep(ns, nowMs, 1000)).removed === 0 ? quiet + 1 : 0;
  }
  return true;
}

/** What both stores count; a counter that never counted need not be there. */
async function counts(store: Stores, ns: string): Promise<Record<string, number>> {
  const { swept: _swept, ...stats } = await store.admin.stats(ns);
  return Object.fromEntries(Object.entries(stats).filter(([, value]) => value !== 0));
}

describe('stores: Redis and its twin in memory', { timeout: 300_000 }, () => {
  let server: OwnServer;
  let redis: RedisStore;
  let traces = 0;

  beforeAll(async () => {
    server = await OwnServer.start();
    redis = createRedisStore({ url: server.url, commandTimeoutMs: 10_000 });
    await redis.connect(10_000);
  });
  afterAll(async () => {
    await redis.close();
    await server.stop();
  });

  it('give equal outcomes on 300 traces, and are whole after each', async () => {
    await fc.assert(
      fc.asyncProperty(storeTrace, async (steps) => {
        traces += 1;
        const ns = `stores-${traces}`;
        let nowMs = Date.now();
        const memory = createMemoryStore({ nowMs: () => nowMs });
        for (const [call, step] of steps.entries()) {
          if (step.kind === 'wait') nowMs += step.ms;
          const expected = await outcome(memory, ns, step, call, nowMs);
          expect([call, step.kind, await outcome(redis, ns, step, call, nowMs)]).toEqual([call, step.kind, expected]);
        }
        expect(await redis.admin.check(ns, nowMs)).toEqual([]);
        expect(await memory.admin.check(ns, nowMs)).toEqual([]);
        expect(await counts(redis, ns)).toEqual(await counts(memory, ns));
        const entries = (store: Stores) => store.admin.entries(ns, 0, 100);
        expect((await entries(redis)).map((e) => e['id'])).toEqual((await entries(memory)).map((e) => e['id']));
      }),
      { numRuns: 300, seed: 20260702 },
    );
  });

  it('accept and refuse the same policies, and draw the same parameters from them', async () => {
    const value = fc.oneof(
      fc.constantFrom<unknown>(0, 1, 2, 8, 64, 0.5, 1.5, -1, 1e9, null, true, '5', [], {}),
      fc.constantFrom('lru', 'arc', 'solar', 'unlimited', 'fixed', 'adaptive', 'paper-literal', 'fill', 'paper', 'on'),
    );
    const mostly = (...valid: unknown[]) =>
      fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...valid) }, { weight: 1, arbitrary: value });
    const some = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] });
    const policy = some({
      capacity: mostly(1, 7, 10_000),
      eviction: mostly('lru', 'arc', 'solar'),
      shares: some({ planned: mostly(0, 0.5, 1), protected: mostly(0, 0.2) }),
      gate: some({
        mode: mostly('fixed', 'adaptive', 'paper-literal'),
        bootstrap: mostly('fill', 'paper'),
        lambda: mostly(0.5, 5),
        floor: mostly(0.1, 0.5),
        ceiling: mostly(5),
        window: mostly(5, 30),
        tau0: mostly(1.5),
        rate: mostly(0.1),
      }),
      posterior: some({
        priorAlpha: mostly(1, 2),
        cap: mostly(0, 200),
        agingEvery: mostly(5),
        agingAmount: mostly(0, 0.05),
      }),
      bonus: some({ weight: mostly(0.3), scale: mostly(20) }),
      evictionCandidates: mostly(0, 8, 64),
      corroboration: mostly(1, 2),
      doorkeeperRatio: mostly(0, 16),
      mode: value,
    });
    const answer = (store: Stores, ns: string, text: string): Promise<unknown> =>
      store.admin.setPolicy(ns, text).then(
        () => 'accepted',
        (error: { code?: string }) => error.code,
      );
    const memory = createMemoryStore({ nowMs: () => Date.now() });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(policy, async (given) => {
        const text = JSON.stringify(given);
        const expected = await answer(memory, 'policies', text);
        accepted += expected === 'accepted' ? 1 : 0;
        expect([text, await answer(redis, 'policies', text)]).toEqual([text, expected]);
        expect(await counts(redis, 'policies')).toEqual(await counts(memory, 'policies'));
      }),
      { numRuns: 1500, seed: 20260703 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
