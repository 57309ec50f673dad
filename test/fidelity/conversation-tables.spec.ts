import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHashingEmbedder } from '@reprise/embeddings';
import { dataRoot, hasDataSet, paperCommand, type PaperOptions } from '@reprise/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A small version of the tables that need texts, by the command, with vectors of word hashes: their shape, not their values. */
const root = dataRoot(process.env);
const embedder = {
  ...createHashingEmbedder(),
  state: () => ({ pending: 0, workersReady: 1, cacheEntries: 0, cacheBytes: 0 }),
  close: () => Promise.resolve(),
};

let dir: string;
beforeAll(() => void (dir = mkdtempSync(join(tmpdir(), 'reprise-tables-'))));
afterAll(() => rmSync(dir, { recursive: true }));

type Rows = ReadonlyMap<string, number>;

async function table(name: string, share: number, change: Partial<PaperOptions> = {}, env = {}): Promise<Rows> {
  const io = {
    ...{ out: () => undefined, err: () => undefined, cwd: dir, terminal: false, signal: new AbortController().signal },
    env: { REPRISE_DATA_DIR: root, REPRISE_CACHE_DIR: dir, ...env },
  };
  const openEmbedder = () => Promise.resolve(embedder);
  await paperCommand(io, name, { format: 'text', threads: 0, out: name, share, openEmbedder, ...change });
  const report = JSON.parse(readFileSync(join(dir, name, 'report.json'), 'utf8')) as {
    readonly tables: readonly {
      readonly columns: readonly { readonly name: string }[];
      readonly rows: readonly (readonly [string, string, ...unknown[]])[];
    }[];
  };
  return new Map(
    report.tables.flatMap(({ columns, rows }) => {
      const ours = columns.findIndex((column) => column.name === 'ours');
      return rows.map((row): [string, number] => [`${row[0]} | ${row[1]}`, row[ours] as number]);
    }),
  );
}

const starting = (rows: Rows, prefix: string): number[] =>
  [...rows].filter(([name]) => name.startsWith(prefix)).map(([, value]) => value);

describe.skipIf(!hasDataSet(root, 'sgd-ticketing'))('multi-turn tables', { timeout: 300_000 }, () => {
  it('have a loss for every method and capacity; in hindsight no fixed threshold is worse than no cache', async () => {
    const rows = await table('mt-sgd-online', 0.03);
    expect(rows.size).toBe(7 * 6 + 2);
    expect([...rows.values()].every((loss) => loss > 0 && loss < 400)).toBe(true);
    const [bound = 100, sameKey = 100] = starting(rows, 'bound');
    expect(bound).toBeLessThanOrEqual(sameKey);
    expect(bound).toBeLessThan(Math.min(...[...rows].filter(([name]) => !name.startsWith('bound')).map(([, x]) => x)));
    for (const method of ['ElastiCache-MT', 'ContextCache', 'joint state', 'MeanCache'])
      expect(Math.max(...starting(rows, method))).toBeLessThan(103);
    expect(Math.min(...rows.values())).toBeLessThan(100);
  });

  it('have details that hang together', async () => {
    const rows = await table('mt-sgd-details', 0.03);
    const of = (column: string) => rows.get(`ElastiCache-MT, k = 1000 | ${column}`) ?? Number.NaN;
    const [hit, precision, wrong] = [of('hits, % of requests'), of('precision, % of hits'), of('wrong, % of requests')];
    expect(wrong).toBeCloseTo((hit * (100 - precision)) / 100, 1);
    expect(rows.get('ζ = .1, k = 300 | labels, % of requests')).toBeLessThanOrEqual(
      rows.get('CLCB-LS-MT, k = 300 | labels, % of requests') ?? 0,
    );
  });

  it.skipIf(!hasDataSet(root, 'taskmaster3-prefixes'))(
    'are made offline, too, and are the same each time',
    async () => {
      const rows = await table('mt-taskmaster3-offline', 0.04);
      expect(await table('mt-taskmaster3-offline', 0.04)).toEqual(rows);
      expect(rows.size).toBe(7 * 6);
      expect([...rows.values()].every((loss) => loss > 0 && loss < 400)).toBe(true);
    },
  );
});

describe.skipIf(!hasDataSet(root, 'locomo10'))('tables 4 to 7 and 12 of SOLAR', { timeout: 300_000 }, () => {
  it('have both forms: evicted rows shrink what FIFO gets back, exact retrieval does not', async () => {
    const rows = await table('solar-4', 0.1);
    const found = (policy: string, form: string, K: number) =>
      rows.get(`experiences of 3, ${policy}, ${form} | K = ${K}`) ?? Number.NaN;
    for (const policy of ['FIFO', 'LRU', 'LFU', 'ARC', 'SOLAR', 'SOLAR-A', 'SOLAR-E'])
      expect(found(policy, 'exact top-3', 10)).toBe(3);
    expect(found('FIFO', 'as in the reference code', 10)).toBeLessThan(1.5);
    expect(found('SOLAR', 'as in the reference code', 10)).toBeGreaterThan(2);
    const helped = (policy: string, K: number) => rows.get(`evidence found, ${policy}, exact top-3 | K = ${K}`) ?? 0;
    expect(helped('Embedder (unlimited)', 10)).toBeGreaterThan(helped('FIFO', 10));
    expect(helped('FIFO', 100)).toBeGreaterThan(helped('FIFO', 10));
  });
});
