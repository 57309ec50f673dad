import { describe, expect, it } from 'vitest';
import { unpackRecord } from './entry-record.js';

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const fixed =
  '000000000000f83f 00000000000004 40 0300000000 0400000001 0500000000 0600000000 0700000000 0200 2a000000 ffffffffffffff';

describe('a packed record', () => {
  it('of an ordinary entry ends with its flags; what follows names the entry', () => {
    expect(unpackRecord(bytesOf(`${fixed} 00 0161`))).toEqual({
      alpha: 1.5,
      beta: 2.5,
      tick: 3,
      insertedSeq: 2 ** 32 + 4,
      insertedStep: 5,
      lastStep: 6,
      uses: 7,
      sightings: 2,
      source: 42,
      importance: 0,
      clock: 0,
      size: 1,
      novelty: 1,
    });
  });

  it('has importance, clock, size and novelty when they are unusual', () => {
    const doubles = '0000000000001440 0000000000001840 0000000000001c40';
    const all = unpackRecord(bytesOf(`${fixed} 0f ${doubles} 0000003f 00 00`));
    expect(all).toMatchObject({ importance: 5, clock: 6, size: 7, novelty: 0.5 });
    expect(unpackRecord(bytesOf(`${fixed} 0a 0000000000001840 0000003f`))).toMatchObject({
      importance: 0,
      clock: 6,
      size: 1,
      novelty: 0.5,
    });
  });

  it('is refused when it is cut short', () => {
    expect(() => unpackRecord(bytesOf(fixed))).toThrow(RangeError);
    expect(() => unpackRecord(bytesOf(`${fixed} 01 00`))).toThrow(RangeError);
  });
});
