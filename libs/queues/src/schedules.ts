import type { QueueConnection } from './connection.js';
import { definitionOf, jobOptions, type QueueName, queueNames } from './job-table.js';
import { openQueue } from './open-queue.js';

/** Times between two runs of the jobs that come again and again, ms. */
export interface ScheduleTimes {
  readonly sweepEveryMs: number;
  readonly ghostsEveryMs: number;
  readonly learnEveryMs: number;
  readonly recomputeEveryMs: number;
  /** Reuses that all workers together judge in a minute. */
  readonly judgedPerMinute: number;
}

/** Job schedulers by queue: the one job that comes again and again, and which time is its. */
const schedules: Readonly<
  Partial<Record<QueueName, { readonly job: string; readonly every: Exclude<keyof ScheduleTimes, 'judgedPerMinute'> }>>
> = {
  sweep: { job: 'sweep-namespace', every: 'sweepEveryMs' },
  ghosts: { job: 'run-ghosts', every: 'ghostsEveryMs' },
  learn: { job: 'learn-labels', every: 'learnEveryMs' },
  recompute: { job: 'plan-tiers', every: 'recomputeEveryMs' },
};

/**
 * Makes the repeatable jobs and the limits over all workers be there; safe to call by many workers, and again after
 * Redis came back empty. One job per interval, whoever calls.
 */
export async function ensureSchedules(
  connection: QueueConnection,
  prefix: string,
  times: ScheduleTimes,
): Promise<void> {
  for (const name of queueNames) {
    const { globalConcurrency } = definitionOf(name);
    const schedule = schedules[name];
    const queue = openQueue(name, connection, prefix);
    try {
      if (globalConcurrency !== undefined) await queue.setGlobalConcurrency(globalConcurrency);
      if (name === 'judge') await queue.setGlobalRateLimit(times.judgedPerMinute, 60_000);
      if (schedule === undefined) continue;
      const { job, every } = schedule;
      await queue.upsertJobScheduler(job, { every: times[every] }, { name: job, data: {}, opts: jobOptions(name) });
    } finally {
      await queue.close();
    }
  }
}
