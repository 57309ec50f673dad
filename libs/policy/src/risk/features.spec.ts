import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { agreementOf } from './agreement.js';
import { FEATURE_NAMES, FEATURES, pairFeatures, stateCosines } from './features.js';
import { fitAxes } from './pca.js';
import { ReplyClasses } from './reply-classes.js';
import { textMarks } from './text-marks.js';
import { ConversationFollower, type EntryState, type TextFacts } from './turn-state.js';

const SIZE = 16;

function unitVector(seed: number): Float32Array {
  const rng = createRng(seed);
  const vector = Float32Array.from({ length: SIZE }, () => rng.next() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const axes = fitAxes(Array.from({ length: 200 }, (_, i) => unitVector(i)));
const facts = (text: string, seed: number): TextFacts => ({ vector: unitVector(seed), marks: textMarks(text) });
const zero = new Float32Array(SIZE);
const nothing: TextFacts = { vector: zero, marks: textMarks('') };

/** A conversation of alternating messages and replies; returns the state and entry of its last exchange. */
function entryOf(texts: readonly (readonly [string, string])[], seed: number, replyClass = 0): EntryState {
  const follower = new ConversationFollower(nothing);
  let last: EntryState | undefined;
  texts.forEach(([message, answer], i) => {
    const reply = facts(answer, seed + 2 * i + 1);
    last = { state: follower.ask(facts(message, seed + 2 * i)), reply, replyClass };
    follower.answer(reply);
  });
  return last!;
}

const named = (row: Float64Array): Record<string, number> =>
  Object.fromEntries(FEATURE_NAMES.map((name, i) => [name, row[i]!]));

const longer = [
  ['hello', 'hi'],
  ['a table at 7', 'For how many?'],
  ['for two in Oslo?', 'Booked at Zoe for 7 on Monday.'],
] as const;

describe('pair features', () => {
  it('are 60, each with its own name', () => {
    expect(FEATURES).toBe(60);
    expect(new Set(FEATURE_NAMES).size).toBe(60);
  });

  it('say of an identical state that everything is equal', () => {
    const entry = entryOf(longer, 10);
    const row = named(pairFeatures(entry.state, [entry], axes));
    for (const name of ['cos_q', 'cos_h', 'cos_p', 'cos_x', 'similarity']) expect(row[name]).toBeCloseTo(1, 5);
    for (const name of ['same_message', 'same_previous', 'same_numbers', 'said_overlap', 'stated_overlap']) {
      expect(row[name]).toBe(1);
    }
    expect(row).toMatchObject({
      first_t: 0,
      first_both: 0,
      turn_gap: 0,
      words_gap: 0,
      asks: 1,
      reply_asks: 0,
      rank: 0,
    });
    expect(row['turn_t']).toBeCloseTo(2 / 12, 12);
    expect(row['history']).toBeCloseTo(Math.log(5) / 4, 12);
    expect(row['candidates']).toBe(1 / 16);
  });

  it("count what the reply says that the request's conversation does not", () => {
    const entry = entryOf(longer, 10);
    const row = named(pairFeatures(entryOf([['a table at 7', 'ok']], 90).state, [entry]));
    // 7 and Monday, Zoe: 7 is known, Monday and Zoe are new.
    expect(row['reply_specifics']).toBe(3 / 6);
    expect(row['new_numbers']).toBeCloseTo(1 / 3, 12);
    expect(row['new_names']).toBe(1 / 4);
    expect(row['known_specifics']).toBe(1 / 4);
  });

  it('count missing texts as equal on first turns of both, and only there', () => {
    const first = entryOf([['hello', 'hi']], 1);
    const other = entryOf([['good day', 'hi']], 5);
    expect(stateCosines(first.state, other.state)).toMatchObject({ previous: 1, history: 1 });
    expect(stateCosines(first.state, entryOf(longer, 10).state)).toMatchObject({ previous: 0, history: 0 });
  });

  it('weigh the history by .75 a message, newest first', () => {
    const [a, b] = [facts('one', 1), facts('two', 2)];
    const follower = new ConversationFollower(nothing);
    follower.ask(a);
    follower.answer(b);
    const { history } = follower.ask(facts('three', 3));
    const sum = a.vector.map((value, i) => 0.75 * value + b.vector[i]!);
    const length = Math.hypot(...sum);
    history.forEach((value, i) => expect(value).toBeCloseTo(sum[i]! / length, 6));
  });

  it('score at most 16 candidates, in the given order', () => {
    const entries = Array.from({ length: 30 }, (_, i) => entryOf(longer, 100 + i));
    const rows = pairFeatures(entries[0]!.state, entries);
    expect(rows.length).toBe(16 * FEATURES);
    expect(named(rows.subarray(15 * FEATURES))['rank']).toBe(15 / 16);
    expect(pairFeatures(entries[0]!.state, [])).toHaveLength(0);
  });
});

describe('agreement', () => {
  const reply = (similarity: number, seed: number, replyClass: number) => ({
    similarity,
    vector: unitVector(seed),
    replyClass,
  });

  it('is full among equal replies and leaves the candidate itself out', () => {
    const [first, , odd] = agreementOf([reply(0.9, 1, 1), reply(0.9, 1, 1), reply(0.2, 2, 2)], 16);
    expect(first!.classShare).toBeGreaterThan(0.999);
    expect(first!.share).toBeGreaterThan(0.999);
    expect(odd!.classShare).toBe(0);
  });

  it('is nothing for a single candidate', () => {
    expect(agreementOf([reply(0.9, 1, 1)], 16)).toEqual([{ mean: 0, share: 0, classShare: 0, wide: 0 }]);
  });

  it('takes only the wide figure from candidates that are not scored', () => {
    const alone = agreementOf([reply(0.9, 1, 1), reply(0.9, 1, 1)], 1);
    expect(alone).toHaveLength(1);
    expect(alone[0]).toMatchObject({ mean: 0, classShare: 0 });
    expect(alone[0]!.wide).toBeCloseTo(1, 5);
  });
});

describe('axes', () => {
  it('find the directions of largest spread, are orthonormal and the same every time', () => {
    const rng = createRng(4);
    const vectors = Array.from({ length: 400 }, () => Float64Array.from([9, 5, 1, 1], (s) => s * (rng.next() - 0.5)));
    const found = fitAxes(vectors, 2);
    expect(found.directions[0]).toBeGreaterThan(0.99);
    expect(found.directions[5]).toBeGreaterThan(0.99);
    expect(found).toEqual(fitAxes(vectors, 2));
    const along = found.directions.slice(0, 4).reduce((sum, value, i) => sum + value * found.directions[4 + i]!, 0);
    expect(along).toBeCloseTo(0, 12);
  });
});

describe('reply classes', () => {
  it('join the nearest leader within the bar', () => {
    const classes = new ReplyClasses(0.9);
    expect(classes.classOf(Float32Array.of(1, 0))).toBe(0);
    expect(classes.classOf(Float32Array.of(0, 1))).toBe(1);
    expect(classes.classOf(Float32Array.of(0.995, 0.1))).toBe(0);
    expect(classes.classOf(Float32Array.of(0.1, 0.995))).toBe(1);
    expect(classes.classOf(Float32Array.of(0.7, 0.7))).toBe(2);
  });
});
