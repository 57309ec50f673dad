import { createRng, seedOf } from '@reprise/kernel';
import { createPolicy, type PolicyName } from '@reprise/policy';
import { replayItems, type ItemOutcome, type ItemRequest } from '../runner/item-replay.js';
import { generate, type GeneratorOptions } from '../workloads/generator.js';

/** Where an item trace comes from: the generator, or the items that a replay of a chat trace found. */
export type ItemSource =
  | { readonly from: 'generator'; readonly options: GeneratorOptions }
  | { readonly from: 'items'; readonly items: readonly ItemRequest[] };

/** One policy on one item trace. */
export interface PolicyTask {
  readonly kind: 'policy';
  readonly source: ItemSource;
  /** `exact`: what equal wordings alone would serve, without any limit. */
  readonly policy: PolicyName | 'exact';
  readonly capacity: number;
  readonly seed: number;
}

export interface PolicyResult extends ItemOutcome {
  /** CPU time of this thread, ms; tells about this machine only. */
  readonly cpuMs: number;
}

const requestsOf = (source: ItemSource): Iterable<ItemRequest> =>
  source.from === 'generator' ? generate(source.options) : source.items;

export function runPolicyTask(task: PolicyTask): PolicyResult {
  const started = process.cpuUsage();
  const outcome = task.policy === 'exact' ? exactOnly(requestsOf(task.source)) : replay(task, task.policy);
  const { user, system } = process.cpuUsage(started);
  return { ...outcome, cpuMs: (user + system) / 1000 };
}

function replay({ source, capacity, seed }: PolicyTask, name: PolicyName): ItemOutcome {
  const draws = createRng(seedOf(['policy', name, String(seed)]));
  const policy = createPolicy(name, {
    capacity,
    change: { rememberedRequests: 0 },
    ...(name === 'clairvoyant' ? { future: Array.from(requestsOf(source), ({ item }) => item) } : {}),
  });
  return replayItems(requestsOf(source), policy, { seed: () => Math.floor(draws.next() * 2 ** 31) });
}

/** A request is served when the same item was asked for in the same words before. */
function exactOnly(requests: Iterable<ItemRequest>): ItemOutcome {
  const seen = new Set<string>();
  const sums = { requests: 0, hits: 0, served: 0, total: 0 };
  for (const { item, wording = 0, weight } of requests) {
    const key = `${item} ${wording}`;
    sums.requests += 1;
    sums.total += weight;
    if (seen.has(key)) {
      sums.hits += 1;
      sums.served += weight;
    } else seen.add(key);
  }
  return sums;
}
