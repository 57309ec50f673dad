import { RepriseError } from '@reprise/kernel';
import { createTelemetry } from '@reprise/observability';
import {
  createQueueAdmin,
  deadLetters,
  ensureSchedules,
  type JobHandlers,
  keyPrefix,
  openQueueConnection,
  type QueueName,
  runJob,
  workerOptions,
} from '@reprise/queues';
import { Worker } from 'bullmq';
import { describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/process.js';
import { startRedis } from '../e2e/support/redis.js';
import { openPlain } from './support/queue-redis.js';
import { queueSpace } from './support/queue-space.js';

const { own, space, producer, queueOf, url } = queueSpace();

type Close = { conversations: { ns: string; conversation: string; idleMs: number; touchedMs: number }[] };

/** Runs a queue's jobs as a worker does; `settings` shorten what the table makes long. */
function work<Q extends QueueName>(
  name: Q,
  prefix: string,
  handlers: JobHandlers<Q>,
  settings: Partial<ReturnType<typeof workerOptions>> = {},
) {
  const metrics = createTelemetry({ version: 'test', strict: true });
  const lines: string[] = [];
  const context = {
    telemetry: metrics.telemetry,
    log: { write: (level: string, message: string) => void lines.push(`${level} ${message}`) },
    elapsedMs: () => performance.now(),
  };
  const connection = own(openQueueConnection({ url }, 'worker'), (client) => Promise.resolve(client.disconnect()));
  const worker = own(
    new Worker(name, (job, token) => runJob(name, handlers, job, token, context), {
      connection,
      prefix: keyPrefix(prefix),
      ...workerOptions(name),
      ...settings,
      autorun: true,
    }),
    (running) => running.close(),
  );
  worker.on('error', () => undefined);
  return { worker, metrics, lines };
}

/** Long enough that no quarter of it passes in a test. */
const hour = 3_600_000;
const quick = { attempts: 3, backoff: { type: 'fixed', delay: 10 } };
const aClose = { conversations: [{ ns: 'ns', conversation: 'c', idleMs: 1_000, touchedMs: 1 }] };

describe('the producer', () => {
  it('makes one job of many calls, due when the conversation may be idle', async () => {
    const { prefix } = await space('debounce');
    const { jobs, outcome } = producer({ prefix });
    const before = Date.now();
    for (let call = 0; call < 500; call++) jobs.conversationClose('ns', 'c', hour);
    await eventually(() => outcome('produced') > 0);
    for (let call = 0; call < 500; call++) jobs.conversationClose('ns', 'c', hour);
    await jobs.close();

    const delayed = await queueOf('conversation', prefix).getDelayed();
    expect(delayed).toHaveLength(1);
    const [job] = delayed;
    expect(job?.name).toBe('conversation-close');
    expect((job?.data as Close).conversations).toEqual([
      { ns: 'ns', conversation: 'c', idleMs: hour, touchedMs: expect.any(Number) as number },
    ]);
    expect((job?.timestamp ?? 0) + (job?.delay ?? 0)).toBeGreaterThanOrEqual(before + hour);
    expect(outcome('produced')).toBe(1);
  });

  it('gathers the conversations of one moment into one job, and bounds it', async () => {
    const { prefix } = await space('gather');
    const { jobs, outcome } = producer({ prefix });
    for (let i = 0; i < 450; i++) jobs.conversationClose(`ns${i % 3}`, `c${i}`, hour);
    await eventually(() => outcome('produced') === 3);
    const delayed = await queueOf('conversation', prefix).getDelayed();
    const sizes = delayed.map((job) => (job.data as Close).conversations.length);
    expect(sizes.sort((a, b) => a - b)).toEqual([50, 200, 200]);
    const mentioned = delayed.flatMap((job) =>
      (job.data as Close).conversations.map(({ conversation }) => conversation),
    );
    expect(new Set(mentioned).size).toBe(450);
  });

  it('schedules again when a quarter of the idle time has passed', async () => {
    const { prefix } = await space('again');
    const { jobs, outcome } = producer({ prefix });
    jobs.conversationClose('ns', 'c', 400);
    await eventually(() => outcome('produced') === 1);
    await eventually(() => {
      jobs.conversationClose('ns', 'c', 400);
      return outcome('produced') === 2;
    });
    expect(outcome('not-produced')).toBe(0);
  });

  it('writes what waits before it closes', async () => {
    const { prefix } = await space('close');
    const { jobs, outcome } = producer({ prefix, flushMs: 60_000 });
    const queue = queueOf('conversation', prefix);
    await queue.waitUntilReady();
    await eventually(async () => (await clients(url)).includes('reprise-queues-producer'));
    jobs.conversationClose('ns', 'c', hour);
    await jobs.close();
    expect(outcome('produced')).toBe(1);
    expect(await queue.getDelayedCount()).toBe(1);
  });

  it('puts every key under one hash tag', async () => {
    const { prefix, plain } = await space('tag');
    const { jobs, outcome } = producer({ prefix });
    jobs.conversationClose('ns', 'c', hour);
    await eventually(() => outcome('produced') === 1);
    const keys = await plain.keys(`*${prefix}*`);
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => !key.startsWith(`{${prefix}}:`))).toEqual([]);
  });

  it('counts what it cannot produce without Redis, and goes on when Redis is there', async () => {
    const first = await startRedis();
    const port = first.port;
    await first.stop('SIGKILL');
    const { jobs, metrics, outcome } = producer({ prefix: 'rpq', url: first.url });
    jobs.conversationClose('ns', 'c', hour);
    await eventually(() => outcome('not-produced') === 1);
    expect(metrics.total('reprise_degraded_total', { mode: 'queue-unavailable' })).toBe(1);

    own(await startRedis(port), (redis) => redis.stop('SIGKILL'));
    // The one that was lost is not remembered as scheduled: the next request of the conversation brings it back.
    await eventually(() => {
      jobs.conversationClose('ns', 'c', hour);
      return outcome('produced') > 0;
    });
  });

  it('does not wait for a Redis that hangs', async () => {
    const redis = own(await startRedis(), (started) => started.stop('SIGKILL'));
    const { jobs, outcome } = producer({ prefix: 'rpq', url: redis.url });
    jobs.conversationClose('ns', 'first', hour);
    await eventually(() => outcome('produced') === 1);
    redis.signal('SIGSTOP');
    for (let i = 0; i < 100; i++) jobs.conversationClose('ns', `c${i}`, hour);
    await eventually(() => outcome('not-produced') > 0);
    redis.signal('SIGCONT');
    await eventually(() => {
      jobs.conversationClose('ns', 'last', hour);
      return outcome('produced') > 1;
    });
  });

  it('bounds what waits', async () => {
    const { prefix } = await space('full');
    const { jobs, outcome } = producer({ prefix, flushMs: 60_000, limits: { waiting: 3 } });
    for (let i = 0; i < 10; i++) jobs.conversationClose('ns', `c${i}`, hour);
    expect(outcome('not-produced')).toBe(7);
  });
});

