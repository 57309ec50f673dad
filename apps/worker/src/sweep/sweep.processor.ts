import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { RUNTIME, type Runtime } from '@reprise/nest';
import { type JobHandlers, workerOptions } from '@reprise/queues';
import { sweep } from '@reprise/semantic-cache';
import { TableProcessor } from '../jobs/table-processor.js';

/** Removes expired and orphaned state. */
@Processor('sweep', workerOptions('sweep'))
export class SweepProcessor extends TableProcessor<'sweep'> {
  readonly queue = 'sweep';
  readonly handlers: JobHandlers<'sweep'> = { 'sweep-namespace': () => this.sweep() };

  constructor(@Inject(RUNTIME) runtime: Runtime) {
    super(runtime);
  }

  private async sweep(): Promise<undefined> {
    const { config, log } = this.runtime;
    const { sweepEveryMs, sweepNamespaces, sweepLimit } = config.queues;
    const report = await sweep(
      { ...this.runtime, catalog: await this.runtime.catalog() },
      {
        everyMs: sweepEveryMs,
        namespaces: sweepNamespaces,
        members: sweepLimit,
      },
    );
    log.write(report.failed.length === 0 ? 'debug' : 'warn', 'swept', { ...report, failed: report.failed.length });
    return undefined;
  }
}
