import { formatValue } from './format.js';
import type { Provenance, Report, Table } from './report.types.js';

const width = (text: string): number => [...text].length;

function textTable({ title, columns, rows, notes }: Table): string {
  const cells = rows.map((row) => columns.map(({ format }, at) => formatValue(row[at], format)));
  const widths = columns.map(({ name }, at) => Math.max(width(name), ...cells.map((row) => width(row[at] ?? ''))));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => {
        const blanks = ' '.repeat((widths[at] ?? 0) - width(cell));
        return columns[at]?.format === 'text' ? cell + blanks : blanks + cell;
      })
      .join('  ')
      .trimEnd();
  const head = line(columns.map(({ name }) => name));
  const rule = widths.map((size) => '─'.repeat(size)).join('  ');
  return [title, '', head, rule, ...cells.map(line), ...notes.map((note) => `  ${note}`), ''].join('\n');
}

/** One line for each fact of where a report comes from. */
export function provenanceLines({ madeAt, commit, versions, config, seeds, trace, wallSeconds }: Provenance): string[] {
  const pairs = (record: Readonly<Record<string, unknown>>): string =>
    Object.entries(record)
      .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(', ');
  return [
    `made ${madeAt} in ${wallSeconds.toFixed(1)} s, commit ${commit}`,
    `versions: ${pairs(versions)}`,
    `configuration: ${pairs(config)}`,
    `seeds: ${seeds.join(', ')}`,
    `trace: ${trace}`,
  ];
}

/** A report for a terminal. */
export function reportText({ title, summary, tables, provenance }: Report): string {
  const parts = [title, ...summary, ''].join('\n');
  return `${[parts, ...tables.map(textTable), provenanceLines(provenance).join('\n')].join('\n')}\n`;
}
