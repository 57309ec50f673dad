import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FinishedTasks } from './finished-tasks.js';
import { silentProgress } from './progress.js';
import { sweep } from './sweep.js';
import type { PolicyTask } from './policy-task.js';
import { defaultGenerator } from '../workloads/generator.js';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-sweep-'));
  file = join(dir, '.finished-abc.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true }));

const tasks = [1, 2, 3, 4].map((seed): PolicyTask => {
  const options = { ...defaultGenerator, requests: 200, items: 50, seed };
  return { kind: 'policy', source: { from: 'generator', options }, policy: 'lru', capacity: 5, seed };
});
const run = (signal = new AbortController().signal, progress = silentProgress) =>
  sweep(tasks, { threads: 0, signal, progress, finished: new FinishedTasks(file) });
const hits = (results: readonly { readonly hits: number }[]): number[] => results.map((result) => result.hits);

describe('a sweep that was stopped', () => {
  it('goes on where it was: what is noted is not run again', async () => {
    const stop = new AbortController();
    let done = 0;
    const progress = { ...silentProgress, advance: () => void (++done === 2 && stop.abort()) };
    await expect(run(stop.signal, progress)).rejects.toThrow();
    const noted = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(noted).toHaveLength(2);
    // A number that no run can give shows which results were taken over.
    const marked = noted.map((line) => line.replace(/"hits":\d+/, '"hits":-1'));
    writeFileSync(file, `${marked.join('\n')}\n`);
    expect(hits(await run()).map((count) => count === -1)).toEqual([true, true, false, false]);
  });

  it('goes on after a kill in the middle of a note', async () => {
    const whole = hits(await run());
    const [first = '', second = ''] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, `${first}\n${second.slice(0, 20)}`);
    expect(hits(await run())).toEqual(whole);
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(4);
    appendFileSync(file, '["half');
    expect(hits(await run())).toEqual(whole);
  });
});
