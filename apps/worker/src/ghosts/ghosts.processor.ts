import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { RUNTIME, type Runtime } from '@reprise/nest';
import { type JobHandlers, workerOptions } from '@reprise/queues';
import { GhostRuns } from '@reprise/semantic-cache';
import { TableProcessor } from '../jobs/table-processor.js';

/** Runs the ghost policies and hands recency tiers over. */
@Processor('ghosts', workerOptions('ghosts'))
export class GhostsProcessor extends TableProcessor<'ghosts'> {
  readonly queue = 'ghosts';
  readonly handlers: JobHandlers<'ghosts'> = { 'run-ghosts': () => this.ghosts() };
  private readonly runs = new GhostRuns();

  constructor(@Inject(RUNTIME) runtime: Runtime) {
    super(runtime);
  }

  private async ghosts(): Promise<undefined> {
    const { config, log } = this.runtime;
    const { ghostsEveryMs, sweepNamespaces, ghostsEvents } = config.queues;
    const report = await this.runs.run(this.runtime, {
      everyMs: ghostsEveryMs,
      namespaces: sweepNamespaces,
      events: ghostsEvents,
    });
    for (const [policy, loss] of Object.entries(report.losses))
      this.runtime.setGauge('reprise_ghost_loss', loss, { policy });
    log.write('debug', 'ghosts ran', { ...report, failed: report.failed.length });
    return undefined;
  }
}
