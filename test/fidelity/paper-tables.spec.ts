import { cellName, dataRoot, hasDataSet, judge, paperTables, runCell, type PaperTable } from '@reprise/simulator';
import { describe, expect, it } from 'vitest';

/** Every table of `reprise simulate paper`, cell by cell, by the code of the command. */
const root = dataRoot(process.env);

const rowsOf = ({ cells }: PaperTable) => [...new Set(cells.map(({ row }) => row))];

describe.each(Object.values(paperTables))('$title', { timeout: 300_000 }, (table) => {
  const missing = table.needs !== undefined && !hasDataSet(root, table.needs);

  it.skipIf(missing).each(rowsOf(table))('%s', (row) => {
    for (const cell of table.cells.filter((other) => other.row === row)) {
      const { verdict, ours, difference } = judge(cell, runCell(cell.task, root));
      expect(verdict, `${cellName(cell)}: ${ours}, ${difference} from what it should be`).toBe('meets');
    }
  });
});
