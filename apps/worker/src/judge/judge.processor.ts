import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { RUNTIME, type Runtime } from '@reprise/nest';
import { type JobHandlers, type JobPayload, workerOptions } from '@reprise/queues';
import { TableProcessor } from '../jobs/table-processor.js';

type Reuse = JobPayload<'judge', 'judge-reuse'>;

/** Has reuses judged. Without a judge every one is counted as missing. */
@Processor('judge', workerOptions('judge'))
export class JudgeProcessor extends TableProcessor<'judge'> {
  readonly queue = 'judge';
  readonly handlers: JobHandlers<'judge'> = { 'judge-reuse': (payload) => this.judge(payload) };

  constructor(@Inject(RUNTIME) runtime: Runtime) {
    super(runtime);
  }

  private judge(reuse: Reuse): Promise<undefined> {
    this.runtime.telemetry.count('reprise_judgements_total', { judge: 'none', outcome: 'missing' });
    this.runtime.log.write('debug', 'no judge says whether a reuse was right', { request: reuse.label.requestId });
    return Promise.resolve(undefined);
  }
}
