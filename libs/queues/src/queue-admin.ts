import { err, ok, type Result } from '@reprise/kernel';
import type { Job, Queue } from 'bullmq';
import { closeQueueConnection, openQueueConnection, type QueueAddress } from './connection.js';
import { definitionOf, type QueueName, queueNames } from './job-table.js';
import { openQueue } from './open-queue.js';

/** A job that failed for good and waits for an operator. */
export interface DeadLetter {
  readonly queue: QueueName;
  readonly job: string;
  readonly id: string;
  readonly attempts: number;
  readonly failedAtMs: number;
  readonly reason: string;
}

export interface DeadLetters {
  readonly total: number;
  /** By queue. */
  readonly counts: Readonly<Record<QueueName, number>>;
  /** The newest ones. */
  readonly newest: readonly DeadLetter[];
}

const answerMs = 3_000;
const pageSize = 100;

/** The queues as operators see them. Every call ends within a few seconds, also without Redis. */
export interface QueueAdmin {
  deadLetters(limit?: number): Promise<Result<DeadLetters, 'queue-unavailable'>>;
  /** Puts the dead letters of a queue back to work; the number of them. */
  retryDeadLetters(queue: QueueName): Promise<Result<number, 'queue-unavailable'>>;
  /**
   * Removes a namespace, or one conversation of it, from every job that is not running; the number of removed mentions.
   * '' is no conversation. Jobs that hold texts of the namespace are removed whole: their texts come from several conversations.
   */
  forget(ns: string, conversation?: string): Promise<Result<number, 'queue-unavailable'>>;
  close(): Promise<void>;
}

export interface QueueAdminOptions extends QueueAddress {
  readonly prefix: string;
}

export function createQueueAdmin(options: QueueAdminOptions): QueueAdmin {
  const connection = openQueueConnection(options, 'producer');
  const queues = queueNames.map((name) => openQueue(name, connection, options.prefix));
  const queue = (name: QueueName): Queue => queues[queueNames.indexOf(name)] as Queue;

  const answer = async <T>(work: () => Promise<T>): Promise<Result<T, 'queue-unavailable'>> => {
    try {
      return ok(await within(ready(connection).then(work)));
    } catch {
      return err('queue-unavailable');
    }
  };

  return {
    deadLetters: (limit = 20) => answer(() => readDeadLetters(queues, limit)),
    retryDeadLetters: (name) =>
      answer(async () => {
        const failed = await queue(name).getFailedCount();
        if (failed > 0)
          await queue(name).retryJobs({ state: 'failed', count: definitionOf(name).keepDead.count ?? 1_000 });
        return failed;
      }),
    forget: (ns, conversation) =>
      answer(async () => {
        const closes = await forgetConversations(queue('conversation'), ns, conversation);
        return closes + (await forgetTexts(queue('judge'), ns));
      }),
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close().catch(() => undefined)));
      await closeQueueConnection(connection);
    },
  };
}

/** Dead letters of all queues, by a connection of its own; for `reprise doctor`. */
export async function deadLetters(
  options: QueueAdminOptions,
  limit = 20,
): Promise<Result<DeadLetters, 'queue-unavailable'>> {
  const admin = createQueueAdmin(options);
  try {
    return await admin.deadLetters(limit);
  } finally {
    await admin.close();
  }
}

async function readDeadLetters(queues: readonly Queue[], limit: number): Promise<DeadLetters> {
  const counts: Partial<Record<QueueName, number>> = {};
  const newest: DeadLetter[] = [];
  for (const queue of queues) {
    const name = queue.name as QueueName;
    counts[name] = await queue.getFailedCount();
    const jobs = limit > 0 ? await queue.getFailed(0, limit - 1) : [];
    newest.push(...jobs.map((job) => letterOf(name, job)));
  }
  newest.sort((a, b) => b.failedAtMs - a.failedAtMs);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { total, counts: counts as Record<QueueName, number>, newest: newest.slice(0, limit) };
}

const letterOf = (queue: QueueName, job: Job): DeadLetter => ({
  queue,
  job: job.name,
  id: job.id ?? '',
  attempts: job.attemptsMade,
  failedAtMs: job.finishedOn ?? 0,
  reason: job.failedReason ?? '',
});

interface Mention {
  readonly ns: string;
  readonly conversation: string;
}

/** Shows every job that has not run to the end to `visit`, page by page; it says whether it removed the job. */
async function eachJob(queue: Queue, visit: (job: Job) => Promise<boolean>): Promise<void> {
  for (const state of ['delayed', 'wait', 'failed'] as const) {
    let start = 0;
    for (;;) {
      const jobs = (await queue.getJobs([state], start, start + pageSize - 1)) as (Job | undefined)[];
      if (jobs.length === 0) break;
      start += jobs.length;
      // What is removed moves those behind it forward.
      for (const job of jobs) if (job !== undefined && (await visit(job))) start -= 1;
    }
  }
}

async function forgetConversations(queue: Queue, ns: string, conversation: string | undefined): Promise<number> {
  let forgotten = 0;
  await eachJob(queue, async (job) => {
    const mentions = (job.data as { conversations?: Mention[] } | undefined)?.conversations;
    if (!Array.isArray(mentions)) return false;
    const kept = mentions.filter((m) => m.ns !== ns || (conversation !== undefined && m.conversation !== conversation));
    if (kept.length === mentions.length) return false;
    forgotten += mentions.length - kept.length;
    if (kept.length === 0) return remove(job);
    await job.updateData({ conversations: kept });
    return false;
  });
  return forgotten;
}

async function forgetTexts(queue: Queue, ns: string): Promise<number> {
  let forgotten = 0;
  await eachJob(queue, async (job) => {
    const removed = (job.data as { ns?: unknown } | undefined)?.ns === ns && (await remove(job));
    if (removed) forgotten += 1;
    return removed;
  });
  return forgotten;
}

/** False for a job that runs by now, or is gone. */
const remove = (job: Job): Promise<boolean> =>
  job.remove().then(
    () => true,
    () => false,
  );

async function ready(connection: ReturnType<typeof openQueueConnection>): Promise<void> {
  if (connection.status === 'ready') return;
  await new Promise<void>((resolve) => connection.once('ready', () => resolve()));
}

function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${answerMs} ms`)), answerMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
