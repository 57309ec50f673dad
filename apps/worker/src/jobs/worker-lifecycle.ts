import { BullRegistrar } from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { defaultPrices } from '@reprise/config';
import { RUNTIME, type Runtime } from '@reprise/nest';
import {
  closeQueueConnection,
  ensureSchedules,
  handlerProblems,
  jobTable,
  type QueueConnection,
  queueNames,
} from '@reprise/queues';
import type { Worker } from 'bullmq';
import { type AnyTableProcessor, TableProcessor } from './table-processor.js';

/** Injection token of the workers' connection. */
export const QUEUE_CONNECTION = Symbol('QueueConnection');

/** Processors are declared before the configuration is known: their workers are told before they take jobs. */
function setPatience(worker: Worker, lostAfterMs: number): void {
  const half = lostAfterMs / 2;
  Object.assign(worker.opts, { lockDuration: lostAfterMs, lockRenewTime: half, stalledInterval: half });
  worker['createLockManager']();
}

/** Boot check, start and drain of all processors. */
@Injectable()
export class WorkerLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private processors: readonly AnyTableProcessor[] = [];
  private stopping = false;

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(QUEUE_CONNECTION) private readonly connection: QueueConnection,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(BullRegistrar) private readonly registrar: BullRegistrar,
  ) {}

  /** Whether jobs are taken and Redis answers. */
  get running(): boolean {
    return (
      !this.stopping && this.connection.status === 'ready' && this.processors.every(({ worker }) => worker.isRunning())
    );
  }

  /** Throws, before any job is taken, when the job table and the handlers do not agree. */
  onApplicationBootstrap(): void {
    const found = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    this.processors = found.filter((instance): instance is AnyTableProcessor => instance instanceof TableProcessor);
    const problems = handlerProblems(this.processors);
    if (problems.length > 0) throw new Error(`The worker does not start: ${problems.join('; ')}.`);
    this.registrar.register();
    for (const processor of this.processors) this.start(processor);
    this.connection.on('ready', () => void this.prepare());
    this.connection.on('close', () => {
      if (!this.stopping) this.runtime.log.write('debug', 'the queues’ connection is closed');
    });
    if (this.connection.status === 'ready') void this.prepare();
  }

  /** Running jobs are finished, no new ones are taken. Without Redis nothing can be finished: another worker will. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    const lost = this.connection.status !== 'ready';
    await Promise.all(this.processors.map(({ worker }) => worker.close(lost)));
  }

  async onApplicationShutdown(): Promise<void> {
    await closeQueueConnection(this.connection);
  }

  private start({ queue, worker }: AnyTableProcessor): void {
    const { log, config } = this.runtime;
    const failed = (error: Error): void =>
      log.write('debug', 'the worker of a queue reports', { queue, reason: error.message });
    worker.on('error', failed);
    if (!('concurrency' in jobTable[queue])) worker.concurrency = config.queues.concurrency;
    if (config.queues.lostAfterMs !== undefined) setPatience(worker, config.queues.lostAfterMs);
    worker.run().catch(failed);
  }

  /** What Redis must hold; again after it came back, maybe empty. */
  private async prepare(): Promise<void> {
    const { log, config, clock } = this.runtime;
    try {
      const times = { ...config.queues, judgedPerMinute: config.judge.perMinute };
      await ensureSchedules(this.connection, config.queues.prefix, times);
      log.write('info', 'the queues are ready', { queues: queueNames });
    } catch (error) {
      log.write('warn', 'the queues could not be prepared', { reason: String(error) });
    }
    const tenants = config.auth.tenants.map(({ name, keys }) => ({ name, keys: keys.length }));
    const cards = new Map(
      [...defaultPrices]
        .reverse()
        .concat([...config.prices].reverse())
        .map((card) => [card.model, card]),
    );
    const catalog = await this.runtime.catalog();
    await catalog.register({ tenants, prices: [...cards.values()].reverse() }, clock.nowMs());
  }
}
