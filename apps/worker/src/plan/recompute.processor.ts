import { Processor } from '@nestjs/bullmq';
import { Inject, type OnApplicationShutdown } from '@nestjs/common';
import { RUNTIME, type Runtime } from '@reprise/nest';
import { type JobHandlers, workerOptions } from '@reprise/queues';
import { PlanRuns } from '@reprise/semantic-cache';
import { TableProcessor } from '../jobs/table-processor.js';
import { ThreadPlanner } from './thread-planner.js';

/** Chooses the content of planned tiers anew where something has changed. */
@Processor('recompute', workerOptions('recompute'))
export class RecomputeProcessor extends TableProcessor<'recompute'> implements OnApplicationShutdown {
  readonly queue = 'recompute';
  readonly handlers: JobHandlers<'recompute'> = { 'plan-tiers': () => this.plan() };
  private readonly runs = new PlanRuns();
  private readonly planner = new ThreadPlanner();

  constructor(@Inject(RUNTIME) runtime: Runtime) {
    super(runtime);
  }

  onApplicationShutdown(): Promise<void> {
    return this.planner.close();
  }

  private async plan(): Promise<undefined> {
    const { plans, policies, risk, admin, clock, telemetry, log, config } = this.runtime;
    const { recomputeEveryMs } = config.queues;
    const deps = { plans, policies, risk, admin, clock, telemetry, log, planner: this.planner };
    const report = await this.runs.run(deps, { everyMs: recomputeEveryMs });
    if (report.installed > 0) log.write('debug', 'planned', { ...report, failed: report.failed.length });
    return undefined;
  }
}
