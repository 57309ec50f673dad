import type { QueueConnection } from './connection.js';
import { definitionOf, jobOptions, type QueueName, queueNames } from './job-table.js';
import { openQueue } from './open-queue.js';

/** Job schedulers by queue: the one job that comes again and again. */
const schedules: Readonly<Partial<Record<QueueName, string>>> = { sweep: 'sweep-namespace' };

/**
 * Makes the repeatable jobs and the limits over all workers be there; safe to call by many workers, and again after
 * Redis came back empty. One job per interval, whoever calls.
 */
export async function ensureSchedules(connection: QueueConnection, prefix: string, everyMs: number): Promise<void> {
  for (const name of queueNames) {
    const { globalConcurrency } = definitionOf(name);
    const job = schedules[name];
    const queue = openQueue(name, connection, prefix);
    try {
      if (globalConcurrency !== undefined) await queue.setGlobalConcurrency(globalConcurrency);
      if (job !== undefined)
        await queue.upsertJobScheduler(job, { every: everyMs }, { name: job, data: {}, opts: jobOptions(name) });
    } finally {
      await queue.close();
    }
  }
}
