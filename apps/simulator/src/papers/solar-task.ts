import { createRng, seedOf } from '@reprise/kernel';
import { plainPolicy, productPolicy, referencePolicy, type PolicyConfig, type StorePolicyName } from '@reprise/policy';
import { replayVectors, type PolicyOf, type ReplayOptions, type ReplayResult } from '../runner/vector-replay.js';
import { loadSynthetic, workloadSeeds, type SyntheticWorkload } from '../workloads/solar-data.js';

/** How a run on SOLAR's synthetic workloads is configured. */
export type SolarMode =
  /** As the paper's tables were made. */
  | 'reference'
  /** A prefilled pool, nothing offered. */
  | 'frozen'
  /** The same with a pool that is drawn uniformly, as the paper says it is. */
  | 'frozen-uniform'
  /** The product's defaults: gate on misses. */
  | 'product'
  /** One policy alone with the product's gate on misses, changed by `change`. */
  | 'plain';

export interface SolarTask {
  readonly kind: 'solar';
  readonly experiment: 'cycling' | 'working_set' | 'topic_drift' | 'retrieval_noise_static' | 'retrieval_noise_stream';
  readonly tag?: string;
  readonly policy: StorePolicyName;
  readonly capacity: number;
  readonly mode: SolarMode;
  readonly change?: Partial<PolicyConfig>;
  readonly measure: keyof SolarResult;
  /** Policy seeds for each workload seed; 1 where the policy draws nothing. */
  readonly draws: number;
}

export type SolarResult = Pick<ReplayResult, 'hitRate' | 'precision' | 'storeRate' | 'size'>;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** All runs of a task: workload seeds × draws. */
export function solarRuns(task: Omit<SolarTask, 'kind' | 'measure'>, root: string): ReplayResult[] {
  const options = optionsOf(task);
  return workloadSeeds.flatMap((seed) => {
    const workload = workloadOf(task, root, seed);
    return Array.from({ length: task.draws }, (_, draw) =>
      replayVectors(workload, policyOf(task), options, seed * 1000 + draw),
    );
  });
}

/** The mean over all runs. */
export function runSolarTask(task: SolarTask, root: string): number {
  return mean(solarRuns(task, root).map((result) => result[task.measure]));
}

function policyOf({ mode, policy, capacity, change }: Omit<SolarTask, 'kind' | 'measure'>): PolicyOf {
  switch (mode) {
    case 'reference':
      return (views) => referencePolicy(policy, capacity, views.novelty);
    case 'frozen':
    case 'frozen-uniform':
      return () => plainPolicy('fifo', 5000);
    case 'product':
      return () => productPolicy(policy, capacity, change);
    case 'plain':
      return () => plainPolicy(policy, capacity, change);
  }
}

/** The reference gates on novelty, and counts retrieved entries as used in its own order. */
function optionsOf({ mode, policy, experiment }: Omit<SolarTask, 'kind' | 'measure'>): ReplayOptions {
  if (mode === 'product' || mode === 'plain') return { regret: 'miss', usedOrder: 'rank', depth: 3 };
  const gated = mode === 'reference' && (policy === 'solar' || policy === 'solar-a');
  const scoredOnly = experiment === 'retrieval_noise_stream' && policy === 'fifo';
  const usedOrder = mode === 'reference' && policy === 'arc' ? 'rank' : 'inserted';
  return { regret: gated ? 'novelty' : 'miss', usedOrder, depth: 3, scoredOnly };
}

function workloadOf(
  { mode, experiment, tag, capacity }: Omit<SolarTask, 'kind' | 'measure'>,
  root: string,
  seed: number,
): SyntheticWorkload {
  if (mode !== 'frozen' && mode !== 'frozen-uniform')
    return loadSynthetic(root, experiment, seed, tag === undefined ? {} : { tag });
  const workload = loadSynthetic(root, experiment, seed, { K: capacity });
  const prefill = mode === 'frozen' ? workload.prefill : uniformPool(capacity, seed);
  return { ...workload, prefill, stream: workload.relevant.map(() => null) };
}

function uniformPool(size: number, seed: number): number[] {
  const rng = createRng(seedOf(['uniform pool', String(seed)]));
  const items = Array.from({ length: 5000 }, (_, i) => i);
  for (let i = 0; i < size; i++) {
    const j = i + Math.floor(rng.next() * (items.length - i));
    [items[i], items[j]] = [items[j] as number, items[i] as number];
  }
  return items.slice(0, size);
}