async function clients(at: string): Promise<string> {
  const plain = await openPlain(at);
  const list = (await plain.client('LIST')) as string;
  await plain.quit();
  return list;
}

describe('a job', () => {
  const nothing = () => Promise.resolve(undefined);

  it('is parsed, handled once and counted', async () => {
    const { prefix } = await space('run');
    const seen: unknown[] = [];
    const { metrics } = work('conversation', prefix, {
      'conversation-close': (payload) => {
        seen.push(payload);
        return nothing();
      },
    });
    const queue = queueOf('conversation', prefix);
    await queue.add('conversation-close', aClose);
    await eventually(() => metrics.total('reprise_jobs_total', { outcome: 'done' }) === 1);
    expect(seen).toEqual([aClose]);
    expect(await queue.getFailedCount()).toBe(0);
  });

  it.each([
    [
      'a payload that does not fit',
      'conversation-close',
      { conversations: [{ ns: 5 }] },
      /does not fit: conversations\.0\./,
    ],
    ['a name that the table does not have', 'conversation-burn', aClose, /no job conversation-burn/],
    ['a name that every object has', 'toString', aClose, /no job toString/],
  ])('ends as a dead letter at its first attempt: %s', async (_, name, data, reason) => {
    const { prefix } = await space('misfit');
    const { metrics } = work('conversation', prefix, { 'conversation-close': nothing });
    await queueOf('conversation', prefix).add(name, data);
    await eventually(async () => {
      const letters = await deadLetters({ url, prefix });
      return letters.ok && letters.value.total === 1;
    });
    const letters = await deadLetters({ url, prefix });
    if (!letters.ok) throw new Error(letters.error);
    expect(letters.value.counts).toEqual({ sweep: 0, ghosts: 0, conversation: 1, judge: 0, learn: 0, recompute: 0 });
    expect(letters.value.newest[0]).toMatchObject({ queue: 'conversation', job: name, attempts: 1 });
    expect(letters.value.newest[0]?.reason).toMatch(reason);
    expect(metrics.total('reprise_jobs_total', { outcome: 'dead' })).toBe(1);
  });

  it('is tried again after an error that may pass, and is a dead letter after the last attempt', async () => {
    const { prefix } = await space('retry');
    let calls = 0;
    const { metrics, lines } = work('conversation', prefix, {
      'conversation-close': () => {
        calls++;
        return Promise.reject(new RepriseError('RP_ERR_CACHE_UNAVAILABLE'));
      },
    });
    await queueOf('conversation', prefix).add('conversation-close', aClose, quick);
    await eventually(() => metrics.total('reprise_jobs_total', { outcome: 'dead' }) === 1);
    expect(calls).toBe(3);
    expect(metrics.total('reprise_jobs_total', { outcome: 'retried' })).toBe(2);
    expect(lines).toEqual([
      'warn job failed and is tried again',
      'warn job failed and is tried again',
      'error job is a dead letter',
    ]);
  });

  it('succeeds at a later attempt', async () => {
    const { prefix } = await space('later');
    let calls = 0;
    const { metrics } = work('conversation', prefix, {
      'conversation-close': () => (++calls < 3 ? Promise.reject(new Error('not yet')) : nothing()),
    });
    await queueOf('conversation', prefix).add('conversation-close', aClose, quick);
    await eventually(() => metrics.total('reprise_jobs_total', { outcome: 'done' }) === 1);
    expect(metrics.total('reprise_jobs_total', { outcome: 'retried' })).toBe(2);
  });

  it('is not tried again after an error that no retry mends', async () => {
    const { prefix } = await space('hopeless');
    let calls = 0;
    const { metrics } = work('conversation', prefix, {
      'conversation-close': () => {
        calls++;
        return Promise.reject(new RepriseError('RP_ERR_BAD_REQUEST'));
      },
    });
    await queueOf('conversation', prefix).add('conversation-close', aClose, quick);
    await eventually(() => metrics.total('reprise_jobs_total', { outcome: 'dead' }) === 1);
    expect(calls).toBe(1);
  });

  it('that is not over runs again with what is left, without costing an attempt', async () => {
    const { prefix } = await space('rerun');
    const seen: number[] = [];
    const { metrics } = work('conversation', prefix, {
      'conversation-close': ({ conversations }) => {
        seen.push(conversations.length);
        const left = conversations.slice(1);
        return left.length === 0
          ? nothing()
          : Promise.resolve({ payload: { conversations: left }, atMs: Date.now() + 20 });
      },
    });
    const [one] = aClose.conversations;
    const queue = queueOf('conversation', prefix);
    await queue.add('conversation-close', { conversations: [one, one, one, one, one, one] }, quick);
    await eventually(() => seen.length === 6 && metrics.total('reprise_jobs_total', { outcome: 'done' }) === 6);
    expect(seen).toEqual([6, 5, 4, 3, 2, 1]);
    await eventually(async () => (await queue.getJobCountByTypes('delayed', 'wait', 'active', 'failed')) === 0);
  });

  it('goes back to work when an operator says so', async () => {
    const { prefix } = await space('revive');
    let broken = true;
    const { metrics } = work('conversation', prefix, {
      'conversation-close': () => (broken ? Promise.reject(new RepriseError('RP_ERR_BAD_REQUEST')) : nothing()),
    });
    await queueOf('conversation', prefix).add('conversation-close', aClose);
    await eventually(() => metrics.total('reprise_jobs_total', { outcome: 'dead' }) === 1);
    broken = false;
    const admin = own(createQueueAdmin({ url, prefix }), (open) => open.close());
    await eventually(async () => {
      const put = await admin.retryDeadLetters('conversation');
      return put.ok && put.value === 1;
    });
    await eventually(() => metrics.total('reprise_jobs_total', { outcome: 'done' }) === 1);
    expect(await admin.deadLetters()).toMatchObject({ ok: true, value: { total: 0 } });
  });
});

