import { createRedisStore } from '@reprise/redis-store';
import { OwnServer } from '@reprise/testing';
import { exactQuery, newEntry } from '@reprise/testing/contracts';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';

const base = 'rp:{acme}';

it('entries in an older layout are dropped by the first call that writes, and nothing of them is read', async () => {
  const server = await OwnServer.start();
  const client = new Redis(server.url);
  const store = createRedisStore({ url: server.url, commandTimeoutMs: 5000 });
  onTestFinished(async () => {
    await store.close();
    client.disconnect();
    await server.stop();
  });
  await store.connect(10_000);
  await store.ensureLoaded();
  await store.admin.setPolicy('acme', JSON.stringify({ capacity: 100 }));
  // As a build before layout 2 left them: records and heads of other widths, exact keys as keys of their own.
  await client.hset(base, 'state', Buffer.alloc(96));
  await client.hdel(base, 'layout');
  await client.hset(`${base}:post`, 'old', Buffer.alloc(112, 1));
  await client.zadd(`${base}:t:r`, 1, 'old');
  await client.set(`${base}:x:exact-1`, 'old');
  await client.set(`${base}:e:old`, Buffer.alloc(300, 1), 'PX', 60_000);
  await client.call('VADD', `${base}:v:stratum`, 'VALUES', 2, 1, 0, 'old\u001f1', 'Q8');
  await client.hset(`${base}:strata`, 'stratum', 1);

  await expect(client.call('FCALL_RO', 'rp_stats', 1, base)).rejects.toThrow(/RP_ERR_LAYOUT/);
  const asked = await store.entries.exact('acme', exactQuery('exact-1', { nowMs: Date.now() }));
  expect(asked.outcome).toBe('miss');
  expect(await client.exists(`${base}:post`, `${base}:t:r`, `${base}:v:stratum`, `${base}:strata`)).toBe(0);
  expect(await client.hget(base, 'policy')).toContain('100');
  const entry = newEntry(1, { createdMs: Date.now() });
  expect(await store.entries.admit('acme', entry)).toMatchObject({ outcome: 'stored' });
  expect(await store.admin.check('acme', Date.now())).toEqual([]);
  expect((await store.admin.stats('acme'))['entries']).toBe(1);
});
