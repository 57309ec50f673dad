import type { PolicyResult } from '../sweep/policy-task.js';
import { mean, noiseFloor } from './noise.js';
import type { Chart, Report, Series, Table } from './report.types.js';

/** All runs of one policy at one capacity, one a seed. */
export interface PolicyCell {
  readonly policy: string;
  readonly capacity: number;
  readonly results: readonly PolicyResult[];
}

/** Rows that no policy can be better than, or that need none. */
const boundNames: Readonly<Record<string, string>> = {
  exact: 'bound: exact matches only',
  unlimited: 'bound: unlimited',
  clairvoyant: 'bound: clairvoyant',
};

/** Policies drawn in the chart; more lines cannot be told apart. */
const mostDrawn = 6;

export const hitRate = ({ hits, requests }: PolicyResult): number => (requests === 0 ? 0 : hits / requests);
const servedShare = ({ served, total }: PolicyResult): number => (total === 0 ? 0 : served / total);

type Measure = (result: PolicyResult) => number;

interface Grid {
  readonly capacities: readonly number[];
  readonly policies: readonly string[];
  readonly at: (policy: string, capacity: number, measure: Measure) => number | undefined;
}

function gridOf(cells: readonly PolicyCell[]): Grid {
  const found = new Map(cells.map((cell) => [`${cell.policy} ${cell.capacity}`, cell.results]));
  return {
    capacities: [...new Set(cells.map(({ capacity }) => capacity))].sort((a, b) => a - b),
    policies: [...new Set(cells.map(({ policy }) => policy))],
    at: (policy, capacity, measure) => {
      const results = found.get(`${policy} ${capacity}`);
      return results === undefined ? undefined : mean(results.map(measure));
    },
  };
}

const isBound = (policy: string): boolean => Object.hasOwn(boundNames, policy);

/** Policies by their mean over all capacities, best first; the bounds behind them. */
function ranked({ policies, capacities, at }: Grid, measure: Measure): string[] {
  const score = (policy: string) => mean(capacities.map((capacity) => at(policy, capacity, measure) ?? 0));
  const by = (a: string, b: string) => score(b) - score(a);
  return [...policies.filter((name) => !isBound(name)).sort(by), ...policies.filter(isBound)];
}

function tableOf(title: string, grid: Grid, measure: Measure, notes: readonly string[]): Table {
  return {
    title,
    columns: [
      { name: 'policy', format: 'text' },
      ...grid.capacities.map((capacity) => ({ name: `K = ${capacity}`, format: 'share' as const })),
    ],
    rows: [
      ...ranked(grid, measure).map((policy) => [
        boundNames[policy] ?? policy,
        ...grid.capacities.map((capacity) => grid.at(policy, capacity, measure)),
      ]),
      ['bound: no cache', ...grid.capacities.map(() => 0)],
    ],
    notes,
  };
}

function chartOf(title: string, grid: Grid, measure: Measure): Chart {
  const names = ranked(grid, measure);
  const drawn = [...names.filter((name) => !isBound(name)).slice(0, mostDrawn), ...names.filter(isBound)];
  const percent = (value: number | undefined) => (value === undefined ? undefined : 100 * value);
  const series = drawn.map((policy): Series => {
    const values = grid.capacities.map((capacity) => percent(grid.at(policy, capacity, measure)));
    return isBound(policy) ? { name: boundNames[policy] ?? policy, values, bound: true } : { name: policy, values };
  });
  return { title, kind: 'line', xLabel: 'capacity (entries)', yLabel: '% of requests', x: grid.capacities, series };
}

/** Tables and chart of a sweep over policies and capacities. */
export function policyTables(cells: readonly PolicyCell[]): Pick<Report, 'tables' | 'charts'> {
  const grid = gridOf(cells);
  const floor = noiseFloor(cells.filter(({ policy }) => !isBound(policy)).map(({ results }) => results.map(hitRate)));
  const noise =
    floor === undefined
      ? 'One seed only: how much is chance is not known.'
      : `Noise floor ${(100 * floor).toFixed(2)} points (twice the standard error of a difference, pooled): what is closer together is not different.`;
  return {
    tables: [
      tableOf('Hit rate by policy and capacity', grid, hitRate, [noise]),
      tableOf('Share of the generation cost that is saved', grid, servedShare, [
        'Clairvoyant is the best for hits at its capacity, not for cost.',
      ]),
    ],
    charts: [chartOf('Hit rate by capacity', grid, hitRate)],
  };
}

/** How fast the replay was here, policies that take part only. */
export function speedTable(cells: readonly PolicyCell[]): Table {
  const policies = [...new Set(cells.map(({ policy }) => policy))];
  const perSecond = (policy: string): number => {
    const results = cells.filter((cell) => cell.policy === policy).flatMap((cell) => cell.results);
    const sum = (field: 'requests' | 'cpuMs') => results.reduce((total, result) => total + result[field], 0);
    return (1000 * sum('requests')) / Math.max(1, sum('cpuMs'));
  };
  return {
    title: 'Replay speed',
    columns: [
      { name: 'policy', format: 'text' },
      { name: 'requests per second of CPU time', format: 'count' },
    ],
    rows: policies.map((policy) => [boundNames[policy] ?? policy, perSecond(policy)]),
    notes: ['One thread, generating the trace included; a figure of this machine, not of the policy.'],
  };
}
