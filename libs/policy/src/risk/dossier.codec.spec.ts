import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { cosine } from '../algebra/cosine.js';
import { decodeDossier, encodeDossier } from './dossier.codec.js';
import { pairFeatures, SCORED } from './features.js';
import { withLocalClasses } from './reply-classes.js';
import { textMarks } from './text-marks.js';
import { ConversationFollower, type Dossier, type TextFacts } from './turn-state.js';
import { hashWord, jaccard, sharedHashes, wordHashes } from './word-hashes.js';

const SIZE = 32;

function unitVector(seed: number): Float32Array {
  const rng = createRng(seed);
  const vector = Float32Array.from({ length: SIZE }, () => rng.next() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const facts = (text: string, seed: number): TextFacts => ({ vector: unitVector(seed), marks: textMarks(text) });
const nothing: TextFacts = { vector: new Float32Array(SIZE), marks: textMarks('') };

function dossierOf(texts: readonly (readonly [string, string])[], seed: number): Dossier {
  const follower = new ConversationFollower(nothing);
  let last: Dossier | undefined;
  texts.forEach(([message, answer], i) => {
    const reply = facts(answer, seed + 2 * i + 1);
    last = { state: follower.ask(facts(message, seed + 2 * i)), reply };
    follower.answer(reply);
  });
  return last as Dossier;
}

const first = [['Is there no table at 7 in Oslo?', 'Which day, Anna?']] as const;
const later = [...first, ['on Monday', 'Booked at Zoe for 7 on Monday.'], ["don't", 'Ok.']] as const;

/** Everything but the vectors. */
const marksOf = ({ state, reply }: Dossier) => {
  const { numbers, names, negated, plain, wordCount } = state.message.marks;
  const { turn, historyMessages, said, stated } = state;
  const { numbers: replyNumbers, names: replyNames, asks, wordCount: replyWords } = reply.marks;
  return {
    ...{ numbers, names, negated, plain, wordCount, turn, historyMessages, said, stated },
    ...{ replyNumbers, replyNames, asks, replyWords, before: state.previous.marks.plain },
  };
};

describe.each([
  ['a first turn', first],
  ['a later turn', later],
])('the dossier of %s', (_name, texts) => {
  const dossier = dossierOf(texts, 7);
  const bytes = encodeDossier(dossier);
  const read = decodeDossier(bytes, SIZE) as Dossier;

  it('brings every mark through bytes', () => {
    expect(marksOf(read)).toEqual(marksOf(dossier));
  });

  it('brings the vectors through almost unchanged, as unit vectors or zeros', () => {
    const vectors = ({ state, reply }: Dossier) => [
      state.message.vector,
      reply.vector,
      state.previous.vector,
      state.history,
    ];
    vectors(read).forEach((vector, i) => {
      const original = vectors(dossier)[i] as Float32Array;
      const length = cosine(original, original);
      expect(cosine(vector, vector)).toBeCloseTo(length, 5);
      expect(cosine(vector, original)).toBeGreaterThan(length - 1e-3);
    });
  });

  it('changes the features by no more than the rounding', () => {
    const request = dossierOf(later, 40).state;
    const rows = [dossier, read].map((one) => pairFeatures(request, withLocalClasses([one, dossierOf(later, 90)], 16)));
    rows[0]?.forEach((value, i) => expect(Math.abs(value - (rows[1]?.[i] ?? NaN))).toBeLessThan(5e-3));
  });

  it('is read from the middle of a buffer', () => {
    const wide = new Uint8Array(bytes.length + 8);
    wide.set(bytes, 3);
    expect(decodeDossier(wide.subarray(3, 3 + bytes.length), SIZE)).toEqual(read);
  });

  it('is needed without its words behind the candidates that are scored', () => {
    const request = dossierOf(later, 40).state;
    const bytesOf = Array.from({ length: SCORED + 4 }, (_, i) => encodeDossier(dossierOf(texts, i)));
    const rowsOf = (words: (i: number) => boolean) => {
      const read = bytesOf.map((one, i) => decodeDossier(one, SIZE, words(i)) as Dossier);
      return pairFeatures(request, withLocalClasses(read, SCORED));
    };
    expect(rowsOf((i) => i < SCORED)).toEqual(rowsOf(() => true));
    expect(rowsOf(() => false)).not.toEqual(rowsOf(() => true));
  });

  it('is refused when it is cut, for vectors of another size, or of another version', () => {
    for (const length of [0, 1, 55, 56, bytes.length - 1])
      expect(decodeDossier(bytes.subarray(0, length), SIZE)).toBeUndefined();
    expect(decodeDossier(Uint8Array.of(...bytes, 0), SIZE)).toBeUndefined();
    expect(decodeDossier(bytes, SIZE + 1)).toBeUndefined();
    expect(decodeDossier(bytes.with(0, 2), SIZE)).toBeUndefined();
  });
});

describe('a very long conversation', () => {
  it('keeps a sample of its words by which the overlap is estimated', () => {
    const words = (from: number): string =>
      Array.from(
        { length: 6000 },
        (_, i) =>
          `w${String.fromCharCode(97 + (i % 26))}x${'abcdefghij'[(from + i) % 10]}${'q'.repeat(i % 97)}z${'abcdefghijk'[Math.floor(i / 97) % 11]}`,
      ).join(' ');
    const dossier = dossierOf([[words(0), 'ok']], 5);
    const read = decodeDossier(encodeDossier(dossier), SIZE) as Dossier;
    expect(dossier.state.said.length).toBeGreaterThan(read.state.said.length);
    expect(read.state.said).toEqual(dossier.state.said.subarray(0, 2048));
  });
});

describe('word hashes', () => {
  it('are ascending, each once, and differ from word to word', () => {
    const hashes = wordHashes(['b', 'a', 'b', 'ab', 'ba', '']);
    expect(hashes).toHaveLength(5);
    expect([...hashes]).toEqual([...hashes].sort((a, b) => a - b));
    expect(hashWord('a')).not.toBe(hashWord('a', 1));
  });

  it.each([
    [[], [], 0, 1],
    [['a'], [], 0, 0],
    [['a', 'b', 'c'], ['b', 'c', 'd'], 2, 0.5],
    [['a', 'b'], ['b', 'a'], 2, 1],
  ])('of %j and %j share %i', (a, b, shared, overlap) => {
    expect(sharedHashes(wordHashes(a), wordHashes(b))).toBe(shared);
    expect(jaccard(wordHashes(a), wordHashes(b))).toBe(overlap);
  });
});

describe('local reply classes', () => {
  const withReply = (answer: string, seed: number): Dossier => ({ ...dossierOf(first, 1), reply: facts(answer, seed) });

  it('need equal numbers and nearly equal vectors; candidates beyond the scored ones have none', () => {
    const replies = [
      withReply('at 7', 1),
      withReply('at 8', 1),
      withReply('by 7', 1),
      withReply('at 7', 2),
      withReply('at 7', 1),
    ];
    expect(withLocalClasses(replies, 4).map(({ replyClass }) => replyClass)).toEqual([0, 1, 0, 2, -1]);
  });
});
