import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { formatValue } from './format.js';
import type { Chart, Report, Table } from './report.types.js';
import { provenanceLines } from './text.js';

const asset = (name: string): string => readFileSync(new URL(`../../assets/${name}`, import.meta.url), 'utf8');

/** Chart.js in one file, as it comes in its package (MIT; its banner is kept). */
function chartLibrary(): string {
  const entry = createRequire(import.meta.url).resolve('chart.js');
  return readFileSync(join(dirname(entry), 'chart.umd.min.js'), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

/** Inside a script element only `</script` and `<!--` could end or change it. */
const inScript = (code: string): string => code.replace(/<(?=\/script|!--)/gi, '\\x3C');
const inJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const anchor = (at: number): string => `table-${at}`;

function htmlTable({ title, columns, rows, notes }: Table, id: string, charts: string): string {
  // The first column names its row, also where the name is a number.
  const side = (at: number): string => (at === 0 || columns[at]?.format === 'text' ? '' : ' class="number"');
  const head = columns.map(({ name }, at) => `<th scope="col"${side(at)}>${escape(name)}</th>`).join('');
  const body = rows.map((row) => {
    const cells = columns.map(({ format }, at) => {
      const text = escape(formatValue(row[at], format));
      return at === 0 ? `<th scope="row">${text}</th>` : `<td${side(at)}>${text}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  const below = notes.map((note) => `<p class="note">${escape(note)}</p>`).join('');
  return `<section id="${id}"><h2>${escape(title)}</h2>${charts}<div class="wide" tabindex="0" role="region" aria-label="${escape(title)}"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>${below}</section>`;
}

function htmlChart({ title }: Chart, at: number): string {
  const label = `${title} (the numbers are in the tables)`;
  return `<figure><figcaption>${escape(title)}</figcaption><div class="plot"><canvas id="chart-${at}" role="img" aria-label="${escape(label)}"></canvas></div></figure>`;
}

/** Where there are many tables, a list of them to choose from. */
function contents(tables: readonly Table[]): string {
  if (tables.length <= fewTables) return '';
  const items = tables.map(({ title }, at) => `<li><a href="#${anchor(at)}">${escape(title)}</a></li>`);
  return `<nav aria-label="Tables"><ul>${items.join('\n')}</ul></nav>`;
}

const fewTables = 4;

/** One page that needs nothing else: no network (its policy forbids it), no other file. */
export function reportHtml(report: Report): string {
  const { title, summary, tables, charts, provenance } = report;
  const drawn = charts.map((chart, at) => ({ table: chart.table, html: htmlChart(chart, at) }));
  const chartsOf = (title?: string): string =>
    drawn.flatMap(({ table, html }) => (table === title ? html : [])).join('\n');
  const paragraphs = (lines: readonly string[]): string => lines.map((line) => `<p>${escape(line)}</p>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${asset('page.css')}</style>
</head>
<body>
<main>
<h1>${escape(title)}</h1>
<div class="summary">${paragraphs(summary)}</div>
${contents(tables)}
${chartsOf()}
${tables.map((table, at) => htmlTable(table, anchor(at), chartsOf(table.title))).join('\n')}
<footer><h2>Made by</h2>
${paragraphs(provenanceLines(provenance))}
</footer>
</main>
<script type="application/json" id="charts">${inJson(charts)}</script>
<script>${inScript(chartLibrary())}</script>
<script>${inScript(asset('page.js'))}</script>
</body>
</html>
`;
}
