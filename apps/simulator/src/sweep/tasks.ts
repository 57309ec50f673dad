import type { CellTask } from '../papers/paper.types.js';
import { type MtTask, runMtTask } from '../papers/mt-task.js';
import { runCell } from '../papers/paper-tables.js';
import { type LlmTask, runLlmTask } from '../papers/solar-llm-task.js';
import { runPolicyTask, type PolicyResult, type PolicyTask } from './policy-task.js';

/** One cell of a published table. */
export interface PaperTask {
  readonly kind: 'cell';
  readonly cell: CellTask;
  /** Folder of the data sets. */
  readonly root: string;
}

/** Numbers that are measured together. */
export type SharedTask = MtTask | LlmTask;

/** A part of a sweep: plain data, so that a worker thread can do it. */
export type SweepTask = PaperTask | PolicyTask | SharedTask;

export type ResultOf<T extends SweepTask> = T extends PaperTask
  ? number
  : T extends PolicyTask
    ? PolicyResult
    : Readonly<Record<string, number>>;

/** Runs one task in this thread. */
export function runTask(task: SweepTask): ResultOf<SweepTask> | Promise<ResultOf<SweepTask>> {
  switch (task.kind) {
    case 'cell':
      return runCell(task.cell, task.root);
    case 'policy':
      return runPolicyTask(task);
    case 'mt':
      return runMtTask(task);
    case 'llm':
      return runLlmTask(task);
  }
}
