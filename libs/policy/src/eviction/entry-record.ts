/** What the store knows about one live entry; every number is a double. Mirrored, packed, in `rp:{ns}:post`. */
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
  /** 1 − similarity to the nearest other entry at admission, 0 … 1. */
  novelty: number;
}

/** Order of the fields in the packed form. */
export const recordFields = [
  'alpha',
  'beta',
  'tick',
  'insertedSeq',
  'insertedStep',
  'lastStep',
  'uses',
  'importance',
  'sightings',
  'source',
  'clock',
  'size',
  'novelty',
] as const satisfies readonly (keyof EntryRecord)[];

/** Bytes of a packed record. */
export const recordBytes = recordFields.length * 8;

/** The record as little-endian doubles in the order of `recordFields`: `struct.pack('<ddddddddddddd', …)` in Lua. */
export function packRecord(record: EntryRecord): Uint8Array {
  const bytes = new Uint8Array(recordBytes);
  const view = new DataView(bytes.buffer);
  recordFields.forEach((field, i) => view.setFloat64(i * 8, record[field], true));
  return bytes;
}

/** The inverse of `packRecord`; throws a RangeError when the length is another one. */
export function unpackRecord(bytes: Uint8Array): EntryRecord {
  if (bytes.byteLength !== recordBytes) throw new RangeError(`A packed record has ${recordBytes} bytes.`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = recordFields.map((field, i) => [field, view.getFloat64(i * 8, true)] as const);
  return Object.fromEntries(values) as unknown as EntryRecord;
}
