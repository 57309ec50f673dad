import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { repoRoot } from '../../tools/bootstrap/context.mjs';
import { isAlive } from '../../tools/bootstrap/lock.mjs';
import { freePort, isFree } from '../../tools/bootstrap/ports.mjs';
import { realCache, tempDir, until } from '../../tools/bootstrap/spec-support.js';

/** The printed lines to try. */
const curls = (out: string) => out.split('\n').filter((line) => line.startsWith('curl '));

/** `bin/reprise up` as a person runs it, on a free port and a data folder of its own, and what it has printed so far. */
async function up(env: NodeJS.ProcessEnv = {}) {
  const port = await freePort();
  const dir = tempDir();
  const child = spawn(process.execPath, [join(repoRoot, 'bin', 'reprise'), 'up'], {
    env: {
      PATH: process.env['PATH'],
      HOME: tempDir(),
      PORT: String(port),
      REPRISE_CACHE_DIR: realCache,
      REPRISE_REDIS_DIR: dir,
      // What is shown is the decision, on a machine however busy.
      REPRISE_LIMITS__ADDEDLATENCYMS: '5000',
      REPRISE_REDIS__COMMANDTIMEOUTMS: '4000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const state = { out: '', code: undefined as number | null | undefined };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (state.out += piece.toString()));
  child.on('exit', (code) => (state.code = code));
  onTestFinished(() => void child.kill('SIGTERM'));
  await until('ready', () => curls(state.out).length === 3 || state.code !== undefined, 100_000);
  return { child, port, dir, state, redisPid: () => redisPid(dir) };
}

function redisPid(dir: string): number {
  const file = join(dir, 'running.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid : 0;
}

/** Plays a printed curl line through fetch and gives the headers of the cache. */
async function play(curl: string): Promise<{ status: number; cache: string | null; reason: string | null }> {
  const [, url = ''] = /(http:\S+)/.exec(curl) ?? [];
  const headers = [...curl.matchAll(/-H '([^:]+): ([^']*)'/g)].map(
    ([, name = '', value = '']) => [name, value] as [string, string],
  );
  const response = await fetch(url, { method: 'POST', headers, body: /-d '(.*)'$/.exec(curl)?.[1] ?? '' });
  await response.text();
  return {
    status: response.status,
    cache: response.headers.get('x-cache'),
    reason: response.headers.get('x-cache-reason'),
  };
}

describe('reprise up', () => {
  it('prints three lines that show a miss, a semantic hit and a refused near-miss, and stops all it started', async () => {
    const { child, port, state, redisPid: pidOf } = await up();
    expect(state.out).toMatch(/Ready in \d+\.\d s: http:\/\/127\.0\.0\.1:\d+/);
    expect(state.out).toContain('the built-in demo upstream answers');
    const answers = [];
    for (const line of curls(state.out)) answers.push(await play(line));
    // The answers and the log are in the message of a failure.
    expect(
      answers.map((a) => [a.status, a.cache]),
      `${JSON.stringify(answers)}\n${state.out}`,
    ).toEqual([
      [200, 'miss'],
      [200, 'hit-semantic'],
      [200, 'miss'],
    ]);
    expect(answers[2]?.reason).not.toBe(answers[0]?.reason);
    const pid = pidOf();
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGINT');
    await until('it ended', () => state.code !== undefined);
    expect(state.code).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(await isFree(port)).toBe(true);
  });

  it('leaves nothing running when it is killed outright', async () => {
    const { child, port, state, redisPid: pidOf } = await up();
    const pid = pidOf();
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGKILL');
    await until('the gateway is gone', () => isFree(port));
    await until('Redis is gone', () => !isAlive(pid));
    expect(state.code).toBeNull();
  });

  it('stops with a sentence about each wrong setting, and leaves nothing running', async () => {
    const { state, redisPid: pidOf } = await up({ REPRISE_CACHE__CAPACITY: 'many' });
    await until('it ended', () => state.code !== undefined);
    expect(state.code).toBe(1);
    expect(state.out).toMatch(/cache\.capacity/i);
    expect(pidOf()).toBe(0);
  });
});
