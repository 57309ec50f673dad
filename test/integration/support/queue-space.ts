import { createTelemetry } from '@reprise/observability';
import {
  createJobProducer,
  jobOptions,
  type JobProducerOptions,
  keyPrefix,
  openQueueConnection,
  type QueueName,
} from '@reprise/queues';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { afterEach } from 'vitest';
import { openPlain, ownPrefix, removeKeys, sharedRedisUrl } from './queue-redis.js';

/** Queues of a test file on the shared server; all that is opened by them ends after the test. */
export function queueSpace() {
  const cleanups: (() => Promise<unknown>)[] = [];
  /** Ended in reverse order after the test. */
  const own = <T>(value: T, end: (value: T) => Promise<unknown>): T => {
    cleanups.push(() => end(value));
    return value;
  };
  afterEach(async () => {
    for (const end of cleanups.splice(0).reverse()) await end();
  });

  const url = sharedRedisUrl();

  async function space(name: string): Promise<{ prefix: string; plain: Redis }> {
    const prefix = ownPrefix(name);
    const plain = own(await openPlain(url), (client) => client.quit());
    own(prefix, () => removeKeys(plain, `{${prefix}}*`));
    return { prefix, plain };
  }

  function producer(options: Partial<JobProducerOptions> & { prefix: string }) {
    const metrics = createTelemetry({ version: 'test', strict: true });
    const jobs = own(createJobProducer({ url, flushMs: 20, telemetry: metrics.telemetry, ...options }), (made) =>
      made.close(),
    );
    const outcome = (name: string): number =>
      metrics.total('reprise_jobs_total', { queue: 'conversation', job: 'conversation-close', outcome: name });
    return { jobs, metrics, outcome };
  }

  function queueOf(name: QueueName, prefix: string, at = url): Queue {
    const connection = own(openQueueConnection({ url: at }, 'worker'), (client) =>
      Promise.resolve(client.disconnect()),
    );
    const queue = new Queue(name, { connection, prefix: keyPrefix(prefix), defaultJobOptions: jobOptions(name) });
    return own(queue, (open) => open.close());
  }

  return { url, own, space, producer, queueOf };
}
