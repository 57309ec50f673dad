import 'reflect-metadata';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { RUNTIME, type Runtime } from '@reprise/nest';
import {
  deadLetters,
  type JobHandlers,
  jobOptions,
  keyPrefix,
  openQueueConnection,
  workerOptions,
} from '@reprise/queues';
import type { NewEntry } from '@reprise/semantic-cache';
import { processors, TableProcessor } from '@reprise/worker';
import { Queue } from 'bullmq';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/process.js';
import { type OwnRedis, startRedis } from '../e2e/support/redis.js';
import { keysOf, openPlain } from './support/queue-redis.js';
import { metric, startWorker, workerRuntime } from './support/worker-runtime.js';

const cleanups: (() => Promise<unknown>)[] = [];
const own = <T>(value: T, end: (value: T) => Promise<unknown>): T => {
  cleanups.push(() => end(value));
  return value;
};
/** Servers end last, whenever they were started. */
const server = (redis: OwnRedis): OwnRedis => {
  cleanups.unshift(() => redis.stop('SIGKILL'));
  return redis;
};
let redis: OwnRedis;
beforeEach(async () => {
  redis = server(await startRedis());
});
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end();
});

const worker = async (settings: Record<string, string> = {}, offered?: Parameters<typeof startWorker>[2]) =>
  own(await startWorker(redis.url, settings, offered), (started) => started.close());
const often = { REPRISE_QUEUES__SWEEP_EVERY_MS: '1000' };

function queueOf(name: 'sweep' | 'conversation'): Queue {
  const connection = own(openQueueConnection({ url: redis.url }, 'worker'), (client) =>
    Promise.resolve(client.disconnect()),
  );
  const queue = new Queue(name, { connection, prefix: keyPrefix('rpq'), defaultJobOptions: jobOptions(name) });
  return own(queue, (open) => open.close());
}

async function entry(n: number, lifeMs: number, change: Partial<NewEntry> = {}): Promise<NewEntry> {
  const vector = new Float32Array(32);
  vector[n % 32] = Math.cos(n);
  vector[(n + 1) % 32] = Math.sin(n);
  return {
    id: `e${n}`,
    requestId: `r${n}`,
    exactKey: `x${n}`,
    stratum: 'model-of-yesterday',
    vector,
    fingerprint: `f${n}`,
    firstTurn: true,
    historyKey: '',
    conversation: `c${n}`,
    answer: `"answer ${n}"`,
    model: 'm',
    tags: [],
    user: '',
    createdMs: Date.now(),
    exactTtlMs: lifeMs,
    semanticTtlMs: lifeMs,
    maxAgeMs: lifeMs,
    promptTokens: 1,
    completionTokens: 1,
    costMicroUsd: 1,
    importance: 0,
    seed: n,
    ...change,
  };
}

describe('the boot check', () => {
  @Processor('sweep', workerOptions('sweep'))
  class SecondSweep extends TableProcessor<'sweep'> {
    readonly queue = 'sweep';
    readonly handlers: JobHandlers<'sweep'> = { 'sweep-namespace': () => Promise.resolve(undefined) };
    constructor(@Inject(RUNTIME) runtime: Runtime) {
      super(runtime);
    }
  }

  it.each([
    ['a job without a handler', processors.slice(0, 1), /conversation\/conversation-close has no handler/],
    ['no handler at all', [], /sweep\/sweep-namespace has no handler; job ghosts/],
    ['two handlers of one job', [...processors, SecondSweep], /sweep\/sweep-namespace has 2 handlers/],
  ])('refuses to start: %s', async (_, offered, words) => {
    const queue = queueOf('sweep');
    await queue.add('sweep-namespace', {});
    await expect(startWorker(redis.url, {}, offered)).rejects.toThrow(words);
    // It has taken no job.
    expect(await queue.getWaitingCount()).toBe(1);
    expect(await queue.getWorkersCount()).toBe(0);
  });

  it('lets a worker start with one handler each', async () => {
    const started = await worker();
    await eventually(async () => (await fetch(`${started.url}/readyz`)).ok);
  });
});

