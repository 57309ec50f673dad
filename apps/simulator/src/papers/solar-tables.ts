import type { StorePolicyName } from '@reprise/policy';
import { toTheDigit, type PaperCell, type PaperTable } from './paper.types.js';
import type { SolarTask } from './solar-task.js';

const label: Partial<Record<StorePolicyName, string>> = {
  fifo: 'FIFO',
  lru: 'LRU',
  lfu: 'LFU',
  arc: 'ARC',
  solar: 'SOLAR',
  'solar-a': 'SOLAR-A',
  'solar-e': 'SOLAR-E',
};

/** SOLAR and SOLAR-E draw; numpy's generator is not ours, so they are averaged over policy seeds and compared within .02. */
const draws = (policy: StorePolicyName): boolean => policy === 'solar' || policy === 'solar-e';
const sampledTolerance = 0.02;

type Published = number | undefined;

interface Row {
  readonly policy: StorePolicyName;
  readonly name?: string;
  readonly paper?: readonly Published[];
  readonly reference?: readonly Published[];
  /** Policy seeds of a column. */
  readonly draws?: (column: number) => number;
  readonly task?: Partial<SolarTask>;
  readonly tolerance?: number;
}

interface Column {
  readonly name: string;
  readonly task: Pick<SolarTask, 'experiment' | 'capacity'> & Partial<SolarTask>;
}

function cellsOf(rows: readonly Row[], columns: readonly Column[]): PaperCell[] {
  return rows.flatMap((row) =>
    columns.flatMap((column, at): PaperCell[] => {
      const paper = row.paper?.[at];
      const reference = row.reference?.[at];
      if (paper === undefined && reference === undefined) return [];
      const count = row.draws?.(at) ?? (draws(row.policy) ? 10 : 1);
      const exact = count === 1 && !draws(row.policy);
      const base = { kind: 'solar', policy: row.policy, mode: 'reference', measure: 'hitRate', draws: count } as const;
      return [
        {
          row: row.name ?? label[row.policy] ?? row.policy,
          column: column.name,
          ...(paper === undefined ? {} : { paper }),
          ...(reference === undefined ? {} : { reference }),
          tolerance: row.tolerance ?? (exact ? toTheDigit : sampledTolerance),
          task: { ...base, ...column.task, ...row.task },
        },
      ];
    }),
  );
}

const own =
  'SOLAR and SOLAR-E draw from our generator instead of numpy’s: means over policy seeds, compared within .02.';
const source = 'SOLAR (arXiv 2607.00394); reference: the authors’ code, run on their own vectors';

const cycles = [10, 15, 20, 30, 50].map((m): Column => ({
  name: `m/K = ${m / 10}`,
  task: { experiment: 'cycling', tag: `m${m}`, capacity: 10 },
}));

export const solar8: PaperTable = {
  name: 'solar-8',
  title: 'SOLAR table 8: hit rate on cycling topics, K = 10',
  source,
  needs: 'solar-synthetic',
  notes: [own, 'On a strict cycle to keep the first K is best, and LFU does it too.'],
  cells: cellsOf(
    [
      { policy: 'fifo', paper: [0.9, 0, 0, 0, 0], reference: [0.9, 0, 0, 0, 0] },
      { policy: 'lru', paper: [0.38, 0.17, 0.08, 0.02, 0], reference: [0.377, 0.169, 0.077, 0.019, 0.001] },
      { policy: 'lfu', paper: [0.6, 0.52, 0.4, 0.27, 0.16], reference: [0.597, 0.52, 0.405, 0.269, 0.162] },
      { policy: 'arc', paper: [0.49, 0.35, 0.24, 0.16, 0.06], reference: [0.487, 0.349, 0.238, 0.159, 0.059] },
      { policy: 'solar-e', paper: [0.55, 0.39, 0.29, 0.2, 0.11], reference: [0.553, 0.387, 0.29, 0.197, 0.114] },
      { policy: 'solar-a', paper: [0.7, 0.54, 0.4, 0.27, 0.16], reference: [0.703, 0.544, 0.4, 0.269, 0.161] },
      { policy: 'solar', paper: [0.69, 0.54, 0.4, 0.26, 0.16], reference: [0.687, 0.538, 0.402, 0.257, 0.157] },
      {
        policy: 'solar-a',
        name: 'SOLAR-A, store rate',
        reference: [0.12, 0.111, 0.107, 0.103, 0.099],
        task: { measure: 'storeRate' },
      },
    ],
    cycles,
  ),
};

const capacities = [5, 10, 15, 20, 30, 50, 100, 200];
/** From K = 50 on SOLAR stores 41 items and never evicts, so nothing is drawn. */
const roomy = (column: number): boolean => (capacities[column] ?? 0) >= 50;

