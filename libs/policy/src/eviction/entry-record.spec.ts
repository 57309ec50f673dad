import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packRecord, recordBytes, recordFields, unpackRecord, type EntryRecord } from './entry-record.js';

describe('packed records', () => {
  it('keep every bit of every field', () => {
    const number = fc.double({ noNaN: true });
    fc.assert(
      fc.property(fc.array(number, { minLength: recordFields.length, maxLength: recordFields.length }), (values) => {
        const record = Object.fromEntries(recordFields.map((field, i) => [field, values[i]])) as unknown as EntryRecord;
        const bytes = packRecord(record);
        expect(bytes.byteLength).toBe(recordBytes);
        expect(unpackRecord(bytes)).toEqual(record);
      }),
    );
  });

  it('are little-endian doubles in the documented order', () => {
    const record = Object.fromEntries(recordFields.map((field, i) => [field, i + 1])) as unknown as EntryRecord;
    const bytes = packRecord(record);
    expect(Buffer.from(bytes).readDoubleLE(0)).toBe(record.alpha);
    expect(Buffer.from(bytes).readDoubleLE(8 * 12)).toBe(record.novelty);
  });

  it('of another length are refused', () => {
    expect(() => unpackRecord(new Uint8Array(recordBytes - 1))).toThrow(RangeError);
  });
});
