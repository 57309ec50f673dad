import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedisStore } from '@reprise/redis-store';
import { OwnServer } from '@reprise/testing';
import { storeContract } from '@reprise/testing/contracts';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const users = ['gateway', 'worker', 'operator'] as const;
let server: OwnServer;
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-acl-'));
  const aclFile = join(dir, 'users.acl');
  copyFileSync(join(import.meta.dirname, '../../redis/acl/users.acl'), aclFile);
  server = await OwnServer.start(['--aclfile', aclFile]);
  const admin = new Redis(server.url);
  for (const user of users) await admin.call('ACL', 'SETUSER', user, 'on', `>secret of ${user}`);
  admin.disconnect();
});

afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true });
});

const urlOf = (user: string): string =>
  server.url.replace('://', `://${user}:${encodeURIComponent(`secret of ${user}`)}@`);

storeContract('redis, as the ACL user gateway', async () => {
  const store = createRedisStore({ url: urlOf('gateway'), commandTimeoutMs: 5000 });
  if (!(await store.connect(10_000))) throw new Error(JSON.stringify(store.health().down));
  return store;
});

describe('the ACL users', () => {
  it.each(users)('%s cannot flush, reconfigure or reach other keys', async (user) => {
    const client = new Redis(urlOf(user));
    const forbidden: [string, ...string[]][] = [
      ['FLUSHALL'],
      ['KEYS', '*'],
      ['CONFIG', 'SET', 'maxmemory', '1'],
      ['ACL', 'SETUSER', 'default', 'off'],
      ['SHUTDOWN'],
      ['GET', 'other:key'],
      ['SET', 'other:key', '1'],
      ['FUNCTION', 'FLUSH'],
    ];
    for (const [command, ...args] of forbidden) await expect(client.call(command, ...args)).rejects.toThrow(/NOPERM/);
    client.disconnect();
  });

  it('worker runs jobs', async () => {
    const connection = new Redis(urlOf('worker'), { maxRetriesPerRequest: null });
    const queue = new Queue('acl', { connection, prefix: '{rpq}' });
    const seen: unknown[] = [];
    const worker = new Worker<{ n: number }>(
      'acl',
      (job) => {
        seen.push(job.data);
        return Promise.resolve();
      },
      { connection, prefix: '{rpq}' },
    );
    await worker.waitUntilReady();
    const completed = once(worker, 'completed');
    await queue.add('job', { n: 1 });
    await completed;
    expect(seen).toEqual([{ n: 1 }]);
    await worker.close();
    await queue.close();
    connection.disconnect();
  });
});
