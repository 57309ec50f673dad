import type { EntryRecord } from '../eviction/entry-record.js';
import type { PolicyCounters } from './policy-counters.js';
import type { LiveEntry, TierSet } from './tier-set.js';

/** What a request says about the importance of an entry, and who says it. */
export interface Claim {
  readonly importance?: number;
  /** 31-bit hash of the caller; 0 = not known. */
  readonly source?: number;
}

/** Which entries a call moved into and out of the protected tier. */
export interface Moves {
  readonly promoted: string[];
  readonly demoted: string[];
}

/** Most demotions of one call; more than one evicts, so that recency does not run out. */
const mostDemotions = 32;

export const noMoves = (): Moves => ({ promoted: [], demoted: [] });

/**
 * Notes a use by a claimant: importance is the running maximum of what is claimed from the `corroboration`-th independent use on.
 *
 * A use is independent unless it comes from the known source that was counted last; the first claims are never counted, so one
 * caller cannot buy a protected slot by claiming.
 */
export function observeClaim(record: EntryRecord, { importance = 0, source = 0 }: Claim, corroboration: number): void {
  if (source === 0 || source !== record.source) {
    record.sightings += 1;
    record.source = source;
  }
  if (record.sightings >= corroboration) record.importance = Math.max(record.importance, importance);
}

/** The protected tier: a bounded set of the entries of highest corroborated importance. Only more importance displaces one. */
export class ValueTier {
  /** Most entries in the tier. */
  slots = 0;
  private sizeAfterShrink = 0;

  constructor(
    private readonly tiers: TierSet,
    private readonly counters: PolicyCounters,
  ) {}

  /** Whether an importance is worth a slot: one is free, or the smallest importance in the tier is strictly smaller. */
  qualifies(importance: number): boolean {
    if (importance <= 0 || this.slots === 0) return false;
    if (this.tiers.protected.size < this.slots) return true;
    return importance > (this.tiers.protected.keyAt(0) ?? 0);
  }

  /** Moves an entry of the recency tier up if its importance qualifies. */
  promote(entry: LiveEntry, moves: Moves): void {
    if (entry.tier !== 'recency' || !this.qualifies(entry.record.importance)) return;
    moves.demoted.push(...this.freeSlot());
    this.tiers.move(entry, 'protected', entry.record.importance);
    this.counters.promoted += 1;
    moves.promoted.push(entry.id);
  }

  /** Demotes the smallest entry if the tier is full. */
  freeSlot(): string[] {
    return this.tiers.protected.size < this.slots ? [] : [this.demoteSmallest()];
  }

  /** Entries above the slots: a cut of the tier is done in bounded steps. */
  excess(): number {
    return Math.max(0, this.tiers.protected.size - this.slots);
  }

  /** Demotes the smallest entries until the tier fits its slots, at most 32 a call; `install`, `shrink` and a sweep do the rest. */
  shrink(): string[] {
    const demoted = Array.from({ length: Math.min(mostDemotions, this.excess()) }, () => this.demoteSmallest());
    this.sizeAfterShrink = this.tiers.protected.size;
    return demoted;
  }

  /** The bound in force: the slots, or the size while a cut is not yet done. */
  get bound(): number {
    return Math.max(this.slots, this.sizeAfterShrink);
  }

  /** The smallest entry of the tier, which has one, becomes the most recent of recency; returns its id. */
  demoteSmallest(): string {
    const entry = this.tiers.live(this.tiers.protected.idAt(0));
    this.tiers.moveToRecency(entry);
    this.counters.demoted += 1;
    return entry.id;
  }
}
