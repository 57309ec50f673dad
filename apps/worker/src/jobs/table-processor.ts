import { WorkerHost } from '@nestjs/bullmq';
import type { Runtime } from '@reprise/nest';
import { type JobHandlers, type QueueName, runJob } from '@reprise/queues';
import type { Job } from 'bullmq';

/** A processor of one queue of the job table: one handler per job name; the rest of an attempt is `runJob`. */
export abstract class TableProcessor<Q extends QueueName> extends WorkerHost {
  abstract readonly queue: Q;
  abstract readonly handlers: JobHandlers<Q>;

  constructor(protected readonly runtime: Runtime) {
    super();
  }

  process(job: Job, token?: string): Promise<void> {
    const { telemetry, log } = this.runtime;
    return runJob(this.queue, this.handlers, job, token, { telemetry, log, elapsedMs: () => performance.now() });
  }
}

/** A processor of any queue. */
export type AnyTableProcessor = { [Q in QueueName]: TableProcessor<Q> }[QueueName];
