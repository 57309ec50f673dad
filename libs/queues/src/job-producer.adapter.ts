import { type Log, silentTelemetry, stableHash, type Telemetry } from '@reprise/kernel';
import type { IdleConversation, JobProducer, JudgeJob } from '@reprise/semantic-cache';
import type { Queue } from 'bullmq';
import { closeQueueConnection, openQueueConnection, type QueueAddress } from './connection.js';
import { closesPerJob, type JobPayload } from './job-table.js';
import { JudgeLane } from './judge-lane.js';
import { openQueue } from './open-queue.js';
import { TouchBuffer, type TouchBufferLimits } from './touch-buffer.js';

export interface JobProducerOptions extends QueueAddress {
  readonly prefix: string;
  readonly telemetry?: Telemetry;
  readonly log?: Log;
  /** How long touches are gathered into one job; default 250. */
  readonly flushMs?: number;
  readonly limits?: Partial<TouchBufferLimits>;
  /** Reuses that may wait for a judge; default 5,000. */
  readonly judgeWaiting?: number;
}

const defaultLimits: TouchBufferLimits = { known: 20_000, waiting: 10_000 };
/** Jobs that may be on their way to Redis at a time. */
const inFlightLimit = 64;
const judgeWaitingLimit = 5_000;
/** A close that runs a little late finds the conversation idle at its first look. */
const slackMs = 50;

/**
 * Produces jobs for the workers. A call costs one look-up in a map; touches are gathered and go to Redis in one job
 * of up to 200 conversations, outside of the request. Nothing throws and nothing waits: without Redis a job is
 * counted as `not-produced`, and the next request of its conversation tries again.
 */
export function createJobProducer(options: JobProducerOptions): JobProducer {
  return new BullJobProducer(options);
}

class BullJobProducer implements JobProducer {
  private readonly connection;
  private readonly queue: Queue<JobPayload<'conversation', 'conversation-close'>, void, string>;
  private readonly judges: JudgeLane;
  private readonly touches: TouchBuffer;
  private readonly telemetry: Telemetry;
  private readonly underWay = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: JobProducerOptions) {
    this.telemetry = options.telemetry ?? silentTelemetry;
    this.touches = new TouchBuffer({ ...defaultLimits, ...options.limits });
    this.connection = openQueueConnection(options, 'producer');
    // Nothing here waits for a connection: `produce` looks at its state.
    this.queue = openQueue('conversation', this.connection, options.prefix);
    this.judges = new JudgeLane({
      connection: this.connection,
      prefix: options.prefix,
      telemetry: this.telemetry,
      ...(options.log === undefined ? {} : { log: options.log }),
      inFlight: inFlightLimit,
      waiting: options.judgeWaiting ?? judgeWaitingLimit,
    });
  }

  conversationClose(ns: string, conversation: string, idleMs: number): void {
    if (this.closed) return;
    const outcome = this.touches.touch(ns, conversation, idleMs, Date.now());
    if (outcome === 'full') this.lost('buffer full');
    if (outcome === 'new') this.flushLater();
  }

  judge(job: JudgeJob): void {
    if (!this.closed) this.judges.send(job);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    clearTimeout(this.timer);
    this.flush();
    this.closed = true;
    await Promise.all([...this.underWay, this.judges.close()]);
    await this.queue.close().catch(() => undefined);
    await closeQueueConnection(this.connection);
  }

  private flushLater(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      // The first requests of a process come before its connection does.
      if (/^connect/.test(this.connection.status)) this.flushLater();
      else this.flush();
    }, this.options.flushMs ?? 250).unref();
  }

  private flush(): void {
    for (const conversations of this.touches.take(closesPerJob)) {
      const work = this.produce(conversations).finally(() => this.underWay.delete(work));
      this.underWay.add(work);
    }
  }

  private async produce(conversations: IdleConversation[]): Promise<void> {
    try {
      if (this.connection.status !== 'ready') throw new Error(`Redis is ${this.connection.status}`);
      if (this.underWay.size >= inFlightLimit) throw new Error('Redis is slow');
      const dueMs = Math.max(...conversations.map(({ idleMs, touchedMs }) => touchedMs + idleMs)) + slackMs;
      const id = stableHash(['conversation-close', ...conversations.flatMap(identityOf)]);
      await this.queue.add(
        'conversation-close',
        { conversations },
        { jobId: id, delay: Math.max(0, dueMs - Date.now()) },
      );
      this.telemetry.count('reprise_jobs_total', this.labels('produced'));
    } catch (error) {
      this.touches.forget(conversations);
      this.lost(error instanceof Error ? error.message : String(error));
    }
  }

  private lost(reason: string): void {
    this.telemetry.count('reprise_jobs_total', this.labels('not-produced'));
    this.telemetry.count('reprise_degraded_total', { mode: 'queue-unavailable' });
    this.options.log?.write('debug', 'a job was not produced', { ...this.labels('not-produced'), reason });
  }

  private labels(outcome: 'produced' | 'not-produced') {
    return { queue: 'conversation', job: 'conversation-close', outcome };
  }
}

const identityOf = ({ ns, conversation, touchedMs }: IdleConversation): string[] => [
  ns,
  conversation,
  String(touchedMs),
];
