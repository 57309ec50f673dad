import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { OwnServer } from '@reprise/testing';
import { newEntry } from '@reprise/testing/contracts';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ns = 'calls';

describe("the policies' functions in Redis", () => {
  let server: OwnServer;
  let store: RedisStore;
  let client: Redis;

  beforeAll(async () => {
    server = await OwnServer.start(['--enable-debug-command', 'local']);
    client = new Redis(server.url);
    store = createRedisStore({ url: server.url, commandTimeoutMs: 5000 });
    await store.connect(10_000);
    await store.admin.setPolicy(ns, JSON.stringify({ capacity: 3, eviction: 'solar' }));
    for (let n = 1; n <= 3; n += 1) await store.entries.admit(ns, newEntry(n, { createdMs: Date.now() }));
  });
  afterAll(async () => {
    client.disconnect();
    await store.close();
    await server.stop();
  });

  const digest = async (): Promise<string> => String(await client.call('DEBUG', 'DIGEST'));

  it.each([-0.001, 1.001, Number.NaN, Infinity, -Infinity])(
    'refuse the loss %s and change nothing (invariant 6)',
    async (delta) => {
      const before = await digest();
      const call = { requestId: `bad-${delta}`, used: ['entry-1'], delta };
      await expect(store.policies.feedback(ns, call)).rejects.toThrow(/RP_ERR_INTERNAL|delta/);
      const entry = newEntry(9, { createdMs: Date.now(), loss: delta < 0 ? -2 : delta });
      await expect(store.entries.admit(ns, entry)).rejects.toThrow(/RP_ERR_INTERNAL|loss/);
      expect(await digest()).toBe(before);
    },
  );

  it('change nothing when they are repeated, and say the same (invariant 8)', async () => {
    const feedback = { requestId: 'f', used: ['entry-1', 'entry-2'], delta: 0.4, importance: 3, source: 5 };
    const label = { requestId: 'l', id: 'entry-2', verdict: 'incorrect' } as const;
    const offered = newEntry(4, { createdMs: Date.now(), requestId: 'a' });
    const replies = [
      await store.policies.feedback(ns, feedback),
      await store.policies.label(ns, label),
      (await store.entries.admit(ns, offered)).entryId,
    ];
    const before = await digest();
    expect([
      await store.policies.feedback(ns, feedback),
      await store.policies.label(ns, label),
      (await store.entries.admit(ns, offered)).entryId,
    ]).toEqual(replies);
    expect(await digest()).toBe(before);
  });

  it('count a label of an entry that is gone, and give it no effect (invariant 8)', async () => {
    const state = async () => [
      await client.hgetallBuffer(`rp:{${ns}}:post`),
      await client.zrange(`rp:{${ns}}:t:r`, 0, '-1', 'WITHSCORES'),
    ];
    const before = await state();
    const { labels_late: late = 0 } = await store.admin.stats(ns);
    const reply = await store.policies.label(ns, { requestId: 'late', id: 'entry-77', verdict: 'correct' });
    expect(reply.applied).toBe(false);
    expect((await store.admin.stats(ns))['labels_late']).toBe(late + 1);
    expect(await state()).toEqual(before);
  });

  it.each([{ entryId: 'purged-1' }, { tag: 'purged' }])(
    'count once also when they are repeated after a purge: %j',
    async (filter) => {
      const space = `purged-${Object.keys(filter).join()}`;
      const entries = [1, 2].map((n) =>
        newEntry(n, { id: `purged-${n}`, requestId: `a${n}`, createdMs: Date.now(), tags: ['purged'] }),
      );
      for (const entry of entries) await store.entries.admit(space, { ...entry, loss: 'counted' });
      const feedback = { requestId: 'f', used: ['purged-1', 'purged-2'], delta: 0.4, importance: 3, source: 5 };
      const label = { requestId: 'l', id: 'purged-2', verdict: 'correct' } as const;
      const call = async () => [
        await store.policies.feedback(space, feedback),
        await store.policies.label(space, label),
        (await store.entries.admit(space, newEntry(1, { id: 'purged-1', requestId: 'a1', createdMs: Date.now() })))
          .outcome,
      ];
      const replies = [await store.policies.feedback(space, feedback), await store.policies.label(space, label)];
      expect((await store.admin.purge(space, filter, false, Date.now())).removed).toBeGreaterThan(0);
      const before = await digest();
      // As before, without the ids that are gone.
      const purged = (id: string) => id === 'purged-1' || 'tag' in filter;
      const left = replies.map((reply) => ({ ...reply, promoted: reply.promoted.filter((id) => !purged(id)) }));
      expect(await call()).toEqual([...left, 'duplicate']);
      expect(await digest()).toBe(before);
      // The memory of requests names nothing that was purged.
      const memory = JSON.stringify(await client.hgetall(`rp:{${space}}:seen:new`));
      expect(memory).not.toContain('purged-1');
    },
  );

  it('are new calls after a purge of everything, which takes the memory too, and touch no entry', async () => {
    const space = 'emptied';
    await store.entries.admit(space, newEntry(1, { createdMs: Date.now(), loss: 'counted' }));
    const feedback = { requestId: 'f', used: ['entry-1'], delta: 0.4, importance: 3, source: 5 };
    const label = { requestId: 'l', id: 'entry-1', verdict: 'correct' } as const;
    const { step } = await store.policies.feedback(space, feedback);
    expect((await store.policies.label(space, label)).applied).toBe(true);
    await store.admin.purge(space, { all: true }, false, Date.now());
    expect(await client.exists(`rp:{${space}}:seen:new`)).toBe(0);
    expect((await store.policies.feedback(space, feedback)).step).toBe(step + 1);
    expect((await store.policies.label(space, label)).applied).toBe(false);
    expect(await client.exists(`rp:{${space}}:post`)).toBe(0);
    expect(await store.admin.stats(space)).toMatchObject({ entries: 0, labels_late: 1 });
    expect(await store.admin.check(space, Date.now())).toEqual([]);
  });

  it('remember each call for an hour or more, however few there are', async () => {
    const [space, hourMs] = ['quiet', 3_600_000];
    const [filling, older] = [`rp:{${space}}:seen:new`, `rp:{${space}}:seen:old`];
    const count = (requestId: string) => store.policies.feedback(space, { requestId, used: [], delta: 0.1 });
    const first = await count('first');
    expect(await client.pttl(filling)).toBeGreaterThan(1.9 * hourMs);
    // 59 minutes later, and then another 2.
    await client.pexpire(filling, hourMs + 60_000);
    const second = await count('second');
    expect(await client.pttl(filling)).toBeGreaterThan(hourMs);
    await client.pexpire(filling, hourMs - 60_000);
    await count('third');
    expect(await client.pttl(older)).toBeGreaterThan(0.9 * hourMs);
    expect(await client.pttl(older)).toBeLessThanOrEqual(hourMs);
    expect(await client.pttl(filling)).toBeGreaterThan(1.9 * hourMs);
    expect([await count('first'), await count('second')]).toEqual([first, second]);
  });
});