export const solar9: PaperTable = {
  name: 'solar-9',
  title: 'SOLAR table 9: hit rate on the working set',
  source,
  needs: 'solar-synthetic',
  notes: [
    own,
    'SOLAR-E at K = 15 is one draw of the reference (.671); over 20 policy seeds the mean is .691, at the edge of the tolerance.',
  ],
  cells: cellsOf(
    [
      {
        policy: 'fifo',
        paper: [0.31, 0.49, 0.62, 0.73, 0.86, 0.94, 0.97, 0.97],
        reference: [0.306, 0.493, 0.616, 0.727, 0.859, 0.944, 0.969, 0.97],
      },
      {
        policy: 'solar',
        paper: [0.33, 0.58, 0.71, 0.81, 0.85, 0.95, 0.95, 0.95],
        reference: [0.327, 0.577, 0.713, 0.808, 0.845, 0.951, 0.951, 0.951],
        draws: (column) => (roomy(column) ? 1 : 20),
      },
      {
        policy: 'solar-e',
        reference: [undefined, undefined, 0.671, undefined, 0.908],
        draws: () => 20,
      },
      { policy: 'solar-a', reference: [undefined, undefined, 0.815] },
      { policy: 'lfu', reference: [undefined, undefined, 0.616] },
      { policy: 'lru', reference: [undefined, undefined, 0.574] },
      { policy: 'arc', reference: [undefined, undefined, 0.567] },
    ],
    capacities.map((K) => ({ name: `K = ${K}`, task: { experiment: 'working_set', capacity: K } })),
  ),
};

const pools = [50, 200, 500, 1000, 2000, 5000].map((K): Column => ({
  name: `K = ${K}`,
  task: { experiment: 'retrieval_noise_static', capacity: K, mode: 'frozen' },
}));

export const solar10: PaperTable = {
  name: 'solar-10',
  title: 'SOLAR table 10: static retrieval noise, a frozen pool of K items',
  source,
  needs: 'solar-synthetic',
  notes: [
    'The paper says that the pool is sampled uniformly from 5,000 items; the code fills it with items that answer some query first, and this makes the inverted U. The rows “uniform pool” are what the text describes (another draw of the pool than the reference’s, so within .03).',
    'Three of a hundred exchangeable items count as relevant, so that chance at full coverage is .09: crowding is not measured.',
  ],
  cells: cellsOf(
    [
      {
        policy: 'fifo',
        name: 'hit rate',
        paper: [0.067, 0.17, 0.186, 0.201, 0.195, 0.09],
        reference: [0.067, 0.17, 0.186, 0.201, 0.195, 0.09],
      },
      {
        policy: 'fifo',
        name: 'precision@3',
        paper: [0.022, 0.058, 0.065, 0.07, 0.068, 0.03],
        reference: [0.022, 0.058, 0.065, 0.07, 0.068, 0.03],
        task: { measure: 'precision' },
      },
      {
        policy: 'fifo',
        name: 'hit rate, uniform pool',
        reference: [0.026, 0.08, 0.091, 0.1, 0.092, 0.09],
        task: { mode: 'frozen-uniform' },
        tolerance: 0.03,
      },
    ],
    pools,
  ),
};

export const solar11: PaperTable = {
  name: 'solar-11',
  title: 'SOLAR table 11: stream retrieval noise',
  source,
  needs: 'solar-synthetic',
  notes: [
    own,
    'From K = 500 on SOLAR stores 324 to 328 items and never evicts, hence “invariant to K”.',
    'SOLAR and FIFO at K = 5000 differ by .004 at a spread of .02 to .04 over three seeds: no difference.',
    'The vectors of the warm-up queries were made again from their seed (see the README of the data set).',
  ],
  cells: cellsOf(
    [
      { policy: 'fifo', paper: [0.075, 0.089, 0.087, 0.09], reference: [0.075, 0.089, 0.087, 0.09] },
      {
        policy: 'solar',
        paper: [0.083, 0.094, 0.094, 0.094],
        reference: [0.083, 0.094, 0.094, 0.094],
        draws: () => 1,
      },
      { policy: 'solar-a', reference: [0.09] },
    ],
    [200, 500, 1000, 5000].map((K) => ({
      name: `K = ${K}`,
      task: { experiment: 'retrieval_noise_stream', capacity: K },
    })),
  ),
};

export const solarDrift: PaperTable = {
  name: 'solar-drift',
  title: 'Topic drift, K = 20 (in SOLAR’s repository, not in its paper): hit rate',
  source,
  needs: 'solar-synthetic',
  notes: [own, 'Where topics drift, FIFO is best and the gate on novelty is a loss.'],
  cells: cellsOf(
    (
      [
        ['fifo', 0.95],
        ['lru', 0.918],
        ['arc', 0.907],
        ['solar-e', 0.825],
        ['solar-a', 0.677],
        ['solar', 0.616],
        ['lfu', 0.371],
      ] as const
    ).map(([policy, reference]) => ({ policy, reference: [reference], ...(draws(policy) ? { draws: () => 5 } : {}) })),
    [{ name: 'K = 20', task: { experiment: 'topic_drift', capacity: 20 } }],
  ),
};