describe('the operators’ functions', () => {
  it('say that the queues cannot be reached', async () => {
    const gone = await startRedis();
    await gone.stop('SIGKILL');
    expect(await deadLetters({ url: gone.url, prefix: 'rpq' })).toEqual({ ok: false, error: 'queue-unavailable' });
  });

  it.each([
    ['a whole namespace', undefined, [['b', 'x']]],
    [
      'one conversation',
      'x',
      [
        ['a', 'y'],
        ['b', 'x'],
      ],
    ],
  ] as const)('forget %s in every job', async (_, conversation, left) => {
    const { prefix } = await space('forget');
    const queue = queueOf('conversation', prefix);
    const mention = (ns: string, id: string) => ({ ns, conversation: id, idleMs: 60_000, touchedMs: 1 });
    await queue.add(
      'conversation-close',
      { conversations: [mention('a', 'x'), mention('a', 'y'), mention('b', 'x')] },
      { delay: 60_000 },
    );
    for (let i = 0; i < 150; i++)
      await queue.add('conversation-close', { conversations: [mention('a', 'x')] }, { delay: 60_000 });
    const admin = own(createQueueAdmin({ url, prefix }), (open) => open.close());
    const forgotten = await admin.forget('a', conversation);
    expect(forgotten).toEqual({ ok: true, value: conversation === undefined ? 152 : 151 });
    const jobs = await queue.getDelayed();
    expect(jobs.map((job) => (job.data as Close).conversations.map(({ ns, conversation: id }) => [ns, id]))).toEqual([
      left,
    ]);
  });
});

