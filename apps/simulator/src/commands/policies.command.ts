import { policyNames, type PolicyName } from '@reprise/policy';
import { policyTables, speedTable, type PolicyCell } from '../report/policy-tables.js';
import { provenanceOf } from '../report/provenance.js';
import { SimulatorError } from '../simulator-error.js';
import type { PolicyTask } from '../sweep/policy-task.js';
import { sweep } from '../sweep/sweep.js';
import type { GeneratorOptions } from '../workloads/generator.js';
import { deliver, finishedIn, progressOf } from './deliver.js';
import type { OutputOptions, SimulatorIo } from './io.js';

export interface PoliciesOptions extends OutputOptions {
  readonly generator: Omit<GeneratorOptions, 'seed'>;
  readonly policies: readonly string[];
  readonly capacities: readonly number[];
  readonly seeds: readonly number[];
}

/** Names without a typing error; every policy of the registry for none. */
export function checkedPolicies(names: readonly string[]): PolicyName[] {
  const unknown = names.find((name) => !policyNames.some((known) => known === name));
  if (unknown !== undefined)
    throw new SimulatorError(`there is no policy "${unknown}"; known are ${policyNames.join(', ')}.`);
  return (names.length === 0 ? policyNames : names) as PolicyName[];
}

/** The bounds that every sweep has, whatever policies it is asked for. */
const bounds = ['exact', 'unlimited', 'clairvoyant'] as const;

/** All runs of a sweep: bounds without a capacity are run once a seed and hold for all. */
export function policyTasks(
  names: readonly PolicyName[],
  capacities: readonly number[],
  seeds: readonly number[],
  sourceOf: (seed: number) => PolicyTask['source'],
): PolicyTask[] {
  const all = [...new Set([...names, ...bounds])];
  return all.flatMap((policy) => {
    const everyCapacity = policy === 'exact' || policy === 'unlimited' ? capacities.slice(0, 1) : capacities;
    return everyCapacity.flatMap((capacity) =>
      seeds.map((seed) => ({ kind: 'policy' as const, source: sourceOf(seed), policy, capacity, seed })),
    );
  });
}

/** Results by policy and capacity; what has no capacity is repeated for each. */
export function policyCells(
  tasks: readonly PolicyTask[],
  results: readonly PolicyCell['results'][number][],
  capacities: readonly number[],
): PolicyCell[] {
  const cells = new Map<string, PolicyCell & { results: PolicyCell['results'][number][] }>();
  tasks.forEach((task, at) => {
    const wide = task.policy === 'exact' || task.policy === 'unlimited';
    for (const capacity of wide ? capacities : [task.capacity]) {
      const key = `${task.policy} ${capacity}`;
      const cell = cells.get(key) ?? { policy: task.policy, capacity, results: [] };
      cell.results.push(results[at] as PolicyCell['results'][number]);
      cells.set(key, cell);
    }
  });
  return [...cells.values()];
}

/** `simulate policies`: any policies on a generated trace of items; no vectors, no answers. */
export async function policiesCommand(io: SimulatorIo, options: PoliciesOptions): Promise<number> {
  const startedMs = performance.now();
  const { generator, capacities, seeds, threads } = options;
  const names = checkedPolicies(options.policies);
  const tasks = policyTasks(names, capacities, seeds, (seed) => ({
    from: 'generator',
    options: { ...generator, seed },
  }));
  const finished = await finishedIn(io, options);
  const results = await sweep(tasks, { threads, signal: io.signal, progress: progressOf(io, 'runs'), finished });
  const cells = policyCells(tasks, results, capacities);
  const { tables, charts } = policyTables(cells);
  const provenance = await provenanceOf(
    {
      config: { command: 'simulate policies', policies: names.join(' '), capacities: capacities.join(' '), threads },
      seeds,
      trace: `generated: ${JSON.stringify(generator)}`,
    },
    startedMs,
  );
  const { workload, requests, items } = generator;
  await deliver(
    io,
    {
      title: `Policies on a generated trace (${workload})`,
      summary: [
        `${requests} requests for ${items} items, ${seeds.length} seeds; every policy is the product’s own code.`,
      ],
      tables: [...tables, speedTable(cells)],
      charts,
      provenance,
    },
    options,
  );
  finished.forget();
  return 0;
}
