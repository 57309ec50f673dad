import { type Log, stableHash, type Telemetry } from '@reprise/kernel';
import type { JudgeJob } from '@reprise/semantic-cache';
import type { Queue } from 'bullmq';
import type { QueueConnection } from './connection.js';
import { charsOf, judgeChars, type JudgePayload, toJudgePayload } from './judge-payload.js';
import { openQueue } from './open-queue.js';

export interface JudgeLaneOptions {
  readonly connection: QueueConnection;
  readonly prefix: string;
  readonly telemetry: Telemetry;
  readonly log?: Log;
  /** Jobs on their way to Redis at a time. */
  readonly inFlight: number;
  /** Jobs that may wait in the queue, over all gateways, give or take those of a second. */
  readonly waiting: number;
}

/** How long a count of what waits is believed. */
const countMs = 1_000;

/**
 * Sends judge jobs on their way, without waiting and without throwing. A job is lost, and counted, when Redis is away
 * or slow, when the workers are so far behind that the queue is full, or when its texts are too long. None of these
 * depends on what the verdict would be.
 */
export class JudgeLane {
  private readonly queue: Queue<JudgePayload, void, string>;
  private readonly underWay = new Set<Promise<void>>();
  private full = false;
  private countedMs = 0;

  constructor(private readonly options: JudgeLaneOptions) {
    this.queue = openQueue<JudgePayload>('judge', options.connection, options.prefix);
  }

  send(job: JudgeJob): void {
    const problem = this.problem(job);
    if (problem !== undefined) return this.lost(problem);
    const work = this.produce(job).finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  async close(): Promise<void> {
    await Promise.all(this.underWay);
    await this.queue.close().catch(() => undefined);
  }

  private problem(job: JudgeJob): string | undefined {
    const { connection, inFlight } = this.options;
    if (connection.status !== 'ready') return `Redis is ${connection.status}`;
    if (this.underWay.size >= inFlight) return 'Redis is slow';
    if (this.full && Date.now() - this.countedMs < countMs) return 'the queue is full';
    return charsOf(job) > judgeChars ? 'the texts are too long' : undefined;
  }

  private async produce(job: JudgeJob): Promise<void> {
    try {
      if (await this.isFull()) return this.lost('the queue is full');
      await this.queue.add('judge-reuse', toJudgePayload(job, Date.now()), {
        jobId: stableHash(['judge-reuse', job.ns, job.label.requestId]),
      });
      this.count('produced');
    } catch (error) {
      this.lost(error instanceof Error ? error.message : String(error));
    }
  }

  private async isFull(): Promise<boolean> {
    if (Date.now() - this.countedMs < countMs) return this.full;
    this.countedMs = Date.now();
    const counts = await this.queue.getJobCounts('waiting', 'delayed', 'prioritized');
    this.full = Object.values(counts).reduce((sum, count) => sum + count, 0) >= this.options.waiting;
    return this.full;
  }

  private lost(reason: string): void {
    this.count('not-produced');
    this.options.log?.write('debug', 'a reuse is not judged', { reason });
  }

  private count(outcome: 'produced' | 'not-produced'): void {
    this.options.telemetry.count('reprise_jobs_total', { queue: 'judge', job: 'judge-reuse', outcome });
  }
}