describe('the schedule', () => {
  const times = (sweepEveryMs: number) => ({
    sweepEveryMs,
    ghostsEveryMs: 3_600_000,
    learnEveryMs: 3_600_000,
    recomputeEveryMs: 3_600_000,
    judgedPerMinute: 600,
  });

  it('is one, however many workers make it', async () => {
    const { prefix } = await space('schedule');
    const connections = Array.from({ length: 3 }, () =>
      own(openQueueConnection({ url }, 'worker'), (client) => Promise.resolve(client.disconnect())),
    );
    const queue = queueOf('sweep', prefix);
    await Promise.all(connections.map((connection) => ensureSchedules(connection, prefix, times(60_000))));
    const [connection] = connections;
    if (connection === undefined) throw new Error('no connection');
    await ensureSchedules(connection, prefix, times(60_000));
    expect(await queue.getJobSchedulers()).toHaveLength(1);
    expect(await queue.getJobCountByTypes('delayed', 'wait')).toBe(1);
    await ensureSchedules(connection, prefix, times(30_000));
    expect((await queue.getJobSchedulers())[0]?.every).toBe(30_000);
    expect(await queue.getJobCountByTypes('delayed', 'wait')).toBe(1);
  });

  it('runs each sweep once, by one of the workers, and never two at a time', async () => {
    const { prefix } = await space('sweeps');
    const runs: string[] = [];
    let running = 0;
    let most = 0;
    const sweeper = (name: string) => ({
      'sweep-namespace': async () => {
        most = Math.max(most, ++running);
        // Longer than the interval, so that the next one is due while this one runs.
        await new Promise((resolve) => setTimeout(resolve, 150));
        running--;
        runs.push(name);
        return undefined;
      },
    });
    const connection = own(openQueueConnection({ url }, 'worker'), (client) => Promise.resolve(client.disconnect()));
    await ensureSchedules(connection, prefix, times(100));
    const workers = ['a', 'b', 'c'].map((name) => work('sweep', prefix, sweeper(name)));
    await eventually(() => runs.length >= 8);
    await Promise.all(workers.map(({ worker }) => worker.close()));
    const done = workers.reduce(
      (sum, { metrics }) => sum + metrics.total('reprise_jobs_total', { outcome: 'done' }),
      0,
    );
    expect(done).toBe(runs.length);
    expect(most).toBe(1);
  });
});
