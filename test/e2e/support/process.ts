import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repoRoot = fileURLToPath(new URL('../../..', import.meta.url));

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A real process of the product, started by a test and ended by it. */
export class OwnProcess {
  private output = '';

  constructor(readonly child: ChildProcess) {
    child.stdout?.on('data', (data: Buffer) => (this.output += data.toString()));
    child.stderr?.on('data', (data: Buffer) => (this.output += data.toString()));
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Everything it has printed. */
  get log(): string {
    return this.output;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  signal(name: NodeJS.Signals): void {
    if (this.running) this.child.kill(name);
  }

  /** Ends it; resolves to its exit code (null when a signal ended it). */
  async stop(name: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (!this.running) return this.child.exitCode;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGCONT');
    this.child.kill(name);
    const force = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    await exit;
    clearTimeout(force);
    return this.child.exitCode;
  }
}

/** Polls until `probe` gives true; throws with what the processes printed when it does not within `ms`. */
export async function eventually(
  probe: () => Promise<boolean> | boolean,
  ms = 15_000,
  said: () => string = () => '',
): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until) {
    if (await Promise.resolve(probe()).catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`not reached within ${ms} ms\n${said()}`);
}

export interface GatewayProcess extends OwnProcess {
  readonly url: string;
  /** File of its admin token. */
  readonly tokenFile: string;
}

/** Starts the built worker; jobs are taken soon after. */
export function startWorker(env: Record<string, string | undefined>): OwnProcess {
  const dir = mkdtempSync(join(tmpdir(), 'reprise-e2e-'));
  const child = spawn(process.execPath, [join(repoRoot, 'apps/worker/dist/main.js')], {
    cwd: dir,
    env: { PATH: process.env['PATH'], HOME: dir, LOG_LEVEL: 'info', REPRISE_QUEUES__HEALTH_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new OwnProcess(child);
}

/** Starts the built gateway; resolves when it answers /healthz. */
export async function startGateway(env: Record<string, string | undefined>): Promise<GatewayProcess> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'reprise-e2e-'));
  const child = spawn(process.execPath, [join(repoRoot, 'apps/gateway/dist/main.js')], {
    cwd: dir,
    env: {
      PATH: process.env['PATH'],
      HOME: dir,
      REPRISE_MODEL_DIR: process.env['REPRISE_MODEL_DIR'] ?? join(repoRoot, '.cache/model'),
      PORT: String(port),
      LOG_LEVEL: 'info',
      REPRISE_UPSTREAM__DEMO__FIRSTTOKENMS: '0',
      REPRISE_UPSTREAM__DEMO__TOKENSPERSECOND: '100000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = `http://127.0.0.1:${port}`;
  const gateway: GatewayProcess = Object.assign(new OwnProcess(child), {
    url,
    tokenFile: join(dir, '.reprise/admin-token'),
  });
  await eventually(
    async () => (await fetch(`${url}/healthz`)).ok,
    30_000,
    () => gateway.log,
  );
  return gateway;
}
