import type { Table, Value } from './report.types.js';

/** A text that a spreadsheet would take for a formula is kept a text by an apostrophe. */
function field(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One table as CSV (RFC 4180), numbers in full. */
export function tableCsv({ columns, rows }: Table): string {
  const line = (values: readonly Value[]): string => `${columns.map((_, at) => field(values[at])).join(',')}\r\n`;
  return [columns.map(({ name }) => name), ...rows].map(line).join('');
}

/** File name of a table: its title in lower case with dashes. */
export function csvName({ title }: Table): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${slug.slice(0, 60).replace(/-$/, '') || 'table'}.csv`;
}
