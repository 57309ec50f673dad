// Writes the tables of a report of `reprise simulate paper all --out DIR` into the pages of docs/, between their marks.
// usage: node bench/paper/write-docs.mjs DIR/report.json
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

/**
 * @typedef {{ title: string, columns: { name: string }[], rows: (string | number | null)[][] }} Table
 * @typedef {{ title: string, tables: Table[], provenance: { commit: string, wallSeconds: number, madeAt: string } }} Report
 */

const pages = ['docs/benchmarks.md', 'docs/benchmarks/multi-turn.md'];
const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node bench/paper/write-docs.mjs DIR/report.json');
  process.exit(1);
}
/** @type {Report} */
const report = JSON.parse(readFileSync(file, 'utf8'));

/** @param {string[][]} rows the first is the head */
const markdown = ([head = [], ...rows]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** @param {Table} table @param {string} name */
const column = ({ columns }, name) => columns.findIndex((other) => other.name === name);

/** @param {unknown} value @param {number} digits */
const shown = (value, digits) => (typeof value === 'number' ? value.toFixed(digits) : '');

/**
 * Rows by columns, ours with the paper's in brackets.
 * @param {Table} table
 */
function grid(table) {
  const [paper, ours] = [column(table, 'paper'), column(table, 'ours')];
  const names = [...new Set(table.rows.map(([row]) => String(row)))];
  const heads = [...new Set(table.rows.map((row) => String(row[1])))];
  const body = names.map((name) => {
    const cells = heads.map((head) => {
      const row = table.rows.find((other) => other[0] === name && other[1] === head);
      const published = row && paper >= 0 ? shown(row[paper], 1) : '';
      return row ? `${shown(row[ours], 1)}${published === '' ? '' : ` (${published})`}` : '';
    });
    return [name, ...cells];
  });
  return markdown([['', ...heads], ...body]);
}

function verdicts() {
  const rows = report.tables.map((table) => {
    const at = column(table, 'verdict');
    const count = (/** @type {string} */ verdict) => String(table.rows.filter((row) => row[at] === verdict).length);
    return [table.title, count('meets'), count('differs'), count('nothing to compare')];
  });
  const { commit, wallSeconds } = report.provenance;
  return `Commit ${commit}, ${(wallSeconds / 60).toFixed(1)} minutes.\n\n${markdown([['table', 'meets', 'differs', 'nothing to compare'], ...rows])}`;
}

const root = new URL('../../', import.meta.url);
for (const page of pages) {
  const path = fileURLToPath(new URL(page, root));
  const text = readFileSync(path, 'utf8').replace(
    /(<!-- (verdicts|table: (.*?)) -->\n)[^]*?(<!-- end -->)/g,
    (/** @type {string} */ whole, open, what, title, close) => {
      const table = report.tables.find((other) => other.title === title);
      if (what === 'verdicts') return `${open}\n${verdicts()}\n\n${close}`;
      return table === undefined ? whole : `${open}\n${grid(table)}\n\n${close}`;
    },
  );
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}
