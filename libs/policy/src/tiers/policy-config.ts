import { defaultGate, literalGate, referenceGate, type GateConfig } from '../admission/gate.js';
import type { GhostBound } from '../eviction/arc-ghosts.js';
import type { PosteriorConfig } from '../eviction/posterior.js';
import type { BonusConfig, ScoreName } from '../eviction/scores.js';
import type { LiveEntry } from './tier-set.js';

/** The policies that run in the store itself, in TypeScript and in Redis; `decay-blend` and `unlimited` in TypeScript only. */
export const storePolicyNames = [
  'solar',
  'solar-a',
  'solar-e',
  'fifo',
  'lru',
  'lfu',
  'arc',
  'gds',
  'gdsf',
  'value',
  'two-tier',
  'decay-blend',
  'unlimited',
] as const;
export type StorePolicyName = (typeof storePolicyNames)[number];

/** What distinguishes one policy of the recency tier from another. */
export interface PolicyFragment {
  /** Whether an offer has to pass the regret gate. */
  readonly gated: boolean;
  /** Whether a use makes the entry the most recent one. */
  readonly moves: boolean;
  /** How the victim is found: head of the order, ARC's REPLACE, or the lowest score among candidates. */
  readonly victim: 'oldest' | 'arc' | ScoreName;
}

export const policyFragments: Readonly<Record<StorePolicyName, PolicyFragment>> = {
  solar: { gated: true, moves: true, victim: 'thompson' },
  'solar-a': { gated: true, moves: true, victim: 'blend' },
  'solar-e': { gated: false, moves: true, victim: 'thompson' },
  fifo: { gated: false, moves: false, victim: 'oldest' },
  lru: { gated: false, moves: true, victim: 'oldest' },
  lfu: { gated: false, moves: true, victim: 'uses' },
  arc: { gated: false, moves: true, victim: 'arc' },
  gds: { gated: false, moves: true, victim: 'greedyDual' },
  gdsf: { gated: false, moves: true, victim: 'greedyDualFrequency' },
  value: { gated: false, moves: true, victim: 'importance' },
  'two-tier': { gated: false, moves: true, victim: 'oldest' },
  'decay-blend': { gated: false, moves: true, victim: 'decay' },
  unlimited: { gated: false, moves: false, victim: 'oldest' },
};

export interface PolicyConfig {
  readonly name: StorePolicyName;
  /** Largest number of live entries over the three tiers, at least 1; Infinity = no bound. */
  readonly capacity: number;
  /** Parts of the capacity, each 0 … 1: planned and protected are upper bounds, recency takes whatever they leave unused. */
  readonly plannedShare: number;
  readonly protectedShare: number;
  readonly gate: GateConfig;
  readonly posterior: PosteriorConfig;
  readonly bonus: BonusConfig;
  /** Entries scored for one eviction, a multiple of 8; Infinity = all. */
  readonly candidates: number;
  /** From which independent use on a claimed importance counts; 1 = at once. */
  readonly corroboration: number;
  /** Tags of the doorkeeper for each entry of the capacity. */
  readonly doorkeeperRatio: number;
  /** What an offer of a live entry does. `gate-then-ignore` is the reference code's order: the gate first. */
  readonly duplicates: 'refresh' | 'ignore' | 'gate-then-ignore';
  /** How ARC bounds its ghost lists. */
  readonly arcGhosts: GhostBound;
  /** Time constant of `decay-blend`, in steps. */
  readonly decaySteps: number;
  /** How many replies are kept for repeated requests (in Redis: a time to live instead). */
  readonly rememberedRequests: number;
  /** Equal scores are broken by id instead of by insertion (one row of a published table needs it). */
  readonly tieById: boolean;
  /** Live novelty instead of the one stored at admission (the reference mode). */
  readonly noveltyView?: (entry: LiveEntry, neighbours: number, live: Iterable<string>) => number | undefined;
}

const common = {
  candidates: 64,
  corroboration: 2,
  doorkeeperRatio: 16,
  duplicates: 'refresh',
  arcGhosts: 'published',
  decaySteps: 200,
  rememberedRequests: 10_000,
  tieById: false,
  gate: defaultGate,
  posterior: { priorAlpha: 1, priorBeta: 1, cap: 200, agingEvery: 5, agingAmount: 0.05 },
  bonus: { kind: 'age', weight: 0.3, scale: 20 },
} as const satisfies Partial<PolicyConfig>;

/** The product's defaults: 50 % planned, 20 % protected, the rest recency. */
export function productPolicy(
  name: StorePolicyName,
  capacity: number,
  change: Partial<PolicyConfig> = {},
): PolicyConfig {
  return { ...common, name, capacity, plannedShare: 0.5, protectedShare: 0.2, ...change };
}

/** One policy alone over the whole capacity (ghosts, simulator); `two-tier` keeps its 30 % protected. */
export function plainPolicy(name: StorePolicyName, capacity: number, change: Partial<PolicyConfig> = {}): PolicyConfig {
  return { ...common, name, capacity, plannedShare: 0, protectedShare: name === 'two-tier' ? 0.3 : 0, ...change };
}

/** SOLAR as its published synthetic tables were made: adaptive tau, prior (2, 1), novelty bonus, all candidates, no cap. */
export function referencePolicy(
  name: StorePolicyName,
  capacity: number,
  noveltyView: NonNullable<PolicyConfig['noveltyView']>,
): PolicyConfig {
  const gated = policyFragments[name].gated;
  return plainPolicy(name, capacity, {
    gate: referenceGate,
    posterior: { ...common.posterior, priorAlpha: 2, cap: Infinity },
    bonus: { kind: 'novelty', weight: 0.3 },
    candidates: Infinity,
    corroboration: 1,
    rememberedRequests: 0,
    arcGhosts: 'each',
    duplicates: gated ? 'gate-then-ignore' : name === 'arc' ? 'refresh' : 'ignore',
    noveltyView,
  });
}

/** Algorithms 1 and 2 of the paper as printed, with the floor under tau. */
export function literalPolicy(name: StorePolicyName, capacity: number): PolicyConfig {
  return plainPolicy(name, capacity, {
    gate: literalGate,
    posterior: { ...common.posterior, cap: Infinity },
    candidates: Infinity,
  });
}

/** The two-tier article's setting: values count at once, every entry is a candidate, no gate, no planned tier. */
export function articlePolicy(
  name: StorePolicyName,
  capacity: number,
  change: Partial<PolicyConfig> = {},
): PolicyConfig {
  return plainPolicy(name, capacity, { corroboration: 1, candidates: Infinity, rememberedRequests: 0, ...change });
}

/** Slots of the tiers: at least one is left for recency. */
export function slots(config: Pick<PolicyConfig, 'plannedShare' | 'protectedShare'>, capacity: number) {
  if (capacity === Infinity) return { planned: Infinity, protected: config.protectedShare > 0 ? Infinity : 0 };
  const wanted = config.protectedShare > 0 ? Math.max(1, Math.floor(config.protectedShare * capacity)) : 0;
  const kept = Math.min(capacity - 1, wanted);
  return { planned: Math.min(capacity - 1 - kept, Math.floor(config.plannedShare * capacity)), protected: kept };
}
