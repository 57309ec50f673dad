import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { repoRoot } from './context.mjs';
import { demoLines } from './demo-lines.mjs';
import { isAlive } from './lock.mjs';
import { outputOf, realCache, tempDir, until } from './spec-support.js';

const bin = join(repoRoot, 'bin', 'reprise');

function reprise(args: string[], env: NodeJS.ProcessEnv = {}, program = bin) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], REPRISE_CACHE_DIR: realCache, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe('the reprise command', () => {
  it('shows every command', async () => {
    const { code, out } = await outputOf(reprise(['--help']));
    expect(code).toBe(0);
    for (const name of [
      'up',
      'gateway',
      'worker',
      'redis',
      'doctor',
      'config check',
      'demo',
      'eval pairs',
      'guard',
      'simulate',
      'bench',
      'report',
    ])
      expect(out).toContain(`\n  ${name}`);
  });

  it('gives the usage for a command that does not exist, and works through a link', async () => {
    const link = join(tempDir(), 'reprise');
    symlinkSync(bin, link);
    const { code, out } = await outputOf(reprise(['nonsense'], {}, link));
    expect(code).toBe(2);
    expect(out).toMatch(/there is no command "nonsense"[^]*usage: reprise/);
    expect((await outputOf(reprise([]))).code).toBe(2);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('redis: runs the server until %s, then stops it', async (signal) => {
    const dir = tempDir();
    const child = reprise(['redis'], { REPRISE_REDIS_DIR: dir });
    const over = outputOf(child);
    const state = join(dir, 'running.json');
    await until('Redis runs', () => existsSync(state));
    const { pid } = JSON.parse(readFileSync(state, 'utf8')) as { pid: number };
    expect(isAlive(pid)).toBe(true);
    child.kill(signal);
    const { code, out } = await over;
    expect(out).toMatch(/^Redis 8\.\d+\.\d+ at redis:\/\/127\.0\.0\.1:\d+ \(\w+, started\)\.$/m);
    expect(code).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(state)).toBe(false);
  });

  it('redis: says why it cannot, in one sentence', async () => {
    const { code, out } = await outputOf(reprise(['redis'], { REDIS_URL: 'redis://127.0.0.1:1' }));
    expect(code).toBe(1);
    expect(out.trim()).toMatch(
      /^REDIS_URL is set, but redis:\/\/127\.0\.0\.1:1 cannot be used: .*unset REDIS_URL.*\.$/,
    );
  });

  it('up: refuses a taken port before it starts anything', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const dir = tempDir();
    const { code, out } = await outputOf(reprise(['up'], { PORT: String(port), REPRISE_REDIS_DIR: dir }));
    expect(code).toBe(1);
    expect(out.trim()).toBe(
      `Port ${port} is taken by another program. Stop it, or choose another: PORT=${port + 1} npm start.`,
    );
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('the lines to try', () => {
  it('are three curl commands that show headers', () => {
    const lines = demoLines('http://127.0.0.1:8080');
    expect(lines).toHaveLength(3);
    for (const { shows, curl } of lines) {
      expect(shows).not.toBe('');
      expect(curl).toMatch(/^curl -is http:\/\/127\.0\.0\.1:8080\/v1\/chat\/completions .*-d '\{.*\}'$/);
      expect(() => JSON.parse(/-d '(.*)'$/.exec(curl)?.[1] ?? '') as unknown).not.toThrow();
    }
  });
});
