import type { EntryRecord } from '../eviction/entry-record.js';
import { OrderedIndex } from './ordered-index.js';

export type Tier = 'planned' | 'protected' | 'recency';

export interface LiveEntry {
  readonly id: string;
  /** Identity for ghosts: the cell of the net that the entry belongs to. */
  readonly representative: string;
  readonly record: EntryRecord;
  tier: Tier;
  /** Sort key in the tier's index: planned = rank, protected = importance, recency = order (below). */
  key: number;
}

/** Offset of the proven segment in the recency order; orders below it are probation. Sequence numbers stay below 2^52. */
export const provenOffset = 2 ** 52;

/**
 * The live entries and their three tiers; every entry is in exactly one.
 *
 * The recency index sorts by segment, then by sequence number: entries without a use since their insertion (probation) before
 * those with one (proven). FIFO, LRU and ARC read their victims from the heads of the two segments.
 */
export class TierSet {
  readonly planned = new OrderedIndex();
  readonly protected = new OrderedIndex();
  readonly recency = new OrderedIndex();
  private readonly entries = new Map<string, LiveEntry>();
  private lastSeq = 0;

  get size(): number {
    return this.entries.size;
  }

  get(id: string): LiveEntry | undefined {
    return this.entries.get(id);
  }

  /** Live ids in the order of insertion. */
  ids(): IterableIterator<string> {
    return this.entries.keys();
  }

  /** The live entry of that id; throws when there is none, because then an index disagrees with the entries. */
  live(id: string | undefined): LiveEntry {
    const entry = id === undefined ? undefined : this.entries.get(id);
    if (entry === undefined) throw new Error(`A tier index names ${id ?? 'nothing'}, which is not live.`);
    return entry;
  }

  /** Entries of the recency tier with a use since their insertion. */
  provenCount(): number {
    return this.recency.size - this.recency.countBelow(provenOffset);
  }

  nextSeq(): number {
    this.lastSeq += 1;
    return this.lastSeq;
  }

  /** Adds a new entry to the recency tier (as most recent, `insertedSeq`) or to the protected tier. */
  insert(id: string, representative: string, record: EntryRecord, tier: 'protected' | 'recency'): LiveEntry {
    const key = tier === 'protected' ? record.importance : record.insertedSeq + segmentOffset(record);
    const entry: LiveEntry = { id, representative, record, tier, key };
    this.entries.set(id, entry);
    this[tier].add(key, id);
    return entry;
  }

  remove(entry: LiveEntry): void {
    this[entry.tier].remove(entry.key, entry.id);
    this.entries.delete(entry.id);
  }

  move(entry: LiveEntry, tier: Tier, key: number): void {
    this[entry.tier].remove(entry.key, entry.id);
    entry.tier = tier;
    entry.key = key;
    this[tier].add(key, entry.id);
  }

  /** Into the recency tier, as most recent. */
  moveToRecency(entry: LiveEntry): void {
    this.move(entry, 'recency', this.nextSeq() + segmentOffset(entry.record));
  }

  /** After a use: puts the entry where its record now belongs in its own tier. `seq` = the touch, or undefined to keep the place. */
  reposition(entry: LiveEntry, seq: number | undefined): void {
    let key = entry.key;
    if (entry.tier === 'protected') key = entry.record.importance;
    else if (entry.tier === 'recency') key = (seq ?? entry.key % provenOffset) + segmentOffset(entry.record);
    if (key !== entry.key) this.move(entry, entry.tier, key);
  }
}

function segmentOffset(record: EntryRecord): number {
  return record.uses > 0 ? provenOffset : 0;
}
