import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a Node script and waits until `ready(url)` holds; ends with the benchmark. */
export async function startNode(args, env, url, ready) {
  const cwd = mkdtempSync(join(tmpdir(), 'reprise-bench-'));
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const until = Date.now() + 180_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${args[0]} ended with ${child.exitCode}`);
    if (await ready(url).catch(() => false)) break;
    if (Date.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`${args[0]} is not ready`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    pid: child.pid,
    /** Resident memory in MB, its peak too. */
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const mb = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
      return { rssMb: mb('VmRSS'), peakMb: mb('VmHWM') };
    },
    /** Longest stand-still of its event loop since the last call, ms; only with `loop-monitor.mjs`. */
    async loopGapMs() {
      child.send('gap');
      return (await once(child, 'message'))[0];
    },
    async stop() {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), 5000);
      await exit;
      clearTimeout(force);
    },
  };
}
