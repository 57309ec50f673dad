import { dataRoot, hasDataSet } from '../data-dir.js';
import { judge, type MeasuredCell, type PaperTable } from '../papers/paper.types.js';
import { paperTables } from '../papers/paper-tables.js';
import { provenanceOf } from '../report/provenance.js';
import type { Chart, Column, Report, Table } from '../report/report.types.js';
import { SimulatorError } from '../simulator-error.js';
import { sweep } from '../sweep/sweep.js';
import { workloadSeeds } from '../workloads/solar-data.js';
import { deliver, finishedIn, progressOf } from './deliver.js';
import type { OutputOptions, SimulatorIo } from './io.js';

const columns: readonly Column[] = [
  { name: 'row', format: 'text' },
  { name: 'column', format: 'text' },
  { name: 'paper', format: 'decimal3' },
  { name: 'reference run', format: 'decimal3' },
  { name: 'ours', format: 'decimal3' },
  { name: 'difference', format: 'signed3' },
  { name: 'tolerance', format: 'decimal3' },
  { name: 'verdict', format: 'text' },
];

/**
 * `simulate paper NAME|all`: makes published tables again through the product's policies.
 * @returns exit code 0 whatever the verdicts are; 1 when no table could be made
 */
export async function paperCommand(io: SimulatorIo, name: string, options: OutputOptions): Promise<number> {
  const startedMs = performance.now();
  const root = dataRoot(io.env);
  const wanted = tablesNamed(name);
  const tables = wanted.filter(({ needs }) => needs === undefined || hasDataSet(root, needs));
  for (const { name: left, needs = '' } of wanted.filter((table) => !tables.includes(table)))
    io.err(`${left} is left out: the data set ${needs} is not in ${root} (REPRISE_DATA_DIR).\n`);
  if (tables.length === 0) return 1;
  const tasks = tables.flatMap(({ cells }) => cells.map(({ task }) => ({ kind: 'cell', cell: task, root }) as const));
  const finished = await finishedIn(io, options);
  const { threads } = options;
  const values = await sweep(tasks, { threads, signal: io.signal, progress: progressOf(io, 'cells'), finished });
  let at = 0;
  const measured = tables.map((table) => ({
    table,
    cells: table.cells.map((cell) => judge(cell, values[at++] as number)),
  }));
  const provenance = await provenanceOf(
    {
      config: { command: `simulate paper ${name}`, threads },
      seeds: [...workloadSeeds],
      trace: 'published workloads (solar-synthetic) and generated ones (two-tier article)',
    },
    startedMs,
  );
  await deliver(io, { ...paperReport(measured), provenance }, options);
  finished.forget();
  return 0;
}

function tablesNamed(name: string): PaperTable[] {
  if (name === 'all') return Object.values(paperTables);
  const table = Object.hasOwn(paperTables, name) ? paperTables[name] : undefined;
  if (table === undefined)
    throw new SimulatorError(`there is no table "${name}"; known are ${Object.keys(paperTables).join(', ')} and all.`);
  return [table];
}

interface MeasuredTable {
  readonly table: PaperTable;
  readonly cells: readonly MeasuredCell[];
}

/** The report of measured tables: what reproduces, what does not, and every cell. */
export function paperReport(measured: readonly MeasuredTable[]): Omit<Report, 'provenance'> {
  const all = measured.flatMap(({ cells }) => cells);
  const failed = measured.flatMap(({ table, cells }) =>
    cells.filter(({ verdict }) => verdict === 'differs').map((cell) => ({ table, cell })),
  );
  return {
    title: measured.length === 1 ? (measured[0]?.table.title ?? '') : 'Published tables, made again',
    summary: [
      `${all.length - failed.length} of ${all.length} cells are within their stated tolerance.`,
      ...failed.map(
        ({ table, cell }) =>
          `${table.name}, ${cell.row}, ${cell.column}: ${cell.ours} against ${cell.reference ?? cell.paper}, more than ${cell.tolerance} apart (see the notes of the table).`,
      ),
    ],
    tables: measured.map(tableOf),
    charts: measured.map(chartOf),
  };
}

function tableOf({ table, cells }: MeasuredTable): Table {
  return {
    title: table.title,
    columns,
    rows: cells.map((cell) => [
      cell.row,
      cell.column,
      cell.paper,
      cell.reference,
      cell.ours,
      cell.difference,
      cell.tolerance,
      cell.verdict,
    ]),
    notes: [`Source: ${table.source}.`, ...table.notes],
  };
}

function chartOf({ table, cells }: MeasuredTable): Chart {
  const rows = [...new Set(cells.map(({ row }) => row))];
  const x = [...new Set(cells.map(({ column }) => column))];
  const value = (row: string, column: string) => cells.find((cell) => cell.row === row && cell.column === column)?.ours;
  const values = (row: string) => x.map((column) => value(row, column));
  const title = `${table.title}, ours`;
  if (x.length <= 3)
    return {
      title,
      kind: 'bar',
      xLabel: '',
      yLabel: 'share',
      x: rows,
      series: x.map((column) => ({ name: column, values: rows.map((row) => value(row, column)) })),
    };
  return {
    title,
    kind: 'line',
    xLabel: '',
    yLabel: 'share',
    x,
    series: rows.map((row) => ({ name: row, values: values(row) })),
  };
}
