import type { MeasuredTable } from '../papers/paper.types.js';
import type { Chart } from './report.types.js';

/** More lines in one chart cannot be told apart. */
const mostLines = 8;
/** Up to so many columns are bars beside each other. */
const mostBars = 3;

interface Line {
  readonly row: string;
  readonly name: string;
}

/** Rows that belong into one chart. Names are "measure, policy, form" or "policy, form" where a table has many. */
function groupsOf(rows: readonly string[]): Map<string, Line[]> {
  const groups = new Map<string, Line[]>();
  const many = rows.length > mostLines;
  for (const row of rows) {
    const parts = row.split(', ');
    const name = many ? (parts.at(-2) ?? row) : row;
    const group = many ? parts.filter((_, at) => at !== parts.length - 2 || parts.length === 1).join(', ') : '';
    groups.set(group, [...(groups.get(group) ?? []), { row, name }]);
  }
  return groups;
}

/** Charts of the rows that have a value in every column: a table whose columns are different measures has none. */
export function chartsOf({ table, cells }: MeasuredTable): Chart[] {
  const x = [...new Set(cells.map(({ column }) => column))];
  const values = new Map(cells.map(({ row, column, ours }) => [`${row}\n${column}`, ours]));
  const value = (row: string, column: string) => values.get(`${row}\n${column}`);
  const rows = [...new Set(cells.map(({ row }) => row))].filter((row) =>
    x.every((column) => value(row, column) !== undefined),
  );
  if (rows.length === 0) return [];
  const base = { xLabel: '', yLabel: table.unit ?? 'share', table: table.title };
  if (x.length <= mostBars)
    return [
      {
        ...base,
        title: 'Ours',
        kind: 'bar',
        x: rows,
        series: x.map((column) => ({ name: column, values: rows.map((row) => value(row, column)) })),
      },
    ];
  return [...groupsOf(rows)].map(([group, lines]) => ({
    ...base,
    title: group === '' ? 'Ours' : `Ours: ${group}`,
    kind: 'line',
    x,
    series: lines.map(({ row, name }) => ({ name, values: x.map((column) => value(row, column)) })),
  }));
}
