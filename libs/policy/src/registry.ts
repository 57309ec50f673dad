import type { CachePolicy } from './eviction/cache-policy.js';
import { Clairvoyant } from './eviction/simulated/clairvoyant.js';
import { S3Fifo } from './eviction/simulated/s3-fifo.js';
import { Sieve } from './eviction/simulated/sieve.js';
import { WTinyLfu } from './eviction/simulated/w-tiny-lfu.js';
import { plainPolicy, policyFragments, type PolicyConfig, type StorePolicyName } from './tiers/policy-config.js';
import { PolicyStore } from './tiers/policy-store.js';

/** What a policy decides by. */
export type PolicySignal = 'order' | 'recency' | 'frequency' | 'importance' | 'posterior' | 'loss' | 'future';

export interface PolicyOptions {
  readonly capacity: number;
  /** Changes to the plain configuration of a store policy. */
  readonly change?: Partial<PolicyConfig>;
  /** Ids in the order in which they will be asked for; `clairvoyant` only. */
  readonly future?: readonly string[];
}

export interface PolicyDescription {
  /** Where it runs: in Redis and here, or here only (simulator, ghosts). */
  readonly runs: 'store' | 'simulator';
  readonly signals: readonly PolicySignal[];
  /** Survives a flood of entries that never come back: a used or valuable entry is not pushed out by them. */
  readonly resistsFloods: boolean;
  /** Finds its own balance between recency and frequency. */
  readonly adapts: boolean;
  readonly summary: string;
  readonly create: (options: PolicyOptions) => CachePolicy;
}

const store =
  (name: StorePolicyName) =>
  ({ capacity, change }: PolicyOptions): CachePolicy =>
    new PolicyStore(plainPolicy(name, name === 'unlimited' ? Infinity : capacity, change));

/** Every policy by the name that operators and the simulator use. */
export const policyRegistry = {
  solar: {
    runs: 'store',
    signals: ['loss', 'posterior', 'order'],
    resistsFloods: true,
    adapts: true,
    summary: 'Regret gate, Thompson sampling among 64 candidates',
    create: store('solar'),
  },
  'solar-a': {
    runs: 'store',
    signals: ['loss', 'recency', 'frequency'],
    resistsFloods: true,
    adapts: true,
    summary: 'Regret gate, lowest blend of recency, frequency and diversity',
    create: store('solar-a'),
  },
  'solar-e': {
    runs: 'store',
    signals: ['posterior', 'order'],
    resistsFloods: false,
    adapts: true,
    summary: 'No gate, Thompson sampling among 64 candidates',
    create: store('solar-e'),
  },
  fifo: {
    runs: 'store',
    signals: ['order'],
    resistsFloods: false,
    adapts: false,
    summary: 'First in, first out',
    create: store('fifo'),
  },
  lru: {
    runs: 'store',
    signals: ['recency'],
    resistsFloods: false,
    adapts: false,
    summary: 'Least recently used',
    create: store('lru'),
  },
  lfu: {
    runs: 'store',
    signals: ['frequency'],
    resistsFloods: false,
    adapts: false,
    summary: 'Fewest uses since insertion, then the oldest',
    create: store('lfu'),
  },
  arc: {
    runs: 'store',
    signals: ['recency', 'frequency'],
    resistsFloods: false,
    adapts: true,
    summary: 'ARC with ghost lists by representative',
    create: store('arc'),
  },
  gds: {
    runs: 'store',
    signals: ['importance', 'recency'],
    resistsFloods: true,
    adapts: false,
    summary: 'GreedyDual-Size: clock + importance / size',
    create: store('gds'),
  },
  gdsf: {
    runs: 'store',
    signals: ['importance', 'frequency', 'recency'],
    resistsFloods: true,
    adapts: false,
    summary: 'GreedyDual-Size with frequency',
    create: store('gdsf'),
  },
  value: {
    runs: 'store',
    signals: ['importance'],
    resistsFloods: true,
    adapts: false,
    summary: 'Smallest importance, then the oldest',
    create: store('value'),
  },
  'two-tier': {
    runs: 'store',
    signals: ['importance', 'recency'],
    resistsFloods: true,
    adapts: false,
    summary: 'A protected tier by importance, LRU for the rest',
    create: store('two-tier'),
  },
  'decay-blend': {
    runs: 'simulator',
    signals: ['importance', 'recency'],
    resistsFloods: false,
    adapts: false,
    summary: 'Smallest importance · exp(−age / τ)',
    create: store('decay-blend'),
  },
  unlimited: {
    runs: 'simulator',
    signals: [],
    resistsFloods: true,
    adapts: false,
    summary: 'Keeps everything: the upper bound of every rule that keeps',
    create: store('unlimited'),
  },
  'w-tinylfu': {
    runs: 'simulator',
    signals: ['frequency', 'recency'],
    resistsFloods: true,
    adapts: false,
    summary: 'W-TinyLFU: 1 % window, frequency sketch at the door of a segmented main space',
    create: ({ capacity }) => new WTinyLfu(capacity),
  },
  's3-fifo': {
    runs: 'simulator',
    signals: ['order', 'frequency'],
    resistsFloods: true,
    adapts: false,
    summary: 'S3-FIFO: small, main and ghost queues',
    create: ({ capacity }) => new S3Fifo(capacity),
  },
  sieve: {
    runs: 'simulator',
    signals: ['order', 'recency'],
    resistsFloods: false,
    adapts: false,
    summary: 'SIEVE: one queue, one bit, one hand',
    create: ({ capacity }) => new Sieve(capacity),
  },
  clairvoyant: {
    runs: 'simulator',
    signals: ['future'],
    resistsFloods: true,
    adapts: false,
    summary: 'Belady with bypass: the upper bound of hits at a capacity',
    create: ({ capacity, future }) => new Clairvoyant(capacity, future ?? []),
  },
} as const satisfies Readonly<Record<string, PolicyDescription>>;

export type PolicyName = keyof typeof policyRegistry;

export const policyNames = Object.keys(policyRegistry) as readonly PolicyName[];

/** The policies that a namespace may be switched to: those with a twin in Redis. */
export const switchablePolicyNames = policyNames.filter((name) => policyRegistry[name].runs === 'store');

/** Whether a policy asks the regret gate. */
export function isGated(name: PolicyName): boolean {
  return name in policyFragments && policyFragments[name as StorePolicyName].gated;
}

/** A policy by name over a bounded number of ids. Throws a RangeError for an unknown name or an impossible capacity. */
export function createPolicy(name: string, options: PolicyOptions): CachePolicy {
  if (!Object.hasOwn(policyRegistry, name)) throw new RangeError(`There is no policy named ${name}.`);
  return policyRegistry[name as PolicyName].create(options);
}
