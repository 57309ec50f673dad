import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findRedisBinary } from './redis-binary.js';

/** A port of the loopback that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answersPing(port: number, deadlineMs: number): Promise<void> {
  const probe = new Redis({
    port,
    host: '127.0.0.1',
    lazyConnect: true,
    retryStrategy: () => 25,
    maxRetriesPerRequest: 400,
  });
  probe.on('error', () => undefined);
  try {
    await Promise.race([
      probe.ping(),
      new Promise((_, reject) =>
        setTimeout(
          () => reject(new Error(`redis-server on ${port} did not answer in ${deadlineMs} ms`)),
          deadlineMs,
        ).unref(),
      ),
    ]);
  } finally {
    probe.disconnect();
  }
}

/** A redis-server process of the test's own: it may be paused, killed and started again. */
export class OwnServer {
  private child: ChildProcess | undefined;
  private readonly dir = mkdtempSync(join(tmpdir(), 'reprise-redis-'));

  private constructor(
    readonly port: number,
    private readonly binary: string,
    private readonly extra: readonly string[],
  ) {}

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    if (this.child?.pid === undefined) throw new Error('The server does not run.');
    return this.child.pid;
  }

  static async start(extra: readonly string[] = []): Promise<OwnServer> {
    const binary = findRedisBinary();
    if (binary === undefined) throw new Error('No redis-server: set TEST_REDIS_BIN, or run the tests by `npm test`.');
    const modules = binary.modules.flatMap((path) => ['--loadmodule', path]);
    const server = new OwnServer(await freePort(), binary.path, [...modules, ...extra]);
    await server.launch();
    return server;
  }

  /** Starts the process, empty unless the options make it load something. */
  async launch(): Promise<void> {
    const options = [
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      '--dir',
      this.dir,
      '--save',
      '',
      '--appendonly',
      'no',
    ];
    const child = spawn(this.binary, [...options, ...this.extra], { stdio: 'ignore' });
    this.child = child;
    const died = once(child, 'exit').then(([code]) => {
      if (this.child === child) throw new Error(`redis-server ended with ${String(code)}`);
    });
    await Promise.race([answersPing(this.port, 10_000), died]);
  }

  /** SIGSTOP: connections stay open, nothing answers. */
  pause(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  /** SIGKILL; resolves when the process is gone. */
  async kill(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** Kills it and starts an empty one on the same port. */
  async restartEmpty(): Promise<void> {
    await this.kill();
    await this.launch();
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
