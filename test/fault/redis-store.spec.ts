import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { OwnServer, uniqueNamespace } from '@reprise/testing';
import { exactQuery, lookupQuery, newEntry, unitVector } from '@reprise/testing/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const unavailable = { code: 'RP_ERR_CACHE_UNAVAILABLE' };

async function eventually(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`It never came: ${what}.`);
}

/** Whether a call is settled before the event loop has turned even once: nothing was sent, nothing was waited for. */
async function settledAtOnce(call: Promise<unknown>): Promise<boolean> {
  let settled = false;
  call.then(
    () => (settled = true),
    () => (settled = true),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('a Redis that fails', () => {
  let server: OwnServer;
  let store: RedisStore;
  let ns: string;

  const open = async (): Promise<RedisStore> => {
    const opened = createRedisStore({ url: server.url, commandTimeoutMs: 200 });
    await opened.connect(10_000);
    return opened;
  };
  const up = (which: RedisStore = store): Promise<void> =>
    eventually('the store is up', () => Promise.resolve(which.health().up));

  beforeAll(async () => {
    server = await OwnServer.start();
  });
  afterAll(async () => {
    await server.stop();
  });
  beforeEach(async () => {
    store = await open();
    ns = uniqueNamespace('fault');
    await store.entries.admit(ns, newEntry(1));
  });
  afterEach(async () => {
    await store.close();
  });

  it('paused: the first call fails by its time-out, every further one at once, and it comes back by itself', async () => {
    server.pause();
    try {
      await expect(store.entries.exact(ns, exactQuery('exact-1'))).rejects.toMatchObject(unavailable);
      expect(store.health()).toMatchObject({ up: false, down: [{ server: 'redis' }] });
      for (let i = 0; i < 50; i += 1) {
        const call = store.entries.lookup(ns, lookupQuery(unitVector(64, 1)));
        expect(await settledAtOnce(call)).toBe(true);
        await expect(call).rejects.toMatchObject(unavailable);
      }
      expect(await store.vectors.get('model', 'text')).toBeUndefined();
      await expect(store.access.isRevoked('key')).rejects.toMatchObject(unavailable);
    } finally {
      server.resume();
    }
    await up();
    expect((await store.entries.exact(ns, exactQuery('exact-1'))).outcome).toBe('hit');
  });

  it('killed and restarted empty: fails fast, then is whole again without anybody', async () => {
    await server.kill();
    await expect(store.entries.exact(ns, exactQuery('exact-1'))).rejects.toMatchObject(unavailable);
    expect(await settledAtOnce(store.entries.exact(ns, exactQuery('exact-1')).catch(() => undefined))).toBe(true);
    await server.launch();
    await up();
    expect((await store.entries.exact(ns, exactQuery('exact-1'))).outcome).toBe('miss');
    expect((await store.entries.admit(ns, newEntry(1))).outcome).toBe('stored');
    expect((await store.entries.exact(ns, exactQuery('exact-1'))).outcome).toBe('hit');
    await store.admin.remember(ns);
    expect(await store.admin.namespaces()).toContain(ns);
  });

  it('restarted empty under three replicas at once: each serves again, no caller sees a missing function', async () => {
    const replicas = [store, await open(), await open()];
    try {
      await server.restartEmpty();
      await Promise.all(
        replicas.map((replica) => replica.entries.exact(ns, exactQuery('exact-1')).catch(() => undefined)),
      );
      await Promise.all(replicas.map(up));
      const replies = await Promise.all(
        replicas.flatMap((replica, i) => [
          replica.entries.admit(ns, newEntry(10 + i)),
          replica.entries.lookup(ns, lookupQuery(unitVector(64, 1))),
          replica.admin.check(ns, Date.now()),
        ]),
      );
      expect(replies).toHaveLength(9);
    } finally {
      await Promise.all(replicas.slice(1).map((replica) => replica.close()));
    }
  });

  it('functions lost while the connection stands: loaded again inside the call', async () => {
    await store.entries.exact(ns, exactQuery('exact-1'));
    const { Redis } = await import('ioredis');
    const client = new Redis(server.url);
    await client.call('FUNCTION', 'FLUSH');
    const replies = await Promise.all([
      store.entries.exact(ns, exactQuery('exact-1')),
      store.entries.lookup(ns, lookupQuery(unitVector(64, 1))),
      store.admin.stats(ns),
    ]);
    expect(replies[0].outcome).toBe('hit');
    await client.call('SCRIPT', 'FLUSH');
    client.disconnect();
    const evalsha = createRedisStore({ url: server.url, form: 'evalsha', commandTimeoutMs: 2000 });
    await evalsha.connect(10_000);
    expect((await evalsha.entries.exact(ns, exactQuery('exact-1'))).outcome).toBe('hit');
    await evalsha.close();
  });

  it('out of memory: what is stored is still served, storing is refused by name, nothing counts as down', async () => {
    const { Redis } = await import('ioredis');
    const client = new Redis(server.url);
    await client.config('SET', 'maxmemory', '1mb');
    try {
      await expect(store.entries.admit(ns, newEntry(2))).rejects.toMatchObject(unavailable);
      expect((await store.entries.exact(ns, exactQuery('exact-1'))).outcome).toBe('hit');
      expect((await store.entries.lookup(ns, lookupQuery(unitVector(64, 1)))).candidates).toHaveLength(1);
      expect(await store.admin.quarantine(ns, 'entry-1', 'wrong', Date.now())).toBe(true);
      expect(store.health().up).toBe(true);
    } finally {
      await client.config('SET', 'maxmemory', '0');
      client.disconnect();
    }
  });

  it('read only: refused by name, and served again when it is writable', async () => {
    const { Redis } = await import('ioredis');
    const primary = await OwnServer.start();
    const client = new Redis(server.url);
    try {
      await client.replicaof('127.0.0.1', primary.port);
      await eventually('the server is a replica', async () => {
        const refused = await store.entries.admit(ns, newEntry(3)).then(
          () => false,
          () => true,
        );
        return refused;
      });
      await expect(store.entries.admit(ns, newEntry(4))).rejects.toMatchObject(unavailable);
      await client.replicaof('NO', 'ONE');
      await eventually('the server takes writes', () =>
        store.entries.admit(ns, newEntry(5)).then(
          () => true,
          () => false,
        ),
      );
    } finally {
      client.disconnect();
      await primary.stop();
    }
  });

  it('never there: opens without an error and says why it is down', async () => {
    const nowhere = createRedisStore({ url: 'redis://127.0.0.1:1', commandTimeoutMs: 200 });
    expect(await nowhere.connect(100)).toBe(false);
    expect(nowhere.health()).toMatchObject({ up: false, down: [{ reason: expect.stringMatching(/\S/) as string }] });
    await expect(nowhere.entries.exact('ns', exactQuery('k'))).rejects.toMatchObject(unavailable);
    await nowhere.close();
  });

  it('a leader that dies in the middle: its followers are told when the lease runs out', async () => {
    const leader = { key: 'flight', owner: 'leader' };
    const follower = { key: 'flight', owner: 'follower' };
    await store.flights.acquire(ns, leader, 300, Date.now());
    await store.flights.publish(ns, leader, ['first'], 300, Date.now());
    const other = await open();
    await other.flights.acquire(ns, follower, 300, Date.now());
    const events = [];
    for await (const event of other.flights.follow(ns, follower, AbortSignal.timeout(10_000))) events.push(event);
    expect(events).toEqual([
      { type: 'chunk', data: 'first' },
      { type: 'abandoned', reason: 'lease' },
    ]);
    await other.close();
  });
});
