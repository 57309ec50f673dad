import type { Queue } from 'bullmq';
import { definitionOf, jobOptions, type QueueName } from './job-table.js';

/** Job schedulers by queue: the one job that comes again and again. */
const schedules = { sweep: 'sweep-namespace' } as const satisfies Partial<Record<QueueName, string>>;

/**
 * Makes the queue's repeatable job and its limit over all workers be there; safe to call by many workers and again
 * after Redis came back empty. One job per interval, whoever calls.
 */
export async function ensureSchedule(queue: Queue, everyMs: number): Promise<void> {
  const name = queue.name as QueueName;
  const { globalConcurrency } = definitionOf(name);
  if (globalConcurrency !== undefined) await queue.setGlobalConcurrency(globalConcurrency);
  if (name in schedules) {
    const job = schedules[name as keyof typeof schedules];
    await queue.upsertJobScheduler(job, { every: everyMs }, { name: job, data: {}, opts: jobOptions(name) });
  }
}
