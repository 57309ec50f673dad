import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tableCsv } from './csv.js';
import { reportHtml } from './html.js';
import { noiseFloor } from './noise.js';
import type { Report } from './report.types.js';
import { reportText } from './text.js';
import { writeFileWhole } from './write-file.js';
import { writeReport } from './write-report.js';

const report: Report = {
  title: 'A <b>title</b>',
  summary: ['It was "so".'],
  tables: [
    {
      title: 'Rates by </script> name',
      columns: [
        { name: 'name', format: 'text' },
        { name: 'rate', format: 'share' },
        { name: 'gain', format: 'signed3' },
      ],
      rows: [
        ['=1+1, "x"', 0.12345, -0.5],
        ['plain', undefined, 0.25],
      ],
      notes: ['a note'],
    },
  ],
  charts: [
    {
      title: 'Chart',
      kind: 'line',
      xLabel: 'x',
      yLabel: 'y',
      x: [1, 2],
      series: [{ name: '</script><script>alert(1)</script>', values: [1, undefined] }],
    },
  ],
  provenance: {
    madeAt: '2026-01-01T00:00:00.000Z',
    commit: 'abc',
    versions: { node: 'v20' },
    config: { command: 'test' },
    seeds: [1, 2],
    trace: 'sha256 0',
    wallSeconds: 1.25,
  },
};

async function inFolder(run: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'reprise-simulator-'));
  try {
    await run(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

describe('a report', () => {
  it('as text has aligned columns, dashes for what is not known, and where it comes from', () => {
    const text = reportText(report);
    expect(text).toContain('=1+1, "x"  12.3 %  −0.500');
    expect(text).toContain('plain           –  +0.250');
    expect(text).toContain('seeds: 1, 2');
  });

  it('as CSV has its numbers in full and no formula', () => {
    expect(tableCsv(report.tables[0] as Report['tables'][number])).toBe(
      `name,rate,gain\r\n"'=1+1, ""x""",0.12345,-0.5\r\nplain,,0.25\r\n`,
    );
  });

  it('as a page asks for nothing outside and lets no text become markup', () => {
    const html = reportHtml(report);
    expect(html).toContain('A &lt;b&gt;title&lt;/b&gt;');
    expect(html).not.toMatch(/<(script|link|img|iframe)[^>]*\b(src|href)=/i);
    expect(html).not.toContain('<script>alert');
    // Data, library, page script: three elements, and each ends once.
    expect(html.match(/<script/g)).toHaveLength(3);
    expect(html.match(/<\/script>/g)).toHaveLength(3);
    expect(html).toContain("default-src 'none'");
    const data = /id="charts">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    expect(JSON.parse(data)).toEqual(JSON.parse(JSON.stringify(report.charts)));
  });

  it('as a page shows a chart with its table, and lists the tables where there are many', () => {
    const table = (title: string) => ({ title, columns: [], rows: [], notes: [] });
    const tables = ['A', 'B', 'C', 'D', 'E'].map(table);
    const charts = report.charts.map((chart) => ({ ...chart, table: 'B' }));
    const html = reportHtml({ ...report, tables, charts });
    expect(html).toMatch(/<section id="table-1"><h2>B<\/h2><figure>.*<canvas id="chart-0"/s);
    expect(html).toContain('<a href="#table-4">E</a>');
    expect(reportHtml(report)).not.toContain('<nav');
  });

  it('is written in all forms', () =>
    inFolder(async (dir) => {
      await writeReport(join(dir, 'new'), report);
      expect((await readdir(join(dir, 'new'))).sort()).toEqual([
        'rates-by-script-name.csv',
        'report.html',
        'report.json',
        'report.txt',
      ]);
      expect(JSON.parse(await readFile(join(dir, 'new', 'report.json'), 'utf8'))).toMatchObject({
        title: report.title,
      });
    }));
});

describe('a file is written whole or not at all', () => {
  it('removes what a killed writer of it left, and not what another one is writing', () =>
    inFolder(async (dir) => {
      const dead = spawnSync(process.execPath, ['--version']).pid;
      const part = (pid: number): string => `.a.txt.${pid}-0123abcd.part`;
      await writeFile(join(dir, part(dead)), 'half');
      await writeFile(join(dir, part(process.pid)), 'half');
      await writeFileWhole(join(dir, 'a.txt'), 'whole');
      expect((await readdir(dir)).sort()).toEqual([part(process.pid), 'a.txt']);
    }));

  it('leaves the old one and nothing else when its content fails', () =>
    inFolder(async (dir) => {
      await writeFileWhole(join(dir, 'a'), 'old');
      async function* half(): AsyncGenerator<string> {
        yield 'half';
        await Promise.reject(new Error('cut'));
      }
      await expect(writeFileWhole(join(dir, 'a'), half())).rejects.toThrow('cut');
      expect(await readFile(join(dir, 'a'), 'utf8')).toBe('old');
      expect(await readdir(dir)).toEqual(['a']);
    }));
});

describe('the noise floor', () => {
  it('is twice the standard error of a difference, and unknown for one seed', () => {
    // Both cells have variance 1: 2 · √(2 · 1 / 3).
    expect(
      noiseFloor([
        [1, 2, 3],
        [5, 6, 7],
      ]),
    ).toBeCloseTo(2 * Math.sqrt(2 / 3), 12);
    expect(noiseFloor([[1], [2]])).toBeUndefined();
  });
});