describe('a conversation', () => {
  const idleMs = 800;
  const closes = async (runtime: Runtime, outcome: string): Promise<number> =>
    metric(await runtime.metricsText(), 'reprise_conversation_closes_total', { outcome });

  it('is closed when it has been idle, by one job for all its requests', async () => {
    const { runtime } = await worker();
    const plain = own(await openPlain(redis.url), (client) => client.quit());
    const { id: conversation } = await runtime.conversations.join('ns', 'head', 'fresh', Date.now(), idleMs);
    for (let turn = 0; turn < 20; turn++) {
      await runtime.conversations.advance('ns', conversation, `head-${turn}`, Date.now(), idleMs);
    }
    // At one moment: touches further apart than a quarter of the idle time have a job each.
    for (let turn = 0; turn < 20; turn++) runtime.jobs.conversationClose('ns', conversation, idleMs);
    expect(await keysOf(plain, '*:c:fresh')).toHaveLength(1);
    await eventually(async () => (await closes(runtime, 'closed')) === 1);
    expect(await keysOf(plain, '*:c:fresh')).toEqual([]);
    const text = await runtime.metricsText();
    expect(metric(text, 'reprise_jobs_total', { job: 'conversation-close', outcome: 'produced' })).toBe(1);
  });

  it('that was touched since stays open, and is closed when it is idle after all', async () => {
    const { runtime } = await worker();
    const plain = own(await openPlain(redis.url), (client) => client.quit());
    const longMs = 3_000;
    const startMs = Date.now();
    const { id: conversation } = await runtime.conversations.join('ns', 'head', 'fresh', startMs, longMs);
    runtime.jobs.conversationClose('ns', conversation, longMs);
    // Another gateway's request, a little later: no other close is scheduled for it here.
    await runtime.conversations.advance('ns', conversation, 'next', startMs + 0.4 * longMs, longMs);
    runtime.jobs.conversationClose('ns', conversation, longMs);

    await eventually(async () => (await closes(runtime, 'busy')) === 1);
    expect(await keysOf(plain, '*:c:fresh')).toHaveLength(1);
    await eventually(async () => (await closes(runtime, 'closed')) === 1);
    const text = await runtime.metricsText();
    expect(metric(text, 'reprise_jobs_total', { outcome: 'produced' })).toBe(1);
    expect(await queueOf('conversation').getJobCountByTypes('delayed', 'wait', 'active', 'failed')).toBe(0);
  });

  it('is closed once when two gateways scheduled it', async () => {
    const { runtime } = await worker();
    const other = own(await workerRuntime(redis.url), (second) => second.close());
    const { id: conversation } = await runtime.conversations.join('ns', 'head', 'fresh', Date.now(), idleMs);
    runtime.jobs.conversationClose('ns', conversation, idleMs);
    await new Promise((resolve) => setTimeout(resolve, 5));
    other.jobs.conversationClose('ns', conversation, idleMs);
    await eventually(async () => (await closes(runtime, 'closed')) + (await closes(runtime, 'unknown')) === 2);
    expect(await closes(runtime, 'closed')).toBe(1);
  });
});

describe('the sweep', () => {
  const count = 100;
  const swept = async (runtime: Runtime, what: string): Promise<number> =>
    metric(await runtime.metricsText(), 'reprise_swept_total', { what });
  const runs = async (runtime: Runtime): Promise<number> =>
    metric(await runtime.metricsText(), 'reprise_jobs_total', { job: 'sweep-namespace', outcome: 'done' });

  it('removes expired state in bounded runs, old strata with it, and leaves what lives', async () => {
    const filler = own(await workerRuntime(redis.url), (runtime) => runtime.close());
    const plain = own(await openPlain(redis.url), (client) => client.quit());
    for (let n = 0; n < count; n++) await filler.entries.admit('acme', await entry(n, 300));
    await filler.entries.admit('acme', await entry(count, 3_600_000, { stratum: 'model-of-today' }));
    await filler.admin.remember('acme');
    expect(await keysOf(plain, 'rp:{acme}:v:*')).toHaveLength(2);
    await eventually(async () => (await keysOf(plain, 'rp:{acme}:e:*')).length === 1);
    expect((await filler.admin.stats('acme'))['entries']).toBe(count + 1);

    const { runtime } = await worker({ ...often, REPRISE_QUEUES__SWEEP_LIMIT: '20' });
    await eventually(async () => (await filler.admin.stats('acme'))['entries'] === 1, 60_000);
    expect(await keysOf(plain, 'rp:{acme}:v:*')).toEqual(['rp:{acme}:v:model-of-today']);
    // A run counts when it ends.
    await eventually(async () => (await swept(runtime, 'removed')) >= count);
    // The limit held: one run could not have done it.
    expect(await runs(runtime)).toBeGreaterThan(2);
    expect(await filler.admin.check('acme', Date.now())).toEqual([]);
    const known = await (await runtime.catalog()).namespaces.get('acme');
    expect(known.ok && known.value).toMatchObject({ name: 'acme', tenant: 'acme', entries: 1 });
  });

  it('is run by one of two workers, each time', async () => {
    const first = await worker(often);
    const second = await worker(often);
    const both = async (): Promise<number> => (await runs(first.runtime)) + (await runs(second.runtime));
    await eventually(async () => (await both()) >= 4);
    await first.close();
    await second.close();
    const done = await queueOf('sweep').getCompleted(0, 100);
    expect(new Set(done.map(({ id }) => id)).size).toBe(await both());
  });

  it('goes on after Redis came back empty', async () => {
    const { runtime } = await worker(often);
    await eventually(async () => (await runs(runtime)) >= 1);
    const { port } = redis;
    await redis.stop('SIGKILL');
    server(await startRedis(port));
    const before = await runs(runtime);
    await eventually(async () => (await runs(runtime)) >= before + 2, 30_000);
  });
});

