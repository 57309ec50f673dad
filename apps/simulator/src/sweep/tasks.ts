import type { CellTask } from '../papers/paper.types.js';
import { runCell } from '../papers/paper-tables.js';
import { runPolicyTask, type PolicyResult, type PolicyTask } from './policy-task.js';

/** One cell of a published table. */
export interface PaperTask {
  readonly kind: 'cell';
  readonly cell: CellTask;
  /** Folder of the data sets. */
  readonly root: string;
}

/** A part of a sweep: plain data, so that a worker thread can do it. */
export type SweepTask = PaperTask | PolicyTask;

export type ResultOf<T extends SweepTask> = T extends PaperTask ? number : T extends PolicyTask ? PolicyResult : never;

/** Runs one task in this thread. */
export function runTask(task: SweepTask): number | PolicyResult {
  return task.kind === 'cell' ? runCell(task.cell, task.root) : runPolicyTask(task);
}
