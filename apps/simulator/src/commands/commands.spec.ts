import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@reprise/config';
import { createHashingEmbedder, createUnavailableEmbedder } from '@reprise/embeddings';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judge } from '../papers/paper.types.js';
import type { Report } from '../report/report.types.js';
import { importCommand } from './import.command.js';
import type { SimulatorIo } from './io.js';
import { paperCommand, paperReport } from './paper.command.js';
import { policiesCommand } from './policies.command.js';
import { shareCapacities, traceCommand, type TraceOptions } from './trace.command.js';
import { defaultGenerator } from '../workloads/generator.js';

let dir: string;
beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), 'reprise-simulator-'))));
afterEach(() => rm(dir, { recursive: true }));

function ioIn(cwd: string): SimulatorIo & { readonly written: { out: string; err: string } } {
  const written = { out: '', err: '' };
  return {
    ...{ written, cwd, env: {}, terminal: false, signal: new AbortController().signal },
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
  };
}

const line = (n: number, question: string, more: object = {}) =>
  JSON.stringify({
    id: `x${n}`,
    time: 1_760_000_000 + n,
    request: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: question }] },
    response: {
      choices: [{ message: { role: 'assistant', content: `Answer to ${question}` }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 100 },
    },
    ...more,
  });

const config = (() => {
  const loaded = loadConfig({ env: {}, cwd: '/nowhere' });
  if (!loaded.ok) throw new Error('The default configuration is not valid.');
  return loaded.value;
})();

const managed = (embedder: ReturnType<typeof createHashingEmbedder>) => ({
  ...embedder,
  state: () => ({ pending: 0, workersReady: 1, cacheEntries: 0, cacheBytes: 0 }),
  close: () => Promise.resolve(),
});

const options = (trace: string, change: Partial<TraceOptions> = {}): TraceOptions => ({
  ...{ trace, shape: 'auto', config, format: 'json', threads: 0, store: 'memory', redisUrl: '', limit: 1000 },
  ...{ policies: ['lru', 'fifo'], capacities: [], seeds: [1], budgets: [] },
  openEmbedder: () => Promise.resolve(managed(createHashingEmbedder())),
  ...change,
});

const questions = [
  'What is a heron?',
  'Where do herons live?',
  'What is a heron?',
  'What is a stork?',
  'What is a heron?',
];

async function reportOf(lines: readonly string[], change: Partial<TraceOptions> = {}): Promise<Report> {
  await writeFile(join(dir, 'mine.jsonl'), `${lines.join('\n')}\n`);
  const io = ioIn(dir);
  expect(await traceCommand(io, options('mine.jsonl', change))).toBe(0);
  return JSON.parse(io.written.out) as Report;
}

describe('simulate --trace', () => {
  it('says what would have been saved, and that it cannot know how often it would have been wrong', async () => {
    const { summary, tables } = await reportOf(questions.map((question, n) => line(n, question)));
    expect(summary[0]).toContain('40.0 % of 5 requests served from the cache, 2 equal and 0 of equal meaning');
    expect(summary[0]).toContain('400 of 1,000 tokens');
    expect(summary[1]).toContain('cannot be known from this trace: it has no labels and no reference answers');
    expect(tables[0]?.rows.map(([name, served]) => [name, served])).toEqual([
      ['bound: no cache', 0],
      ['bound: equal requests only', 0.4],
      ['as configured, K = 10,000', 0.4],
      ['bound: unlimited', 0.4],
    ]);
  });

  it('counts wrong reuses where labels are known', async () => {
    // The third and the fifth request are served the first one’s answer; the fifth wants another.
    const labels = ['a', 'b', 'a', 'c', 'd'];
    const { summary } = await reportOf(questions.map((question, n) => line(n, question, { label: labels[n] })));
    expect(summary[1]).toMatch(/^Wrong: 1 of 2 reuses with known truth, 50\.0 % \(95 % interval 1\.3 to 98\.7 %\)/);
  });

  it('replays the budget mode with the labels as the judge, and says which budget was kept', async () => {
    const io = ioIn(dir);
    const lines = Array.from({ length: 330 }, (_, n) =>
      line(n, `What is the price of item ${'abcdefg'[n % 7]}${'xyz'[n % 3]}${n % 2 ? '?' : ' today?'}`, {
        label: `item ${n % 21}`,
        conversation: `c${n}`,
      }),
    );
    await writeFile(join(dir, 'trace.jsonl'), `${lines.join('\n')}\n`);
    expect(await traceCommand(io, options('trace.jsonl', { budgets: [0.2] }))).toBe(0);
    const report = JSON.parse(io.written.out) as Report;
    const table = report.tables.find(({ title }) => title.startsWith('Error budget'));
    expect(table?.rows.map(([budget, entries]) => [budget, entries])).toEqual([
      [0.2, 'unlimited'],
      [0.2, expect.any(String)],
      [0.2, expect.any(String)],
    ]);
    expect(report.summary.some((sentence) => /budget/.test(sentence))).toBe(true);
  }, 300_000);

  it('says so when only equal requests are looked for, and when the trace is cut', async () => {
    const { summary } = await reportOf(
      questions.map((question, n) => line(n, question)),
      { openEmbedder: () => Promise.resolve(createUnavailableEmbedder('no model here')), limit: 3 },
    );
    expect(summary).toContain('Only equal requests were looked for: no model here.');
    expect(summary).toContain('Only the first 3 exchanges were replayed (--limit).');
  });

  it('stops at a malformed line before anything is written', async () => {
    await writeFile(join(dir, 'mine.jsonl'), `${line(1, 'a')}\n{"request":`);
    const run = traceCommand(ioIn(dir), options('mine.jsonl', { out: 'report' }));
    await expect(run).rejects.toThrow(/line 2: is not JSON/);
    expect(await readdir(dir)).toEqual(['mine.jsonl']);
  });

  it('tries capacities up to what the trace would fill', () => {
    expect(shareCapacities(1234)).toEqual([25, 62, 130, 250, 620, 1300]);
    expect(shareCapacities(1)).toEqual([1]);
  });
});

