import type { ArticleTask } from './article-task.js';
import type { LlmCell } from './solar-llm-task.js';
import type { MtCell } from './mt-task.js';
import type { SolarTask } from './solar-task.js';

/** What one number of a table takes to measure; plain data, so that a worker thread can do it. */
export type CellTask = SolarTask | ArticleTask;

/** A number that is measured together with others of its table. */
export type SharedCell = MtCell | LlmCell;

/** One number of a published table. */
export interface PaperCell {
  readonly row: string;
  readonly column: string;
  /** As printed; absent where only the authors' code gives it. */
  readonly paper?: number;
  /** What the authors' own code gave when it was run (or the public probe of the article), with more digits than are printed. */
  readonly reference?: number;
  /** Largest accepted distance to `reference`, or to `paper` where there is none. */
  readonly tolerance: number;
  readonly task: CellTask | SharedCell;
}

export interface PaperTable {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  /** Data set that it is made from; absent: workloads are generated. */
  readonly needs?:
    'solar-synthetic' | 'locomo10' | 'dialsim' | 'taskmaster3-prefixes' | 'sgd-ticketing' | 'tutoring-mathdial';
  /** `%`: one digit is shown; else shares with three. */
  readonly unit?: '%';
  /** Where data or code differ from the paper's, and which cells are known not to reproduce, and why. */
  readonly notes: readonly string[];
  readonly cells: readonly PaperCell[];
}

export interface MeasuredCell extends PaperCell {
  readonly ours: number;
  /** Ours minus what it is compared with, if there is something. */
  readonly difference?: number;
  readonly verdict: 'meets' | 'differs' | 'nothing to compare';
}

export interface MeasuredTable {
  readonly table: PaperTable;
  readonly cells: readonly MeasuredCell[];
}

/** Every printed digit of three: half a unit of the last one. */
export const toTheDigit = 0.0005;

/** Judges a measured value; both sides have three digits, so that the last one is not decided by a rounding error. */
export function judge(cell: PaperCell, measured: number): MeasuredCell {
  const ours = Number(measured.toFixed(3));
  const expected = cell.reference ?? cell.paper;
  if (expected === undefined) return { ...cell, ours, verdict: 'nothing to compare' };
  const difference = Number((ours - expected).toFixed(3));
  return { ...cell, ours, difference, verdict: Math.abs(difference) <= cell.tolerance ? 'meets' : 'differs' };
}

/** Name of a cell in messages. */
export const cellName = ({ row, column }: Pick<PaperCell, 'row' | 'column'>): string => `${row}, ${column}`;
