// A Redis server of the benchmark's own, so that what it measures is not what others do.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

export async function startServer() {
  const bin = process.env.TEST_REDIS_BIN;
  if (!bin) throw new Error('TEST_REDIS_BIN names no redis-server; run `npm run bench`');
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'reprise-bench-redis-'));
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no'];
  const child = spawn(bin, args, { stdio: 'ignore' });
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: 200 });
  client.on('error', () => undefined);
  await client.ping();
  return {
    url,
    client,
    stop: async () => {
      client.disconnect();
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
