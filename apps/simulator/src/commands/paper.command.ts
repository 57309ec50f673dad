import { resolve } from 'node:path';
import type { ManagedEmbedder } from '@reprise/embeddings';
import { dataRoot, hasDataSet, repoRoot } from '../data-dir.js';
import { chatModelOf } from '../llm/chat-model.js';
import {
  judge,
  type MeasuredCell,
  type MeasuredTable,
  type PaperCell,
  type PaperTable,
  type SharedCell,
} from '../papers/paper.types.js';
import { isAlone, paperTables } from '../papers/paper-tables.js';
import { sharedKey, sharedName, sharedTasks } from '../papers/shared-tasks.js';
import { provenanceOf } from '../report/provenance.js';
import { formatValue } from '../report/format.js';
import { chartsOf } from '../report/paper-charts.js';
import type { Column, Report, Table, Value } from '../report/report.types.js';
import { SimulatorError } from '../simulator-error.js';
import type { FinishedTasks } from '../sweep/finished-tasks.js';
import { sweep } from '../sweep/sweep.js';
import type { SharedTask, SweepTask } from '../sweep/tasks.js';
import { workloadSeeds } from '../workloads/solar-data.js';
import { deliver, finishedIn, progressOf } from './deliver.js';
import type { OutputOptions, SimulatorIo } from './io.js';

/** A column with how it is shown, and what of a cell it has. */
type PaperColumn = Column & { readonly of: (cell: MeasuredCell) => Value };

/** What no cell of a table has is left out of it. */
function columnsOf({ table, cells }: MeasuredTable): readonly PaperColumn[] {
  const [plain, signed] = table.unit === '%' ? (['decimal1', 'signed1'] as const) : (['decimal3', 'signed3'] as const);
  const all: readonly PaperColumn[] = [
    { name: 'row', format: 'text', of: ({ row }) => row },
    { name: 'column', format: 'text', of: ({ column }) => column },
    { name: 'paper', format: plain, of: ({ paper }) => paper },
    { name: 'reference run', format: plain, of: ({ reference }) => reference },
    { name: 'ours', format: plain, of: ({ ours }) => ours },
    { name: 'difference', format: signed, of: ({ difference }) => difference },
    {
      name: 'tolerance',
      format: plain,
      of: ({ difference, tolerance }) => (difference === undefined ? undefined : tolerance),
    },
    { name: 'verdict', format: 'text', of: ({ verdict }) => verdict },
  ];
  return all.filter(({ of }) => cells.some((cell) => of(cell) !== undefined));
}

export interface PaperOptions extends OutputOptions {
  /** The configured model; unhealthy when there is none. */
  readonly openEmbedder: () => Promise<ManagedEmbedder>;
  /** Ask the language model that the environment names, instead of the proxy. */
  readonly llm?: boolean;
  /** Share of the conversations that multi-turn tables use; 1. */
  readonly share?: number;
}

/**
 * `simulate paper NAME|all`: makes published tables again through the product's policies.
 * @returns exit code 0 whatever the verdicts are; 1 when no table could be made
 */
export async function paperCommand(io: SimulatorIo, name: string, options: PaperOptions): Promise<number> {
  const startedMs = performance.now();
  const root = dataRoot(io.env);
  const wanted = tablesNamed(name);
  const tables = wanted.filter(({ needs }) => needs === undefined || hasDataSet(root, needs));
  for (const { name: left, needs = '' } of wanted.filter((table) => !tables.includes(table)))
    io.err(`${left} is left out: the data set ${needs} is not in ${root} (REPRISE_DATA_DIR).\n`);
  if (tables.length === 0) return 1;
  const finished = await finishedIn(io, options);
  const measured = await measure(io, root, tables, finished, options);
  const provenance = await provenanceOf(
    {
      config: {
        command: `simulate paper ${name}`,
        threads: options.threads,
        llm: options.llm === true ? 'asked' : 'proxy',
      },
      seeds: [...workloadSeeds],
      trace: [...new Set(tables.map(({ needs = 'generated (two-tier article)' }) => needs))].join(', '),
    },
    startedMs,
  );
  await deliver(io, { ...paperReport(measured), provenance }, options);
  finished.forget();
  return 0;
}

