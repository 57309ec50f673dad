import { Queue } from 'bullmq';
import type { QueueConnection } from './connection.js';
import { jobOptions, keyPrefix, type QueueName } from './job-table.js';

/** A queue of the table on a connection of the caller's; it never waits for Redis by itself, and prints nothing. */
export function openQueue<Data = unknown>(name: QueueName, connection: QueueConnection, prefix: string) {
  const queue = new Queue<Data, void, string>(name, {
    connection,
    prefix: keyPrefix(prefix),
    defaultJobOptions: jobOptions(name),
    skipWaitingForReady: true,
    skipVersionCheck: true,
    skipMetasUpdate: true,
  });
  queue.on('error', () => undefined);
  return queue;
}
