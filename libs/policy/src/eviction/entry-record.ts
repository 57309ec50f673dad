/** What the store knows about one live entry. Mirrored, packed, in `rp:{ns}:post`. */
export interface EntryRecord {
  /** Beta posterior: evidence for and against the entry, as settled at the last evidence; aging since then is in `tick`. */
  alpha: number;
  beta: number;
  /** Aging ticks already accounted for in `beta`, plus the ticks that the entry was exempt from. */
  tick: number;
  /** Order of insertion over the whole life of the namespace. */
  insertedSeq: number;
  /** Step (number of `feedback` calls) at insertion. */
  insertedStep: number;
  /** Step of the last touch or of the insertion. */
  lastStep: number;
  /** Uses since insertion; 0 = probation segment, otherwise proven. */
  uses: number;
  /** Value for the protected tier: running maximum of the corroborated importance; 0 before corroboration. */
  importance: number;
  /** Independent uses seen, the admitting request included. */
  sightings: number;
  /** 31-bit hash of the caller that was counted last; 0 = not known. */
  source: number;
  /** The GreedyDual clock at the last touch. */
  clock: number;
  /** Size in the unit of the namespace; 1 if it does not matter. */
  size: number;
  /** 1 − similarity to the nearest other entry at admission, 0 … 1, in single precision. */
  novelty: number;
}

const doubleBytes = 8;

/**
 * The record as `lua/includes/record.lua` packs it: two doubles, then whole numbers of five bytes (tick, insertion number and
 * step, last step, uses), two (sightings), four (source) and seven (end of life, skipped), and a byte that says which of
 * importance, clock, size (doubles) and novelty (float) follow; absent they are 0, 0, 1, 1.
 * Throws a RangeError when the bytes end too early.
 */
export function unpackRecord(bytes: Uint8Array): EntryRecord {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const double = (): number => view.getFloat64((at += doubleBytes) - doubleBytes, true);
  const whole = (size: number): number => {
    let value = 0;
    for (let i = size - 1; i >= 0; i--) value = value * 256 + view.getUint8(at + i);
    at += size;
    return value;
  };
  const record = {
    alpha: double(),
    beta: double(),
    tick: whole(5),
    insertedSeq: whole(5),
    insertedStep: whole(5),
    lastStep: whole(5),
    uses: whole(5),
    sightings: whole(2),
    source: whole(4),
  };
  at += 7;
  const flags = whole(1);
  return {
    ...record,
    importance: (flags & 1) > 0 ? double() : 0,
    clock: (flags & 2) > 0 ? double() : 0,
    size: (flags & 4) > 0 ? double() : 1,
    novelty: (flags & 8) > 0 ? view.getFloat32(at, true) : 1,
  };
}
