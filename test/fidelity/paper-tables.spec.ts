import {
  cellName,
  dataRoot,
  hasDataSet,
  isAlone,
  judge,
  paperTables,
  runCell,
  type PaperTable,
} from '@reprise/simulator';
import { describe, expect, it } from 'vitest';

/** The tables of `reprise simulate paper` that need no texts, cell by cell, by the code of the command. */
const root = dataRoot(process.env);

const rowsOf = ({ cells }: PaperTable) => [...new Set(cells.map(({ row }) => row))];

const short = Object.values(paperTables).filter(({ cells }) => cells.every(({ task }) => isAlone(task)));

describe.each(short)('$title', { timeout: 300_000 }, (table) => {
  const missing = table.needs !== undefined && !hasDataSet(root, table.needs);

  it.skipIf(missing).each(rowsOf(table))('%s', (row) => {
    for (const cell of table.cells.filter((other) => other.row === row)) {
      if (!isAlone(cell.task)) throw new Error('A number of another kind.');
      const { verdict, ours, difference } = judge(cell, runCell(cell.task, root));
      expect(verdict, `${cellName(cell)}: ${ours}, ${difference} from what it should be`).toBe('meets');
    }
  });
});
