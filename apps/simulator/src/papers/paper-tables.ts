import { twoTierPoison, twoTierTable, twoTierWidth } from './article-tables.js';
import { runArticleTask } from './article-task.js';
import type { CellTask, PaperTable } from './paper.types.js';
import { solar10, solar11, solar8, solar9, solarDrift } from './solar-tables.js';
import { runSolarTask } from './solar-task.js';

/** Every table that `reprise simulate paper` makes, by name. */
export const paperTables: Readonly<Record<string, PaperTable>> = Object.fromEntries(
  [solar8, solar9, solar10, solar11, solarDrift, twoTierTable, twoTierWidth, twoTierPoison].map((table) => [
    table.name,
    table,
  ]),
);

/** Measures one cell. `root` is the folder of the data sets. */
export function runCell(task: CellTask, root: string): number {
  return task.kind === 'solar' ? runSolarTask(task, root) : runArticleTask(task);
}
