import { type Log, RepriseError, type Telemetry } from '@reprise/kernel';
import { errorCodes } from '@reprise/kernel';
import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import { definitionOf, type JobName, type JobPayload, type QueueName } from './job-table.js';

/** Work that is not over yet: the job runs again at `atMs` with this payload, without costing an attempt. */
export interface RunAgain<P> {
  readonly payload: P;
  readonly atMs: number;
}

/** A try to do a job. */
export interface JobAttempt {
  /** No further try follows when this one fails. */
  readonly last: boolean;
}

/** One function per job name of a queue. */
export type JobHandlers<Q extends QueueName> = {
  readonly [J in JobName<Q>]: (
    payload: JobPayload<Q, J>,
    attempt: JobAttempt,
  ) => Promise<RunAgain<JobPayload<Q, J>> | undefined>;
};

export interface JobContext {
  readonly telemetry: Telemetry;
  readonly log: Log;
  /** Monotonic, ms. */
  readonly elapsedMs: () => number;
}

type Handler = (payload: unknown, attempt: JobAttempt) => Promise<RunAgain<unknown> | undefined>;

/**
 * Runs one attempt of a job: payload against the table, its handler, outcome counted. A payload that does not fit and
 * an error that no retry can mend end the job as a dead letter at once (UnrecoverableError); others are retried.
 */
export async function runJob<Q extends QueueName>(
  queue: Q,
  handlers: JobHandlers<Q>,
  job: Job,
  token: string | undefined,
  context: JobContext,
): Promise<void> {
  const start = context.elapsedMs();
  const count = (outcome: string): void =>
    context.telemetry.count('reprise_jobs_total', { queue, job: job.name, outcome });
  try {
    const again = await attempt(queue, handlers as Readonly<Record<string, Handler>>, job);
    if (again) await runAgain(job, token, again);
    count('done');
  } catch (error) {
    if (error instanceof DelayedError) {
      count('done');
      throw error;
    }
    const failure = toJobError(error);
    const dead = failure instanceof UnrecoverableError || isLast(job);
    count(dead ? 'dead' : 'retried');
    context.log.write(dead ? 'error' : 'warn', dead ? 'job is a dead letter' : 'job failed and is tried again', {
      queue,
      job: job.name,
      id: job.id,
      attempt: job.attemptsMade + 1,
      reason: failure.message,
    });
    throw failure;
  } finally {
    context.telemetry.observeMs('reprise_job_seconds', context.elapsedMs() - start, { queue });
  }
}

async function attempt(queue: QueueName, handlers: Readonly<Record<string, Handler>>, job: Job) {
  const schema = Object.hasOwn(definitionOf(queue).jobs, job.name) ? definitionOf(queue).jobs[job.name] : undefined;
  const handler = handlers[job.name];
  if (schema === undefined || handler === undefined)
    throw new UnrecoverableError(`queue ${queue} has no job ${job.name}`);
  const parsed = schema.safeParse(job.data);
  if (parsed.success) return handler(parsed.data, { last: isLast(job) });
  const problems = parsed.error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || '(root)'}: ${message}`);
  throw new UnrecoverableError(`the payload does not fit: ${problems.join('; ')}`);
}

const isLast = (job: Job): boolean => job.attemptsMade + 1 >= (job.opts.attempts ?? 1);

async function runAgain(job: Job, token: string | undefined, again: RunAgain<unknown>): Promise<never> {
  await job.updateData(again.payload);
  await job.moveToDelayed(again.atMs, token);
  throw new DelayedError();
}

/** Retry, or UnrecoverableError for an error of the table that no retry mends. */
function toJobError(error: unknown): Error {
  if (error instanceof RepriseError && !errorCodes[error.code].retryable && error.code !== 'RP_ERR_INTERNAL')
    return new UnrecoverableError(error.message);
  return error instanceof Error ? error : new Error(String(error));
}
