import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAlive, withLock } from './lock.mjs';
import { outputOf, startScript, tempDir, until } from './spec-support.js';

const appendTwice = `
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from './lock.mjs';
const [lock, log] = process.argv.slice(2);
for (let i = 0; i < 5; i++)
  await withLock(lock, async () => { appendFileSync(log, 'in '); await sleep(5); appendFileSync(log, 'out '); });
`;

function holder(fields: Record<string, unknown>): string {
  return JSON.stringify({ pid: process.pid, host: hostname(), start: '', id: 'somebody', ...fields });
}

async function deadPid(): Promise<number> {
  const child = startScript('');
  const { pid } = child;
  await outputOf(child);
  return pid ?? 0;
}

describe('the lock file', () => {
  it('lets one process in at a time', async () => {
    const dir = tempDir();
    const log = join(dir, 'log');
    const children = [1, 2, 3].map(() => startScript(appendTwice, process.env, [join(dir, 'lock'), log]));
    const results = await Promise.all(children.map(outputOf));
    expect(results.map((r) => r.code)).toEqual([0, 0, 0]);
    expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(15));
  });

  it('is given back when the work fails', async () => {
    const lock = join(tempDir(), 'lock');
    await expect(withLock(lock, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(existsSync(lock)).toBe(false);
  });

  it('is taken over from a process that died', async () => {
    const lock = join(tempDir(), 'lock');
    writeFileSync(lock, holder({ pid: await deadPid() }));
    expect(await withLock(lock, () => Promise.resolve('done'))).toBe('done');
  });

  it('is taken over when its pid now belongs to another process', async () => {
    const lock = join(tempDir(), 'lock');
    writeFileSync(lock, holder({ start: '1' }));
    expect(await withLock(lock, () => Promise.resolve('done'))).toBe('done');
  });

  it('is taken over from another host only after its heartbeat stopped', async () => {
    const lock = join(tempDir(), 'lock');
    writeFileSync(lock, holder({ pid: 4_000_000, host: 'elsewhere' }));
    const waiting: number[] = [];
    const stop = new AbortController();
    const refused = withLock(lock, () => Promise.resolve('in'), {
      signal: stop.signal,
      onWait: (pid) => waiting.push(pid),
    });
    await until('the wait was announced', () => waiting.length > 0);
    stop.abort(new Error('enough'));
    await expect(refused).rejects.toThrow('enough');
    const longAgo = new Date(Date.now() - 120_000);
    utimesSync(lock, longAgo, longAgo);
    expect(await withLock(lock, () => Promise.resolve('in'))).toBe('in');
    expect(waiting).toEqual([4_000_000]);
  });

  it('is taken over by exactly one of several waiters', async () => {
    const dir = tempDir();
    const log = join(dir, 'log');
    writeFileSync(join(dir, 'lock'), holder({ pid: await deadPid() }));
    await Promise.all([1, 2, 3].map(() => outputOf(startScript(appendTwice, process.env, [join(dir, 'lock'), log]))));
    expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(15));
  });

  it('knows which processes live', async () => {
    expect(isAlive(process.pid)).toBe(true);
    expect(isAlive(await deadPid())).toBe(false);
  });
});
