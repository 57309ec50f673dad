import { createHash } from 'node:crypto';

const cellsPerBucket = 64;
const maxCells = 2 ** 20;

/**
 * Remembers which representatives were offered lately, in four bytes each, so that importance can be corroborated by a second
 * request even when the first one's entry is already gone.
 *
 * A table of buckets of 64 32-bit tags; a bucket forgets its oldest tag first. A tag is wrong with probability 64 / 2^32, so a
 * flood of unique claims cannot buy a second sighting. In Redis it is a hash of buckets, each as long as the tags in it: one
 * HGET and one HSET of at most 256 bytes a call.
 */
export class Doorkeeper {
  private readonly tags: Uint32Array;

  /** The doorkeeper of a policy: `doorkeeperRatio` tags for each entry of the capacity, at most 2^20; one bucket if it is not needed. */
  static for(policy: {
    readonly capacity: number;
    readonly corroboration: number;
    readonly doorkeeperRatio: number;
  }): Doorkeeper {
    const wanted = policy.corroboration > 1 ? policy.capacity * policy.doorkeeperRatio : 1;
    return new Doorkeeper(Math.min(wanted, maxCells));
  }

  /** `cells` = tags kept, rounded up to whole buckets. */
  constructor(cells: number) {
    this.tags = new Uint32Array(Math.max(1, Math.ceil(cells / cellsPerBucket)) * cellsPerBucket);
  }

  /**
   * Notes an offer and says whether an independent one was noted before: the representative is known, and not from this source.
   *
   * `source` 0 = not known: every offer counts as independent.
   */
  sight(representative: string, source: number): boolean {
    const known = this.note(representative);
    if (source === 0) return known;
    return !this.note(`${representative}|${source}`) && known;
  }

  /** Puts the tag at the front of its bucket; true if it was in the bucket. */
  private note(text: string): boolean {
    const digest = createHash('sha1').update(text).digest();
    const bucket = (digest.readUInt32BE(0) % (this.tags.length / cellsPerBucket)) * cellsPerBucket;
    const tag = digest.readUInt32BE(4) || 1;
    let last = bucket + cellsPerBucket - 1;
    let known = false;
    for (let i = bucket; i <= last && !known; i++) {
      if (this.tags[i] === tag) {
        known = true;
        last = i;
      }
    }
    this.tags.copyWithin(bucket + 1, bucket, last);
    this.tags[bucket] = tag;
    return known;
  }
}
