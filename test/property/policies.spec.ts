import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { OwnServer } from '@reprise/testing';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PolicyTwins } from './policy-twins.js';
import { changingTrace, largeTrace, sharedPolicies, steadyTrace, type Trace } from './policy-trace.js';

describe('policies: the Redis functions are the specification', { timeout: 300_000 }, () => {
  let server: OwnServer;
  let store: RedisStore;
  let client: Redis;
  let played = 0;

  beforeAll(async () => {
    server = await OwnServer.start();
    store = createRedisStore({ url: server.url, commandTimeoutMs: 10_000 });
    await store.connect(10_000);
    client = new Redis(server.url);
  });

  afterAll(async () => {
    client.disconnect();
    await store.close();
    await server.stop();
  });

  const equalOn = (traces: fc.Arbitrary<Trace>, count: number): Promise<void> =>
    fc.assert(
      fc.asyncProperty(traces, async (given) => {
        played += 1;
        await PolicyTwins.play(store, client, `trace-${played}`, given);
      }),
      { numRuns: count, seed: 20260701 },
    );

  it('on 600 traces in which policies and capacities change', async () => {
    await equalOn(changingTrace, 600);
  });

  it('on 300 longer traces of one policy each', async () => {
    await equalOn(steadyTrace(sharedPolicies), 300);
  });

  it('on 200 longer traces of ARC', async () => {
    await equalOn(steadyTrace(['arc']), 200);
  });

  it.each(sharedPolicies)(
    'on a large trace of %s: 64 of many are sampled, and a cut takes many steps',
    async (policy) => {
      const seen = await PolicyTwins.play(store, client, `large-${policy}`, largeTrace(policy, 20260703));
      expect(seen.sampledFrom).toBeGreaterThan(150);
      expect(seen.aboveSlots).toBeGreaterThan(0);
    },
  );
});
