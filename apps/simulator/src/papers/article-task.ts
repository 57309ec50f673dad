import { articlePolicy, PolicyStore, type PolicyConfig, type StorePolicyName } from '@reprise/policy';
import { replayItems, type ItemRequest } from '../runner/item-replay.js';
import { flood, locality, oracleTags, poisoned, rareCritical } from '../workloads/article.js';

/** A workload of the two-tier article. */
export type ArticleStream =
  | { readonly name: 'locality' }
  | { readonly name: 'rare-critical' }
  | { readonly name: 'flood'; readonly width: number }
  | { readonly name: 'poisoned'; readonly claim: number };

export interface ArticleTask {
  readonly kind: 'article';
  readonly stream: ArticleStream;
  readonly policy: StorePolicyName;
  readonly change?: Partial<PolicyConfig>;
  /** What an item's importance is: the largest seen so far, or the item's noisy total over the stream. */
  readonly tag: 'running-max' | 'oracle';
  /** Seeds; a stream without a draw (flood) needs one. */
  readonly seeds: number;
}

/** The article's capacity. */
export const articleCapacity = 150;

const known = new Map<string, readonly ItemRequest[]>();

/** A workload, kept: fifteen of each are used by all rows. */
function streamOf(stream: ArticleStream, seed: number): readonly ItemRequest[] {
  const key = JSON.stringify([stream, seed]);
  const requests = known.get(key) ?? generate(stream, seed);
  // Poisoned streams are long and used by few rows.
  if (stream.name !== 'poisoned') known.set(key, requests);
  return requests;
}

function generate(stream: ArticleStream, seed: number): ItemRequest[] {
  switch (stream.name) {
    case 'locality':
      return locality(seed);
    case 'rare-critical':
      return rareCritical(seed);
    case 'flood':
      return flood(stream.width);
    case 'poisoned':
      return poisoned(seed, stream.claim);
  }
}

/** Served share of the real weight under a policy. */
export function servedShare(
  requests: Iterable<ItemRequest>,
  policy: PolicyConfig,
  importance?: (request: ItemRequest) => number,
): number {
  const { served, total } = replayItems(
    requests,
    new PolicyStore(policy),
    importance === undefined ? {} : { importance },
  );
  return served / total;
}

/** Mean served share over the seeds. */
export function runArticleTask({ stream, policy, change, tag, seeds }: Omit<ArticleTask, 'kind'>): number {
  const config = articlePolicy(policy, articleCapacity, change);
  let sum = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const requests = streamOf(stream, seed);
    const tags = tag === 'oracle' ? oracleTags(requests, seed) : undefined;
    sum += servedShare(requests, config, tags && (({ item }) => tags.get(item) ?? 0));
  }
  return sum / seeds;
}
