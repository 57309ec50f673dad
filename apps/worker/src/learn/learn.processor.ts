import { Processor } from '@nestjs/bullmq';
import { Inject, type OnApplicationShutdown } from '@nestjs/common';
import { RUNTIME, type Runtime } from '@reprise/nest';
import { type JobHandlers, workerOptions } from '@reprise/queues';
import { LearnRuns } from '@reprise/semantic-cache';
import { TableProcessor } from '../jobs/table-processor.js';
import { ThreadLearners } from './thread-learners.js';

/** Learns which reuses are right, and puts what was learned in force. */
@Processor('learn', workerOptions('learn'))
export class LearnProcessor extends TableProcessor<'learn'> implements OnApplicationShutdown {
  readonly queue = 'learn';
  readonly handlers: JobHandlers<'learn'> = { 'learn-labels': () => this.learn() };
  private readonly runs = new LearnRuns();
  private readonly learners = new ThreadLearners();

  constructor(@Inject(RUNTIME) runtime: Runtime) {
    super(runtime);
  }

  onApplicationShutdown(): Promise<void> {
    return this.learners.close();
  }

  private async learn(): Promise<undefined> {
    const { risk, admin, log } = this.runtime;
    const report = await this.runs.run({ risk, admin, log, learners: this.learners });
    if (report.events > 0) log.write('debug', 'labels were learned from', { ...report, failed: report.failed.length });
    return undefined;
  }
}
