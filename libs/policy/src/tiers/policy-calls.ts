import type { Tier } from './tier-set.js';

/** One request's outcome: which entries were used and what the request cost. Redis function `feedback`. */
export interface FeedbackCall {
  readonly requestId: string;
  /** Entries that served the request (response cache) or were recalled (memory), best first; ids that are not live are skipped. */
  readonly used: readonly string[];
  /** Realised loss, 0 … 1: normalised cost of a generation, or the expected loss of a reuse. */
  readonly delta: number;
  /** Importance that this request claims for the used entries, ≥ 0. */
  readonly importance?: number;
  /** 31-bit hash of who asks, so that one caller cannot corroborate itself; 0 = not known. */
  readonly source?: number;
}

export interface FeedbackReply {
  readonly step: number;
  readonly c: number;
  readonly tau: number;
  readonly promoted: readonly string[];
  readonly demoted: readonly string[];
}

/** A fresh answer offered to the store. Redis function `admit`. */
export interface AdmitCall {
  readonly requestId: string;
  readonly id: string;
  /** Identity for ghosts and the doorkeeper; the id when absent. */
  readonly representative?: string;
  /** A live entry with the same representative and the same answer: it is refreshed instead. */
  readonly duplicateOf?: string;
  readonly importance?: number;
  readonly source?: number;
  /** Size in the unit of the namespace, > 0; 1 when absent. */
  readonly size?: number;
  /** 1 − similarity to the nearest live entry, 0 … 1; 1 when absent. */
  readonly novelty?: number;
  /** A write that the caller asked for (memory), not an answer offered after a miss: counts as a step and skips the gate. */
  readonly explicit?: boolean;
  /** The entry whose place it takes has left already: it skips the gate. */
  readonly replaces?: boolean;
  /** 31-bit seed of the eviction draw. */
  readonly seed: number;
}

export type AdmitReason = 'open' | 'bootstrap' | 'regret' | 'protected' | 'below-threshold' | 'duplicate';

export interface AdmitReply {
  readonly admitted: boolean;
  readonly reason: AdmitReason;
  readonly tier?: Tier;
  /** The refreshed entry of a `duplicate`. */
  readonly refreshed?: string;
  readonly evicted: readonly string[];
  readonly demoted: readonly string[];
  readonly c: number;
  readonly tau: number;
}

/** A judge's verdict on a reuse. Redis function `label`. */
export interface LabelCall {
  readonly requestId: string;
  readonly id: string;
  readonly verdict: 'correct' | 'incorrect';
  readonly importance?: number;
  readonly source?: number;
}

export interface LabelReply {
  /** False when the entry is gone; the verdict is counted all the same. */
  readonly applied: boolean;
  readonly promoted: readonly string[];
  readonly demoted: readonly string[];
}

/** A recomputed planned tier. Redis function `install`. */
export interface InstallCall {
  /** Compare-and-set: nothing happens unless this is the version in force. */
  readonly expectedVersion: number;
  readonly version: number;
  /** Ids of the planned tier, most valuable first; ids that are not live are dropped. */
  readonly planned: readonly string[];
  /** New capacity, if it changes. */
  readonly capacity?: number;
  /** Most evictions of this call; call again while `remaining` > 0. */
  readonly maxTrim: number;
  readonly seed: number;
}

export interface InstallReply {
  readonly installed: boolean;
  readonly version: number;
  /** Planned ids that are not live any more. */
  readonly dropped: readonly string[];
  readonly promoted: readonly string[];
  readonly demoted: readonly string[];
  readonly evicted: readonly string[];
  /** Live entries still above the new capacity or the protected share. */
  readonly remaining: number;
}

/** What an `install` on another version reports, besides the version in force. */
export const refusedInstall = { installed: false, dropped: [], promoted: [], demoted: [], evicted: [] } as const;

/** A call that no caller with valid input makes; nothing was changed. */
export class PolicyInputError extends RangeError {
  readonly code = 'RP_ERR_POLICY_INPUT';
}

const maxSeed = 2 ** 31 - 1;

function requireThat(condition: boolean, message: string): void {
  if (!condition) throw new PolicyInputError(message);
}

function checkClaim(call: { readonly importance?: number; readonly source?: number }): void {
  const { importance = 0, source = 0 } = call;
  requireThat(importance >= 0 && importance < Infinity, 'importance must be finite and not negative.');
  requireThat(Number.isInteger(source) && source >= 0 && source <= maxSeed, 'source must be a 31-bit integer.');
}

export function checkFeedback(call: FeedbackCall): void {
  requireThat(call.delta >= 0 && call.delta <= 1, 'delta must be in 0 … 1.');
  checkClaim(call);
}

export function checkAdmit(call: AdmitCall): void {
  const { size = 1, novelty = 1 } = call;
  requireThat(call.id !== '', 'id must not be empty.');
  requireThat(size > 0 && size < Infinity, 'size must be positive and finite.');
  requireThat(novelty >= 0 && novelty <= 1, 'novelty must be in 0 … 1.');
  requireThat(isSeed(call.seed), 'seed must be a 31-bit integer.');
  checkClaim(call);
}

export function checkLabel(call: LabelCall): void {
  requireThat(call.verdict === 'correct' || call.verdict === 'incorrect', 'verdict must be correct or incorrect.');
  checkClaim(call);
}

/** Most ids of one planned tier: one call of the Redis function moves all of them. */
const mostPlanned = 250;

export function checkInstall(call: InstallCall, plannedSlots: number): void {
  requireThat(new Set(call.planned).size === call.planned.length, 'planned ids must be distinct.');
  requireThat(call.planned.length <= mostPlanned, `planned has more than ${mostPlanned} ids.`);
  requireThat(call.planned.length <= plannedSlots, `planned has more than its ${plannedSlots} slots.`);
  requireThat(call.version > call.expectedVersion, 'version must be above expectedVersion.');
  requireThat(Number.isInteger(call.maxTrim) && call.maxTrim >= 0, 'maxTrim must be a whole number.');
  requireThat(isSeed(call.seed), 'seed must be a 31-bit integer.');
}

export function checkCapacity(capacity: number): void {
  requireThat(capacity >= 1 && (Number.isInteger(capacity) || capacity === Infinity), 'capacity must be at least 1.');
}

function isSeed(seed: number): boolean {
  return Number.isInteger(seed) && seed >= 0 && seed <= maxSeed;
}
