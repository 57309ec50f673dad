import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { RUNTIME, type Runtime } from '@reprise/nest';
import {
  fromJudgePayload,
  type JobAttempt,
  type JobHandlers,
  type JobPayload,
  type RunAgain,
  workerOptions,
} from '@reprise/queues';
import { JudgeCircuit, judgeReuse } from '@reprise/semantic-cache';
import { TableProcessor } from '../jobs/table-processor.js';

type Reuse = JobPayload<'judge', 'judge-reuse'>;

const nanoPerUsd = 1e9;

/** Has reuses judged and keeps the verdicts. */
@Processor('judge', workerOptions('judge'))
export class JudgeProcessor extends TableProcessor<'judge'> {
  readonly queue = 'judge';
  readonly handlers: JobHandlers<'judge'> = { 'judge-reuse': (payload, attempt) => this.judge(payload, attempt) };
  private readonly circuit = new JudgeCircuit();

  constructor(@Inject(RUNTIME) runtime: Runtime) {
    super(runtime);
  }

  private async judge(payload: Reuse, { last }: JobAttempt): Promise<RunAgain<Reuse> | undefined> {
    const { risk, judge, clock, telemetry, config } = this.runtime;
    const { maxSpendUsd, spendShare, maxAgeMs } = config.judge;
    const judged = await judgeReuse(
      { risk, judge, circuit: this.circuit, clock, telemetry },
      { allowanceNanoUsd: maxSpendUsd * nanoPerUsd, spendShare, maxAgeMs },
      { job: fromJudgePayload(payload), decidedMs: payload.decidedMs, last },
    );
    return judged.outcome === 'again' ? { payload, atMs: judged.atMs } : undefined;
  }
}
