import type { INestApplicationContext, LoggerService, Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Log, LogLevel } from '@reprise/kernel';
import type { Runtime } from '@reprise/nest';
import { openQueueConnection, queueAddress } from '@reprise/queues';
import { HealthServer } from './health/health-server.js';
import { processors, WorkerModule } from './worker.module.js';

/** Nest's own messages in our log. */
function nestLogger(log: Log): LoggerService {
  const at =
    (level: LogLevel) =>
    (message: unknown, ...rest: unknown[]) =>
      log.write(level, String(message), { context: rest.at(-1) });
  return { log: at('debug'), error: at('error'), warn: at('warn'), debug: at('debug'), verbose: at('trace') };
}

/**
 * The worker, taking jobs. Starts also while Redis is away, and takes jobs as soon as it is there. Rejects when a job of
 * the table has no handler, or two; then nothing of it is left open but the runtime.
 */
export async function createWorker(
  runtime: Runtime,
  offered: readonly Provider[] = processors,
): Promise<INestApplicationContext> {
  const { redis } = runtime.config;
  const connection = openQueueConnection(queueAddress(redis), 'worker');
  try {
    const worker = await NestFactory.createApplicationContext(WorkerModule.forRoot(runtime, connection, offered), {
      logger: nestLogger(runtime.log),
      abortOnError: false,
    });
    await worker.get(HealthServer).start();
    return worker;
  } catch (error) {
    connection.disconnect();
    throw error;
  }
}
