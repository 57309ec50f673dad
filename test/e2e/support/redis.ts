import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort, OwnProcess } from './process.js';

export interface OwnRedis extends OwnProcess {
  readonly url: string;
  readonly port: number;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('PING\r\n');
  const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])) as [
    Buffer | string,
  ];
  socket.destroy();
  return data.toString().startsWith('+PONG');
}

/** An empty Redis server of the test's own (TEST_REDIS_BIN), so that it may be killed, paused and restarted. */
export async function startRedis(port?: number): Promise<OwnRedis> {
  const bin = process.env['TEST_REDIS_BIN'];
  if (bin === undefined) throw new Error('TEST_REDIS_BIN names no redis-server; run the tests by `npm test`');
  const own = port ?? (await freePort());
  const dir = mkdtempSync(join(tmpdir(), 'reprise-redis-'));
  const args = ['--port', String(own), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no'];
  const child = spawn(bin, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const server = new OwnProcess(child);
  await eventually(
    () => answers(own),
    10_000,
    () => server.log,
  );
  return Object.assign(server, { url: `redis://127.0.0.1:${own}`, port: own });
}