/** All numbers of the tables: those that stand alone a task each, the others with those of their table. */
async function measure(
  io: SimulatorIo,
  root: string,
  tables: readonly PaperTable[],
  finished: FinishedTasks,
  options: PaperOptions,
): Promise<MeasuredTable[]> {
  const cells = tables.flatMap((table) => table.cells.map(({ task }) => task));
  const shared = await sharedOf(io, root, cells.filter((task) => !isAlone(task)) as SharedCell[], options);
  const tasks: SweepTask[] = [
    // The longest first, so that none is left over at the end.
    ...shared.values(),
    ...cells.filter(isAlone).map((cell) => ({ kind: 'cell', cell, root }) as const),
  ];
  const { threads } = options;
  const results = await sweep(tasks, { threads, signal: io.signal, progress: progressOf(io, 'tasks'), finished });
  const byName = new Map([...shared.keys()].map((task, at) => [task, results[at] as Readonly<Record<string, number>>]));
  let at = shared.size;
  const valueOf = ({ task }: PaperCell): number =>
    isAlone(task) ? (results[at++] as number) : (byName.get(sharedName(task))?.[sharedKey(task)] ?? Number.NaN);
  return tables.map((table) => ({
    table,
    cells: table.cells.map((cell) => judge(options.llm === true ? againstPaper(cell) : cell, valueOf(cell))),
  }));
}

/** With a language model the paper's own values are what is compared with. */
function againstPaper(cell: PaperCell): PaperCell {
  if (cell.task.kind !== 'llm' || cell.paper === undefined) return cell;
  const { reference: _proxy, ...rest } = cell;
  return rest;
}

async function sharedOf(io: SimulatorIo, root: string, cells: readonly SharedCell[], options: PaperOptions) {
  if (cells.length === 0) return new Map<string, SharedTask>();
  const cacheDir = resolve(io.env['REPRISE_CACHE_DIR'] || resolve(repoRoot, '.cache'), 'simulate');
  const model = options.llm === true ? chatModelOf(io.env, cacheDir) : undefined;
  const embedder = await options.openEmbedder();
  try {
    return await sharedTasks(cells, {
      ...{ root, embedder, cacheDir, signal: io.signal, progress: progressOf(io, 'texts'), share: options.share ?? 1 },
      ...(model === undefined ? {} : { model }),
    });
  } finally {
    await embedder.close();
  }
}

function tablesNamed(name: string): PaperTable[] {
  if (name === 'all') return Object.values(paperTables);
  const table = Object.hasOwn(paperTables, name) ? paperTables[name] : undefined;
  if (table === undefined)
    throw new SimulatorError(`there is no table "${name}"; known are ${Object.keys(paperTables).join(', ')} and all.`);
  return [table];
}

/** The report of measured tables: what reproduces, what does not, and every cell. */
export function paperReport(measured: readonly MeasuredTable[]): Omit<Report, 'provenance'> {
  const all = measured.flatMap(({ cells }) => cells);
  const compared = all.filter(({ verdict }) => verdict !== 'nothing to compare');
  const rest = all.length - compared.length;
  const failed = measured.flatMap(({ table, cells }) =>
    cells.filter(({ verdict }) => verdict === 'differs').map((cell) => ({ table, cell })),
  );
  return {
    title: measured.length === 1 ? (measured[0]?.table.title ?? '') : 'Published tables, made again',
    summary: [
      `${compared.length - failed.length} of ${compared.length} numbers are within their stated tolerance${rest === 0 ? '' : `; ${rest} more have nothing to be compared with`}.`,
      ...[...new Set(failed.map(({ table }) => table))].map((table) => {
        const own = failed.filter((other) => other.table === table);
        const { cell } = own[0] as (typeof own)[number];
        const shown = (value?: number) => formatValue(value, table.unit === '%' ? 'decimal1' : 'decimal3');
        const first = `${cell.row}, ${cell.column}: ${shown(cell.ours)} against ${shown(cell.reference ?? cell.paper)}`;
        return `${table.name}: ${own.length} of ${table.cells.length} differ (${own.length === 1 ? first : `the first: ${first}`}); its notes say why.`;
      }),
    ],
    tables: measured.map(tableOf),
    charts: measured.flatMap(chartsOf),
  };
}

function tableOf(measured: MeasuredTable): Table {
  const { table, cells } = measured;
  const columns = columnsOf(measured);
  return {
    title: table.title,
    columns: columns.map(({ name, format }) => ({ name, format })),
    rows: cells.map((cell) => columns.map(({ of }) => of(cell))),
    notes: [`Source: ${table.source}.`, ...table.notes],
  };
}
