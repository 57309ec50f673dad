import { randomBytes } from 'node:crypto';
import { findRedisBinary } from './redis-binary.js';
import { OwnServer } from './own-server.js';

export interface TestRedis {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A real Redis ≥ 8 for a test file: TEST_REDIS_URL (shared: use namespaces of `uniqueNamespace` only), else an embedded
 * server of its own, else a container. Throws when there is none; a test is never skipped for it.
 */
export async function openTestRedis(): Promise<TestRedis> {
  const url = process.env['TEST_REDIS_URL'];
  if (url !== undefined && url !== '') return { url, close: () => Promise.resolve() };
  if (findRedisBinary() !== undefined) {
    const server = await OwnServer.start();
    return { url: server.url, close: () => server.stop() };
  }
  const { RedisContainer } = await import('@testcontainers/redis');
  const container = await new RedisContainer('redis:8').start();
  return {
    url: container.getConnectionUrl(),
    close: async () => {
      await container.stop();
    },
  };
}

/** A namespace that no other test uses. */
export function uniqueNamespace(purpose: string): string {
  return `test-${purpose}-${randomBytes(6).toString('hex')}`;
}
