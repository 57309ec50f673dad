import { twoTierPoison, twoTierTable, twoTierWidth } from './article-tables.js';
import { runArticleTask } from './article-task.js';
import { mtTables } from './mt-tables.js';
import type { CellTask, PaperTable, SharedCell } from './paper.types.js';
import { solarLlmTables } from './solar-llm-tables.js';
import { solar10, solar11, solar8, solar9, solarDrift } from './solar-tables.js';
import { runSolarTask } from './solar-task.js';

const tables = [
  ...[solar8, solar9, solar10, solar11, solarDrift, ...solarLlmTables],
  ...[twoTierTable, twoTierWidth, twoTierPoison, ...mtTables],
];

/** Every table that `reprise simulate paper` makes, by name. */
export const paperTables: Readonly<Record<string, PaperTable>> = Object.fromEntries(
  tables.map((table) => [table.name, table]),
);

/** Whether a number can be measured alone; the others need vectors of texts and come with those of their table. */
export const isAlone = (task: CellTask | SharedCell): task is CellTask =>
  task.kind === 'solar' || task.kind === 'article';

/** Measures one number. `root` is the folder of the data sets. */
export function runCell(task: CellTask, root: string): number {
  return task.kind === 'solar' ? runSolarTask(task, root) : runArticleTask(task);
}
