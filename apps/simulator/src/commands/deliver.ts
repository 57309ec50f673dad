import { resolve } from 'node:path';
import { tableCsv } from '../report/csv.js';
import { codeState } from '../report/provenance.js';
import type { Report } from '../report/report.types.js';
import { reportText } from '../report/text.js';
import { reportJson, writeReport } from '../report/write-report.js';
import { FinishedTasks } from '../sweep/finished-tasks.js';
import { barProgress, silentProgress, type Progress } from '../sweep/progress.js';
import type { OutputOptions, SimulatorIo } from './io.js';

/** Prints a report and, if a folder is named, writes its files. */
export async function deliver(io: SimulatorIo, report: Report, { out, format }: OutputOptions): Promise<void> {
  if (format === 'json') io.out(reportJson(report));
  else if (format === 'csv') io.out(report.tables.map(tableCsv).join('\r\n'));
  else io.out(reportText(report));
  if (out === undefined) return;
  const files = await writeReport(resolve(io.cwd, out), report);
  io.err(`${files.map((file) => `written: ${file}`).join('\n')}\n`);
}

export const progressOf = (io: SimulatorIo, what: string): Progress =>
  io.terminal ? barProgress(what) : silentProgress;

/** The notes of an earlier, stopped run into the same folder by the same code. */
export async function finishedIn(io: SimulatorIo, { out }: OutputOptions): Promise<FinishedTasks> {
  if (out === undefined) return new FinishedTasks();
  const finished = new FinishedTasks(resolve(io.cwd, out, `.finished-${await codeState()}.jsonl`));
  if (finished.size > 0) io.err(`going on with ${finished.size} finished runs of ${out}.\n`);
  return finished;
}
