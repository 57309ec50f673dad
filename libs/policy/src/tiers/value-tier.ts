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

  /** Demotes the smallest entries until the tier fits its slots. */
  shrink(): string[] {
    const demoted: string[] = [];
    while (this.tiers.protected.size > this.slots) demoted.push(this.demoteSmallest());
    return demoted;
  }

  private demoteSmallest(): string {
    const entry = this.tiers.live(this.tiers.protected.idAt(0));
    this.tiers.moveToRecency(entry);
    this.counters.demoted += 1;
    return entry.id;
  }
}
