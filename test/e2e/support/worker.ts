import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort, OwnProcess, repoRoot } from './process.js';

export interface WorkerProcess extends OwnProcess {
  /** Base URL of its probes. */
  readonly url: string;
}

/** Starts the built worker without waiting for anything. */
export async function spawnWorker(env: Record<string, string>): Promise<WorkerProcess> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'reprise-e2e-'));
  const child = spawn(process.execPath, [join(repoRoot, 'apps/worker/dist/main.js')], {
    cwd: dir,
    env: {
      PATH: process.env['PATH'],
      HOME: dir,
      LOG_LEVEL: 'debug',
      REPRISE_QUEUES__HEALTH_PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return Object.assign(new OwnProcess(child), { url: `http://127.0.0.1:${port}` });
}

/** Starts the built worker; resolves when it takes jobs. */
export async function startWorkerProcess(env: Record<string, string>): Promise<WorkerProcess> {
  const worker = await spawnWorker(env);
  await eventually(
    async () => (await fetch(`${worker.url}/readyz`)).ok,
    30_000,
    () => worker.log,
  );
  return worker;
}

/** A way to Redis that stops for good, on one connection, in front of the first data that match. */
export class HoldingProxy {
  private readonly sockets = new Set<Socket>();
  held = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(redisPort: number, hold: RegExp): Promise<HoldingProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const proxy = new HoldingProxy(server, `redis://127.0.0.1:${port}`);
    server.on('connection', (client) => proxy.carry(client, connect(redisPort, '127.0.0.1'), hold));
    return proxy;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private carry(client: Socket, redis: Socket, hold: RegExp): void {
    let holding = false;
    for (const socket of [client, redis]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        redis.destroy();
      });
    }
    client.on('data', (data: Buffer) => {
      if (!holding && hold.test(data.toString('latin1'))) {
        holding = true;
        this.held = true;
      }
      if (!holding) redis.write(data);
    });
    redis.on('data', (data: Buffer) => client.write(data));
  }
}
