import { join } from 'node:path';
import { csvName, tableCsv } from './csv.js';
import { reportHtml } from './html.js';
import type { Report } from './report.types.js';
import { reportText } from './text.js';
import { writeFileWhole } from './write-file.js';

export const reportJson = (report: Report): string => `${JSON.stringify(report, undefined, 2)}\n`;

/** Writes report.txt, report.json, report.html and one CSV file a table into `dir`; returns their paths. */
export async function writeReport(dir: string, report: Report): Promise<string[]> {
  const files: readonly (readonly [string, string])[] = [
    ['report.txt', reportText(report)],
    ['report.json', reportJson(report)],
    ['report.html', reportHtml(report)],
    ...report.tables.map((table) => [csvName(table), tableCsv(table)] as const),
  ];
  for (const [name, content] of files) await writeFileWhole(join(dir, name), content);
  return files.map(([name]) => join(dir, name));
}
