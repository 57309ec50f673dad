// A Redis server that may be paused, killed and starved.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../http/processes.mjs';

/** One command on a connection of its own; resolves to the raw reply. */
async function command(port, ...words) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`${words.join(' ')}\r\n`);
  const [data] = await once(socket, 'data').catch(() => ['']);
  socket.destroy();
  return String(data);
}

export async function startFaultyRedis() {
  const bin = process.env.TEST_REDIS_BIN;
  if (!bin) throw new Error('TEST_REDIS_BIN names no redis-server; run `npm run bench -- --only fault`');
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'reprise-fault-'));
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no'];
  const start = async () => {
    const started = spawn(bin, args, { stdio: 'ignore' });
    for (let at = 0; at < 200 && !(await command(port, 'PING')).startsWith('+PONG'); at++) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    return started;
  };
  const end = async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  let child = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    pause: () => child.kill('SIGSTOP'),
    kill: end,
    /** Comes back on its port with nothing in it. */
    restart: async () => {
      await end();
      child = await start();
    },
    starve: () => command(port, 'CONFIG SET maxmemory 1'),
    stop: async () => {
      child.kill('SIGCONT');
      await end();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
