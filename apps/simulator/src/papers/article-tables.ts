import type { PolicyConfig, StorePolicyName } from '@reprise/policy';
import type { ArticleStream, ArticleTask } from './article-task.js';
import type { PaperCell, PaperTable } from './paper.types.js';

/** .01 and half a digit of the printed three. */
const tolerance = 0.0105;
const seeds = 15;

const streams: readonly ArticleStream[] = [
  { name: 'locality' },
  { name: 'rare-critical' },
  { name: 'flood', width: 220 },
];

type Shares = readonly (number | undefined)[];

interface Row {
  readonly name: string;
  readonly policy: StorePolicyName;
  readonly change?: Partial<PolicyConfig>;
  readonly tag?: ArticleTask['tag'];
  readonly article?: Shares;
  readonly probe: Shares;
}

const twoTier = (protectedShare: number, probe: Shares): Row => ({
  name: `two-tier ${100 * protectedShare} %, running maximum`,
  policy: 'two-tier',
  change: { protectedShare },
  probe,
});

const blend = (decaySteps: number, probe: Shares): Row => ({
  name: `decay blend, τ = ${decaySteps}`,
  policy: 'decay-blend',
  change: { decaySteps },
  probe,
});

const rows: readonly Row[] = [
  { name: 'LRU', policy: 'lru', article: [0.8, 0.13, 0], probe: [0.799, 0.128, 0] },
  { name: 'LFU', policy: 'lfu', article: [0.14, 0.11, 0], probe: [0.141, 0.113, 0] },
  { name: 'ARC', policy: 'arc', article: [0.8, 0.12, 0], probe: [0.801, 0.123, 0] },
  {
    name: 'value, oracle tag',
    policy: 'value',
    tag: 'oracle',
    article: [0.22, 0.65, 0.57],
    probe: [0.223, 0.646, 0.569],
  },
  { name: 'value, running maximum', policy: 'value', change: { tieById: true }, probe: [0.357, 0.64, 0.569] },
  {
    name: 'two-tier 30 %, oracle tag',
    policy: 'two-tier',
    tag: 'oracle',
    article: [0.81, 0.64, 0.57],
    probe: [0.805, 0.641, 0.569],
  },
  {
    name: 'two-tier 30 %, running maximum',
    policy: 'two-tier',
    article: [0.81, 0.64, 0.57],
    probe: [0.805, 0.64, 0.569],
  },
  {
    name: 'two-tier 15 %, oracle tag',
    policy: 'two-tier',
    change: { protectedShare: 0.15 },
    tag: 'oracle',
    article: [undefined, 0.44, 0.42],
    probe: [0.802, 0.442, 0.417],
  },
  twoTier(0.15, [0.802, 0.419, 0.417]),
  twoTier(0.2, [0.803, 0.523, 0.569]),
  twoTier(0.25, [0.804, 0.611, 0.569]),
  twoTier(0.27, [0.805, 0.64, 0.569]),
  twoTier(0.4, [0.807, 0.64, 0.569]),
  twoTier(0.5, [0.809, 0.64, 0.569]),
  twoTier(0.7, [0.744, 0.64, 0.569]),
  { name: 'GreedyDual-Size', policy: 'gds', probe: [0.799, 0.638, 0.569] },
  { name: 'GreedyDual-Size with frequency', policy: 'gdsf', probe: [0.792, 0.64, 0.569] },
  blend(50, [0.799, 0.201, 0.303]),
  blend(100, [0.799, 0.268, 0.569]),
  blend(200, [0.799, 0.373, 0.569]),
  blend(400, [0.799, 0.502, 0.569]),
];

function cell(row: Row, stream: ArticleStream, at: number): PaperCell[] {
  const { name, policy, change, tag = 'running-max', article, probe } = row;
  const [paper, reference] = [article?.[at], probe[at]];
  if (reference === undefined) return [];
  const task: ArticleTask = {
    kind: 'article',
    stream,
    policy,
    ...(change === undefined ? {} : { change }),
    tag,
    seeds: stream.name === 'flood' ? 1 : seeds,
  };
  return [{ row: name, column: stream.name, ...(paper === undefined ? {} : { paper }), reference, tolerance, task }];
}

export const twoTierTable: PaperTable = {
  name: 'two-tier',
  title: 'The two-tier article: served share of the weight, capacity 150, 15 seeds',
  source: 'The article of DanceNitra/agora; reference: its public probe, and a write-time estimator added to it',
  notes: [
    'Own random generator: within .01, where the standard error is at most .009.',
    '“value, running maximum” depends on how ties are broken: the row breaks them by item number, the product by age (.80 on locality).',
    '“A blend cannot survive the flood” holds for a decay that is short against the cycle only, and not for GreedyDual.',
  ],
  cells: rows.flatMap((row) => streams.flatMap((stream, at) => cell(row, stream, at))),
};

const widths: readonly (readonly [width: number, gds: number, twoTier: number])[] = [
  [220, 0.569, 0.569],
  [500, 0.364, 0.364],
  [1000, 0.223, 0.223],
  [1500, 0, 0.155],
  [2000, 0, 0.117],
  [4000, 0, 0.062],
];

export const twoTierWidth: PaperTable = {
  name: 'two-tier-width',
  title: 'Width of the flood: served share by junk items a cycle',
  source: 'Own extension of the article’s flood (algorithms, §3.4); not in the article',
  notes: [
    'GreedyDual dies when its clock gains more within a cycle than real and junk items differ: width > 120 · 9 = 1,080.',
  ],
  cells: widths.flatMap(([width, gds, twoTiers]) =>
    (
      [
        ['GreedyDual-Size', 'gds', gds],
        ['two-tier 30 %', 'two-tier', twoTiers],
      ] as const
    ).map(([row, policy, reference]) => ({
      row,
      column: `width ${width}`,
      reference,
      tolerance: 0.005,
      task: { kind: 'article', stream: { name: 'flood', width }, policy, tag: 'running-max', seeds: 1 } as const,
    })),
  ),
};

const claims: readonly (readonly [claim: number, lru: number, gds: number, twoTier: number])[] = [
  [0, 0.232, 0.855, 0.752],
  [5, 0.232, 0.325, 0.746],
  [21, 0.232, 0.106, 0.17],
];

export const twoTierPoison: PaperTable = {
  name: 'two-tier-poison',
  title:
    'Poisoned importance: served share of the real weight when three of four items are junk that claims importance V',
  source: 'Own extension of the article (algorithms, §3.4); not in the article',
  notes: [
    'The stream of the reference is not public and was drawn again: within .1. What counts is the fall at V = 21, above the real 20, and that it is gone when importance counts from the second independent use on.',
  ],
  cells: claims.flatMap(([claim, ...shares]) =>
    (
      [
        ['LRU', 'lru', shares[0], {}],
        ['GreedyDual-Size', 'gds', shares[1], {}],
        ['two-tier 30 %', 'two-tier', shares[2], {}],
        ['two-tier 30 %, second use', 'two-tier', 0.691, { corroboration: 2 }],
      ] as const
    ).map(([row, policy, reference, change]) => ({
      row,
      column: `V = ${claim}`,
      reference,
      tolerance: 0.1,
      task: {
        kind: 'article',
        stream: { name: 'poisoned', claim },
        policy,
        change,
        tag: 'running-max',
        seeds: 4,
      } as const,
    })),
  ),
};