describe('the process', () => {
  it('starts without Redis and takes jobs when it is there', async () => {
    const { port } = redis;
    await redis.stop('SIGKILL');
    const started = await worker(often);
    const ready = await fetch(`${started.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      status: 'degraded',
      degraded: ['cache-unavailable', 'queue-unavailable'],
    });
    expect((await fetch(`${started.url}/healthz`)).status).toBe(200);
    const metrics = await fetch(`${started.url}/metrics`);
    expect(metric(await metrics.text(), 'reprise_up', { part: 'queues' })).toBe(0);

    server(await startRedis(port));
    await eventually(async () => (await fetch(`${started.url}/readyz`)).ok, 30_000);
    await eventually(async () => {
      const text = await (await fetch(`${started.url}/metrics`)).text();
      return metric(text, 'reprise_jobs_total', { queue: 'sweep', outcome: 'done' }) > 0;
    }, 30_000);
  });

  it('stops without Redis, too', async () => {
    const started = await startWorker(redis.url);
    await eventually(async () => (await fetch(`${started.url}/readyz`)).ok);
    await redis.stop('SIGKILL');
    await eventually(async () => (await fetch(`${started.url}/readyz`)).status === 503);
    await expect(started.close()).resolves.toBeUndefined();
  });

  it('shows dead letters in its metrics and to operators', async () => {
    const started = await worker();
    await queueOf('conversation').add('conversation-close', { conversations: 'none' });
    await eventually(async () => {
      const text = await (await fetch(`${started.url}/metrics`)).text();
      return metric(text, 'reprise_dead_letters', { queue: 'conversation' }) === 1;
    });
    const letters = await deadLetters({ url: redis.url, prefix: 'rpq' });
    expect(letters).toMatchObject({ ok: true, value: { total: 1, counts: { conversation: 1, sweep: 0 } } });
  });

  it('finishes the running job before it stops, and takes no new one', async () => {
    const events: string[] = [];
    @Processor('sweep', workerOptions('sweep'))
    class SlowSweep extends TableProcessor<'sweep'> {
      readonly queue = 'sweep';
      readonly handlers: JobHandlers<'sweep'> = {
        'sweep-namespace': async () => {
          events.push('begins');
          await new Promise((resolve) => setTimeout(resolve, 500));
          events.push('ends');
          return undefined;
        },
      };
      constructor(@Inject(RUNTIME) runtime: Runtime) {
        super(runtime);
      }
    }
    const started = await startWorker(redis.url, {}, [SlowSweep, ...processors.slice(1)]);
    const queue = queueOf('sweep');
    await queue.add('sweep-namespace', {});
    await queue.add('sweep-namespace', {});
    await eventually(() => events.length > 0);
    await started.close();
    events.push('closed');
    expect(events.slice(-2)).toEqual(['ends', 'closed']);
    expect(await queue.getActiveCount()).toBe(0);
    expect(events.filter((event) => event === 'begins')).toHaveLength(
      events.filter((event) => event === 'ends').length,
    );
    expect(await queue.getWaitingCount()).toBeGreaterThan(0);
  });

  it('takes a free port for its probes when the configured one is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    own(other, (server) => new Promise((resolve) => server.close(resolve)));
    const { port } = other.address() as { port: number };
    const started = await worker({ REPRISE_QUEUES__HEALTH_PORT: String(port) });
    expect(started.url).not.toContain(`:${port}`);
    expect((await fetch(`${started.url}/healthz`)).status).toBe(200);
  });

  it.each([
    ['GET', '/', 404],
    ['GET', '/healthz?x=1', 200],
    ['HEAD', '/healthz', 200],
    ['POST', '/healthz', 405],
    ['GET', '/metrics/../healthz', 200],
    ['GET', '/../../etc/passwd', 404],
  ])('answers %s %s with %d', async (method, path, status) => {
    const started = await worker();
    expect((await fetch(`${started.url}${path}`, { method })).status).toBe(status);
  });
});
