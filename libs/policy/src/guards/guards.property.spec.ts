import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareFingerprints,
  decodeFingerprint,
  encodeFingerprint,
  explainGuard,
  hardGuards,
  isPersonal,
  isReferring,
  isTimeDependent,
  parseFingerprint,
} from './index.js';
import { fixturePairs } from '../../../../test/fixtures/guards/read-fixtures.js';

const texts = [...fixturePairs('own'), ...fixturePairs('en'), ...fixturePairs('de')].flatMap(({ a, b }) => [a, b]);
const vocabulary = [...new Set(texts.flatMap((text) => text.split(' ')))];
const cosine = fc.double({ min: 0.5, max: 1, noNaN: true });

/** A text of ours, and the same with a few words dropped, added or moved. */
const nearPair = fc
  .record({
    text: fc.constantFrom(...texts),
    edits: fc.array(
      fc.record({ kind: fc.nat(3), from: fc.nat(40), to: fc.nat(40), word: fc.constantFrom(...vocabulary) }),
      { maxLength: 4 },
    ),
  })
  .map(({ text, edits }) => {
    const words = text.split(' ');
    for (const { kind, from, to, word } of edits) {
      const at = from % (words.length + 1);
      const moved = words[at];
      if (kind === 0) words.splice(at, 1);
      else if (kind === 1) words.splice(at, 0, word);
      else if (kind === 2 && moved !== undefined) words.splice(to % words.length, 0, ...words.splice(at, 1));
      else words[at] = word;
    }
    return [text, words.join(' ')] as const;
  });

/** Any sequence of UTF-16 units, lone surrogates included. */
const anyUnits = fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units));
const hostile = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  anyUnits,
  fc
    .array(fc.constantFrom(...vocabulary, '`', '"', '¶', '#', '\u200b', '\ud800', '5!', '__proto__', 'constructor'), {
      maxLength: 20,
    })
    .map((words) => words.join(' ')),
);

describe('the guard rule', () => {
  it('is symmetric and deterministic, and serves nothing that a wall refuses', () => {
    fc.assert(
      fc.property(nearPair, cosine, ([a, b], similarity) => {
        const there = compareFingerprints(parseFingerprint(a), parseFingerprint(b), similarity);
        const back = compareFingerprints(parseFingerprint(b), parseFingerprint(a), similarity);
        const walls = hardGuards(parseFingerprint(a), parseFingerprint(b));
        expect(back).toEqual(there);
        expect(hardGuards(parseFingerprint(b), parseFingerprint(a))).toBe(walls);
        if (there.serve) expect(walls).toBeUndefined();
      }),
      { numRuns: 4_000 },
    );
  }, 300_000);

  it('serves a text for itself unless its answer depends on who asks, or when', () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), (text) => {
        const { reason } = compareFingerprints(parseFingerprint(text), parseFingerprint(text), 1);
        expect(isTimeDependent(text) || isPersonal(text) ? ['time-dependent', 'personal'] : ['equal']).toContain(
          reason,
        );
      }),
    );
  });

  it('never throws on 100,000 strings of any units, and reads back what it wrote', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const fingerprint = parseFingerprint(text);
        expect(decodeFingerprint(encodeFingerprint(fingerprint))).toEqual(fingerprint);
      }),
      { numRuns: 100_000 },
    );
  }, 900_000);

  it('classifies, compares and explains any string without throwing', () => {
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        expect(typeof isReferring(a)).toBe('boolean');
        expect(explainGuard(a, b, 1).verdict).toEqual(compareFingerprints(parseFingerprint(a), parseFingerprint(b), 1));
      }),
      { numRuns: 3_000 },
    );
  }, 300_000);

  it('reads garbage as no fingerprint', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (stored) => {
        expect(decodeFingerprint(stored)).toBeUndefined();
      }),
    );
  });
});
