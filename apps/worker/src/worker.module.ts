import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type Runtime, RuntimeModule } from '@reprise/nest';
import { keyPrefix, type QueueConnection } from '@reprise/queues';
import { ConversationProcessor } from './conversation/conversation.processor.js';
import { GhostsProcessor } from './ghosts/ghosts.processor.js';
import { HealthServer } from './health/health-server.js';
import { JudgeProcessor } from './judge/judge.processor.js';
import { QUEUE_CONNECTION, WorkerLifecycle } from './jobs/worker-lifecycle.js';
import { LearnProcessor } from './learn/learn.processor.js';
import { RecomputeProcessor } from './plan/recompute.processor.js';
import { SweepProcessor } from './sweep/sweep.processor.js';

/** One processor per queue of the job table. */
export const processors: readonly Provider[] = [
  SweepProcessor,
  ConversationProcessor,
  GhostsProcessor,
  JudgeProcessor,
  LearnProcessor,
  RecomputeProcessor,
];

@Module({})
export class WorkerModule {
  static forRoot(
    runtime: Runtime,
    connection: QueueConnection,
    offered: readonly Provider[] = processors,
  ): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        RuntimeModule.forRoot(runtime),
        DiscoveryModule,
        // Processors are registered by WorkerLifecycle, after the boot check.
        BullModule.forRoot({
          connection,
          prefix: keyPrefix(runtime.config.queues.prefix),
          extraOptions: { manualRegistration: true },
        }),
        // No queue of Nest's own: this call brings only the registrar of processors.
        BullModule.registerQueue(),
      ],
      providers: [{ provide: QUEUE_CONNECTION, useValue: connection }, WorkerLifecycle, HealthServer, ...offered],
    };
  }
}
