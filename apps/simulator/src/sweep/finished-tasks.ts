import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';

const keyOf = (task: unknown): string => createHash('sha256').update(JSON.stringify(task)).digest('hex').slice(0, 24);

/**
 * Results of a sweep that was stopped, a line each. The file is named after the state of the code, so that another code's results are never
 * taken; a line that was cut off by a crash is left out and its task run again.
 */
export class FinishedTasks {
  private readonly results = new Map<string, unknown>();

  constructor(private readonly file?: string) {
    if (file === undefined || !existsSync(file)) return;
    const lines = readFileSync(file, 'utf8').split('\n');
    const cut = lines.pop() ?? '';
    for (const line of lines) {
      const [key, result] = JSON.parse(line) as [string, unknown];
      this.results.set(key, result);
    }
    // What is noted next must not follow on half a line.
    if (cut !== '') truncateSync(file, statSync(file).size - Buffer.byteLength(cut));
  }

  get size(): number {
    return this.results.size;
  }

  get(task: unknown): unknown {
    return this.results.get(keyOf(task));
  }

  add(task: unknown, result: unknown): void {
    if (this.file === undefined) return;
    mkdirSync(dirname(this.file), { recursive: true });
    appendFileSync(this.file, `${JSON.stringify([keyOf(task), result])}\n`);
  }

  /** The report is written: nothing is left to go on with. */
  forget(): void {
    if (this.file !== undefined) rmSync(this.file, { force: true });
  }
}
