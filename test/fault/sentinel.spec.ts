import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSentinels } from '../../apps/cli/src/doctor/sentinel.check.js';
import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { findRedisBinary, freePort, OwnServer } from '@reprise/testing';
import { exactQuery, newEntry } from '@reprise/testing/contracts';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const name = 'primary-of-the-test';
const unavailable = { code: 'RP_ERR_CACHE_UNAVAILABLE' };

async function eventually<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < 1200; i += 1) {
    const found = await attempt().catch(() => undefined);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`It never came: ${what}.`);
}

/** One real sentinel, which decides alone. */
class OwnSentinel {
  private readonly dir = mkdtempSync(join(tmpdir(), 'reprise-sentinel-'));
  private child: ChildProcess | undefined;
  port = 0;

  async start(watchedPort: number): Promise<void> {
    const binary = findRedisBinary();
    if (binary === undefined) throw new Error('No redis-server: set TEST_REDIS_BIN, or run the tests by `npm test`.');
    this.port = await freePort();
    const file = join(this.dir, 'sentinel.conf');
    writeFileSync(
      file,
      [
        `port ${this.port}`,
        'bind 127.0.0.1',
        `dir ${this.dir}`,
        `sentinel monitor ${name} 127.0.0.1 ${watchedPort} 1`,
        `sentinel down-after-milliseconds ${name} 1000`,
        `sentinel failover-timeout ${name} 5000`,
      ].join('\n'),
    );
    this.child = spawn(binary.path, [file, '--sentinel'], { stdio: 'ignore' });
  }

  async ask(...words: string[]): Promise<unknown> {
    const client = new Redis({ port: this.port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call('SENTINEL', ...words);
    } finally {
      client.disconnect();
    }
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child && child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    rmSync(this.dir, { recursive: true, force: true });
  }
}

describe('behind Sentinel, when the primary dies', () => {
  const sentinel = new OwnSentinel();
  let first: OwnServer;
  let second: OwnServer;
  const stores: RedisStore[] = [];

  const open = async (): Promise<RedisStore> => {
    const store = createRedisStore({
      url: 'redis://unused:1',
      sentinels: [{ host: '127.0.0.1', port: sentinel.port }],
      sentinelName: name,
      commandTimeoutMs: 1000,
    });
    stores.push(store);
    await store.connect(20_000);
    return store;
  };

  beforeAll(async () => {
    first = await OwnServer.start();
    second = await OwnServer.start(['--replicaof', `127.0.0.1 ${first.port}`]);
    await sentinel.start(first.port);
    await eventually('the sentinel knows the replica', async () => {
      const replicas = (await sentinel.ask('REPLICAS', name)) as unknown[][];
      const text = replicas.map((fields) => fields.map(String));
      const linked = text.some((fields) => fields[fields.indexOf('master-link-status') + 1] === 'ok');
      return linked ? true : undefined;
    });
  });
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await sentinel.stop();
    await second.stop();
    await first.stop();
  });

  it('gateways go on with the new one, which has the functions, and nothing that was purged is served', async () => {
    const [store, other] = [await open(), await open()];
    for (const n of [1, 2, 3]) await store.entries.admit('acme', newEntry(n));
    await store.admin.quarantine('acme', 'entry-2', 'wrong', Date.now());
    // What one gateway had answered, the other primary must know as well.
    const control = new Redis(first.url);
    expect(await control.wait(1, 30_000)).toBe(1);
    control.disconnect();

    await first.kill();
    await expect(store.entries.exact('acme', exactQuery('exact-1'))).rejects.toMatchObject(unavailable);
    for (const gateway of [store, other]) {
      const reply = await eventually('the new primary answers', () =>
        gateway.entries.exact('acme', exactQuery('exact-1')),
      );
      expect(reply.outcome).toBe('hit');
      expect((await gateway.entries.exact('acme', exactQuery('exact-2'))).outcome).toBe('miss');
      expect((await gateway.entries.exact('acme', exactQuery('exact-3'))).outcome).toBe('hit');
    }
    const address = (await sentinel.ask('GET-MASTER-ADDR-BY-NAME', name)) as unknown[];
    expect(Number(address[1])).toBe(second.port);
    expect((await store.entries.admit('acme', newEntry(4))).outcome).toBe('stored');
    expect(await other.admin.check('acme', Date.now())).toEqual([]);
  });

  it('doctor looks at the server that the sentinels name', async () => {
    const config = { url: 'redis://unused:1', sentinels: [`redis://127.0.0.1:${sentinel.port}`], sentinelName: name };
    const { finding, url } = await checkSentinels(config, 5_000);
    expect(finding).toMatchObject({ level: 'ok', says: `1 of 1 know ${name} at 127.0.0.1:${second.port}` });
    expect(url).toBe(`redis://127.0.0.1:${second.port}`);
    const other = await checkSentinels({ ...config, sentinelName: 'another' }, 5_000);
    expect(other).toMatchObject({
      finding: { level: 'fail', says: expect.stringContaining('does not watch') as string },
    });
  });

  it('a new primary without functions gets them, and the old one that returns is not asked', async () => {
    const [store] = stores as [RedisStore];
    const control = new Redis(second.url);
    await control.call('FUNCTION', 'FLUSH');
    control.disconnect();
    expect((await store.entries.exact('acme', exactQuery('exact-4'))).outcome).toBe('hit');

    // It comes back empty and believes that it is the primary; the sentinel makes it a replica.
    await first.launch();
    for (let i = 0; i < 20; i += 1) {
      expect((await store.entries.exact('acme', exactQuery('exact-4'))).outcome).toBe('hit');
      expect((await store.entries.exact('acme', exactQuery('exact-2'))).outcome).toBe('miss');
    }
    const replica = new Redis(first.url);
    // The sentinel cuts its clients when it makes it a replica.
    replica.on('error', () => undefined);
    await eventually('the old primary follows the new one', async () =>
      (await replica.info('replication')).includes('role:slave') ? true : undefined,
    );
    replica.disconnect();
    expect((await store.entries.exact('acme', exactQuery('exact-4'))).outcome).toBe('hit');
    expect(await store.admin.check('acme', Date.now())).toEqual([]);
  });
});
