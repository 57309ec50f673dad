import { createCatalog } from '@reprise/catalog';
import { createTelemetry } from '@reprise/observability';
import {
  createJobProducer,
  createQueueAdmin,
  ensureSchedules,
  keyPrefix,
  openQueueConnection,
  type QueueAddress,
  runJob,
  workerOptions,
} from '@reprise/queues';
import { OwnCluster } from '@reprise/testing';
import { Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/process.js';

const cleanups: (() => Promise<unknown>)[] = [];
const own = <T>(value: T, end: (value: T) => Promise<unknown>): T => {
  cleanups.push(() => end(value));
  return value;
};
let cluster: OwnCluster;
let address: QueueAddress & { cluster: readonly string[] };
beforeAll(async () => {
  cluster = await OwnCluster.start();
  const nodes = cluster.addresses.map(({ host, port }) => `redis://${host}:${port}`);
  address = { url: nodes[0] ?? '', cluster: nodes };
});
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end();
});
afterAll(() => cluster.stop());

describe('on a Redis Cluster', () => {
  it('jobs are produced, scheduled, run and seen', async () => {
    const metrics = createTelemetry({ version: 'test', strict: true });
    const producer = own(
      createJobProducer({ ...address, prefix: 'rpq', flushMs: 20, telemetry: metrics.telemetry }),
      (jobs) => jobs.close(),
    );
    const connection = own(openQueueConnection(address, 'worker'), (client) => Promise.resolve(client.disconnect()));
    await ensureSchedules(connection, 'rpq', {
      sweepEveryMs: 3_600_000,
      ghostsEveryMs: 3_600_000,
      learnEveryMs: 3_600_000,
      recomputeEveryMs: 3_600_000,
      judgedPerMinute: 600,
    });
    const seen: string[] = [];
    const context = {
      telemetry: metrics.telemetry,
      log: { write: () => undefined },
      elapsedMs: () => performance.now(),
    };
    const start = <T extends Worker>(worker: T): T => {
      worker.on('error', () => undefined);
      return own(worker, (running) => running.close());
    };
    const options = { connection, prefix: keyPrefix('rpq') };
    const sweeps = { 'sweep-namespace': () => Promise.resolve(void seen.push('sweep')).then(() => undefined) };
    start(
      new Worker('sweep', (job, token) => runJob('sweep', sweeps, job, token, context), {
        ...options,
        ...workerOptions('sweep'),
        autorun: true,
      }),
    );
    const closes = {
      'conversation-close': ({ conversations }: { conversations: { conversation: string }[] }) => {
        seen.push(...conversations.map(({ conversation }) => conversation));
        return Promise.resolve(undefined);
      },
    };
    const conversations = start(
      new Worker('conversation', (job, token) => runJob('conversation', closes, job, token, context), {
        ...options,
        ...workerOptions('conversation'),
        autorun: true,
      }),
    );
    await conversations.waitUntilReady();

    for (let i = 0; i < 10; i++) producer.conversationClose('ns', 'c', 300);
    await eventually(() => seen.length === 2);
    expect([...seen].sort()).toEqual(['c', 'sweep']);
    const admin = own(createQueueAdmin({ ...address, prefix: 'rpq' }), (open) => open.close());
    expect(await admin.deadLetters()).toMatchObject({ ok: true, value: { total: 0 } });
  });

  it('the catalog keeps and lists its records', async () => {
    const catalog = own(createCatalog(address), (open) => open.close());
    await catalog.observe(
      ['a', 'b', 'c'].map((name) => ({ name, activity: 1, entries: 1 })),
      1_000,
    );
    expect(await catalog.capabilities()).toEqual({ ok: true, value: { search: false } });
    const found = await catalog.namespaces.find({ equal: { tenant: 'b' } }, { offset: 0, limit: 10 });
    expect(found.ok && found.value.records.map(({ name }) => name)).toEqual(['b']);
    const listed = await catalog.namespaces.list({ offset: 0, limit: 10 });
    expect(listed.ok && listed.value.total).toBe(3);
  });
});
