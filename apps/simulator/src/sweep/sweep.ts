import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Progress } from './progress.js';
import { FinishedTasks } from './finished-tasks.js';
import { runTask, type ResultOf, type SweepTask } from './tasks.js';

export interface SweepOptions {
  /** Worker threads; 0 runs in this one. */
  readonly threads: number;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Where finished tasks are noted, so that a stopped sweep goes on where it was. */
  readonly finished?: FinishedTasks;
}

/** One thread a core. */
export const defaultThreads = (): number => availableParallelism();

const workerFile = fileURLToPath(new URL('./worker.js', import.meta.url));

/** Runs tasks in worker threads, begun in their order; results in that order, too. A failed task ends the sweep. */
export async function sweep<T extends SweepTask>(
  tasks: readonly T[],
  { threads, signal, progress, finished = new FinishedTasks() }: SweepOptions,
): Promise<ResultOf<T>[]> {
  const pool = threads > 0 ? new Piscina({ filename: workerFile, minThreads: 1, maxThreads: threads }) : undefined;
  // Every task that runs listens.
  setMaxListeners(threads + 16, signal);
  progress.start(tasks.length);
  const run = async (task: T): Promise<ResultOf<T>> => {
    signal.throwIfAborted();
    const known = finished.get(task);
    const result = known ?? (await (pool ? pool.run(task, { signal }) : runTask(task)));
    if (known === undefined) finished.add(task, result);
    progress.advance();
    return result as ResultOf<T>;
  };
  try {
    const results = new Array<ResultOf<T>>(tasks.length);
    // The pool does not keep the order of what waits in it, so that each thread is given its next task here.
    const waiting = tasks.entries();
    const thread = async (): Promise<void> => {
      for (const [at, task] of waiting) results[at] = await run(task);
    };
    await Promise.all(Array.from({ length: Math.max(1, threads) }, thread));
    return results;
  } finally {
    progress.stop();
    await pool?.destroy();
  }
}