describe('import', () => {
  it('writes a trace that gives the same report, packed or not', async () => {
    const lines = questions.map((question, n) => line(n, question, { label: n % 2 }));
    const before = await reportOf([...lines, '{"request":{"model":"m","messages":[]}}']);
    const io = ioIn(dir);
    await importCommand(io, 'mine.jsonl', { shape: 'auto', out: 'trace.jsonl.gz' });
    expect(io.written.err).toBe('5 exchanges, 5 with a label or a reference answer; left out: 1 × no chat request.\n');
    const again = ioIn(dir);
    await traceCommand(again, options('trace.jsonl.gz'));
    expect((JSON.parse(again.written.out) as Report).tables).toEqual(before.tables);
  });

  it('leaves nothing behind when a line cannot be read', async () => {
    await writeFile(join(dir, 'log.jsonl'), `${line(1, 'a')}\nnonsense\n`);
    const run = importCommand(ioIn(dir), 'log.jsonl', { shape: 'auto', out: 'trace.jsonl' });
    await expect(run).rejects.toThrow(/line 2/);
    expect(await readdir(dir)).toEqual(['log.jsonl']);
  });
});

describe('a sweep', () => {
  const generator = { ...defaultGenerator, requests: 500, items: 50 };
  const small = {
    generator,
    policies: ['lru'],
    capacities: [5, 10],
    seeds: [1, 2],
    format: 'csv',
    threads: 0,
  } as const;

  it('gives the same tables again, and notes nothing once its report is written', async () => {
    const [first, second] = [ioIn(dir), ioIn(dir)];
    await policiesCommand(first, { ...small, out: 'report' });
    await policiesCommand(second, small);
    const rates = (csv: string) => csv.split('\r\n\r\n')[0];
    expect(rates(first.written.out)).toBe(rates(second.written.out));
    expect((await readdir(join(dir, 'report'))).some((name) => name.startsWith('.finished'))).toBe(false);
    expect(await readFile(join(dir, 'report', 'report.html'), 'utf8')).toContain('Hit rate by capacity');
  });

  it('refuses a policy or a table that there is not', async () => {
    await expect(policiesCommand(ioIn(dir), { ...small, policies: ['best'] })).rejects.toThrow(/no policy "best"/);
    const { openEmbedder } = options('');
    await expect(paperCommand(ioIn(dir), 'solar-1', { format: 'text', threads: 0, openEmbedder })).rejects.toThrow(
      /no table/,
    );
  });
});

describe('a published table', () => {
  const task = { kind: 'article', stream: { name: 'locality' }, policy: 'lru', tag: 'running-max', seeds: 1 } as const;
  const cells = [
    { row: 'a', column: 'x', paper: 0.8, reference: 0.799, tolerance: 0.01, task },
    { row: 'b', column: 'x', paper: 0.5, tolerance: 0.01, task },
    { row: 'c', column: 'x', tolerance: 0.01, task },
  ];

  it('has for each cell what is published, ours, the difference and a verdict', () => {
    const table = { name: 't', title: 'T', source: 's', notes: ['why b differs'], cells };
    const measured = cells.map((cell, at) => judge(cell, [0.8044, 0.4894, 0.3][at] ?? 0));
    const { summary, tables } = paperReport([{ table, cells: measured }]);
    expect(tables[0]?.rows).toEqual([
      ['a', 'x', 0.8, 0.799, 0.804, 0.005, 0.01, 'meets'],
      ['b', 'x', 0.5, undefined, 0.489, -0.011, 0.01, 'differs'],
      ['c', 'x', undefined, undefined, 0.3, undefined, undefined, 'nothing to compare'],
    ]);
    expect(summary[0]).toBe(
      '1 of 2 numbers are within their stated tolerance; 1 more have nothing to be compared with.',
    );
    expect(tables[0]?.columns.map(({ name }) => name)).toContain('reference run');
    expect(summary[1]).toBe('t: 1 of 3 differ (b, x: 0.489 against 0.500); its notes say why.');
  });

  it('is drawn where its columns are one axis, in charts of a few lines, and has no column that is empty', () => {
    const rows = ['quality', 'found'].flatMap((measure) =>
      ['a', 'b', 'c', 'd', 'e'].map((policy) => `${measure}, ${policy}, exact`),
    );
    const grid = rows.flatMap((row) =>
      [10, 20, 30, 40].map((K) => judge({ row, column: `K = ${K}`, paper: 0.5, tolerance: 0.01, task }, 0.5)),
    );
    const table = { name: 't', title: 'T', source: 's', notes: [], cells: grid };
    const { charts, tables } = paperReport([
      { table, cells: grid },
      { table: { ...table, title: 'U' }, cells: grid.filter((_, at) => at % 4 !== Math.floor(at / 4) % 4) },
    ]);
    expect(charts.map(({ title, table: of, series }) => [title, of, series.map(({ name }) => name)])).toEqual([
      ['Ours: quality, exact', 'T', ['a', 'b', 'c', 'd', 'e']],
      ['Ours: found, exact', 'T', ['a', 'b', 'c', 'd', 'e']],
    ]);
    expect(tables[0]?.columns.map(({ name }) => name)).not.toContain('reference run');
  });
});
