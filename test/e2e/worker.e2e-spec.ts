import { keyPrefix, openQueueConnection } from '@reprise/queues';
import { Queue } from 'bullmq';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keysOf, openPlain } from '../integration/support/queue-redis.js';
import { metric, workerRuntime } from '../integration/support/worker-runtime.js';
import { ask, chat } from './support/chat.js';
import { eventually, startGateway } from './support/process.js';
import { type OwnRedis, startRedis } from './support/redis.js';
import { HoldingProxy, spawnWorker, startWorkerProcess, type WorkerProcess } from './support/worker.js';

const cleanups: (() => Promise<unknown>)[] = [];
const own = <T>(value: T, end: (value: T) => Promise<unknown>): T => {
  cleanups.push(() => end(value));
  return value;
};
let redis: OwnRedis;
beforeEach(async () => {
  redis = own(await startRedis(), (server) => server.stop('SIGKILL'));
});
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end();
});

const start = async (env: Record<string, string> = {}): Promise<WorkerProcess> =>
  own(await startWorkerProcess({ REDIS_URL: redis.url, ...env }), (worker) => worker.stop());
const once = { REPRISE_QUEUES__SWEEP_EVERY_MS: '3600000' };

const metricOf = async (worker: WorkerProcess, name: string, labels: Record<string, string>): Promise<number> =>
  metric(await (await fetch(`${worker.url}/metrics`)).text(), name, labels);
const sweeps = (worker: WorkerProcess): Promise<number> =>
  metricOf(worker, 'reprise_jobs_total', { job: 'sweep-namespace', outcome: 'done' });

function queueOf(name: string): Queue {
  const connection = own(openQueueConnection({ url: redis.url }, 'worker'), (client) =>
    Promise.resolve(client.disconnect()),
  );
  return own(new Queue(name, { connection, prefix: keyPrefix('rpq') }), (queue) => queue.close());
}

/** A namespace with one entry that has expired and is still in the registers. */
async function leaveOrphan(): Promise<{ left: () => Promise<number> }> {
  const filler = own(await workerRuntime(redis.url), (runtime) => runtime.close());
  const plain = own(await openPlain(redis.url), (client) => client.quit());
  await filler.admin.remember('acme');
  await filler.entries.admit('acme', {
    id: 'e1',
    requestId: 'r1',
    exactKey: 'x1',
    firstTurn: true,
    historyKey: '',
    conversation: 'c1',
    answer: '"answer"',
    model: 'm',
    tags: [],
    user: '',
    createdMs: Date.now(),
    exactTtlMs: 50,
    semanticTtlMs: 50,
    maxAgeMs: 50,
    promptTokens: 1,
    completionTokens: 1,
    costMicroUsd: 1,
    importance: 0,
    seed: 1,
  });
  await eventually(async () => (await keysOf(plain, 'rp:{acme}:e:*')).length === 0);
  const left = async (): Promise<number> => (await filler.admin.stats('acme'))['entries'] ?? -1;
  expect(await left()).toBe(1);
  return { left };
}

describe('the worker process', () => {
  it('sweeps, says so, and stops in order', async () => {
    const { left } = await leaveOrphan();
    const worker = await start(once);
    await eventually(
      async () => (await left()) === 0,
      15_000,
      () => worker.log,
    );
    await eventually(async () => (await sweeps(worker)) >= 1);
    expect(await metricOf(worker, 'reprise_swept_total', { what: 'removed' })).toBe(1);
    expect(await worker.stop('SIGTERM')).toBe(0);
    expect(worker.log).toContain('worker stops');
    expect(await queueOf('sweep').getActiveCount()).toBe(0);
  });

  it.each([
    ['a setting that is not one', { REPRISE_QUEUES__CONCURRENCY: 'many' }, /queues\.concurrency/],
    ['a setting that no section has', { REPRISE_QUEUES__CONCURENCY: '4' }, /concurrency/i],
  ])('does not start with %s, and says which', async (_, env, words) => {
    const worker = own(await spawnWorker({ REDIS_URL: redis.url, ...env }), (child) => child.stop('SIGKILL'));
    await eventually(() => !worker.running, 30_000);
    expect(worker.child.exitCode).toBe(78);
    expect(worker.log).toMatch(words);
  });

  it('stops in time when Redis is gone', async () => {
    const worker = await start(once);
    await redis.stop('SIGKILL');
    await eventually(async () => (await fetch(`${worker.url}/readyz`)).status === 503);
    expect(await worker.stop('SIGTERM')).toBe(0);
  });
});

describe('two worker processes', () => {
  it('share the sweeps, each run once', async () => {
    const env = { REPRISE_QUEUES__SWEEP_EVERY_MS: '1000' };
    const [first, second] = [await start(env), await start(env)];
    await eventually(async () => (await sweeps(first)) + (await sweeps(second)) >= 4, 30_000);
    const queue = queueOf('sweep');
    await queue.pause();
    await eventually(async () => (await queue.getActiveCount()) === 0);
    const done = await queue.getCompleted(0, 100);
    expect((await sweeps(first)) + (await sweeps(second))).toBe(new Set(done.map(({ id }) => id)).size);
  });

  it('one is killed with -9 in the middle of a job: the other does it', async () => {
    const { left } = await leaveOrphan();
    const proxy = own(await HoldingProxy.start(redis.port, /FCALL\r\n\$\d+\r\nrp_sweep_/i), (held) => held.stop());
    const doomed = await start({ ...once, REDIS_URL: proxy.url });
    await eventually(
      () => proxy.held,
      15_000,
      () => doomed.log,
    );
    const queue = queueOf('sweep');
    const [active] = await queue.getActive();
    expect(active?.name).toBe('sweep-namespace');

    const other = await start(once);
    await doomed.stop('SIGKILL');
    expect(await left()).toBe(1);
    await eventually(
      async () => (await sweeps(other)) === 1,
      60_000,
      () => other.log,
    );
    expect(await left()).toBe(0);
    const done = await queue.getCompleted(0, 10);
    expect(done.map(({ id }) => id)).toEqual([active?.id]);
    expect(await queue.getFailedCount()).toBe(0);
  });
});

describe('gateway and worker', () => {
  it('close a conversation that is idle', async () => {
    const env = {
      REDIS_URL: redis.url,
      REPRISE_CACHE__CONVERSATION_IDLE_MS: '2000',
      // A busy machine must not make the request pass the cache by.
      REPRISE_LIMITS__ADDED_LATENCY_MS: '5000',
      REPRISE_REDIS__COMMAND_TIMEOUT_MS: '2000',
    };
    const worker = await start(env);
    const gateway = own(await startGateway(env), (process) => process.stop());
    const plain = own(await openPlain(redis.url), (client) => client.quit());
    const reply = await chat(gateway.url, ask('Where is my order 4711?'));
    expect([reply.status, reply.cache, reply.reason]).toEqual([200, 'miss', expect.any(String)]);
    await eventually(async () => (await keysOf(plain, 'rp:{*}:c:*')).length === 1);
    await eventually(
      async () => (await metricOf(worker, 'reprise_conversation_closes_total', { outcome: 'closed' })) === 1,
      15_000,
      () => gateway.log + worker.log,
    );
    expect(await keysOf(plain, 'rp:{*}:c:*')).toEqual([]);
  });
});
