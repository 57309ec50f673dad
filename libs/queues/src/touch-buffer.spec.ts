import { describe, expect, it } from 'vitest';
import { TouchBuffer } from './touch-buffer.js';

const limits = { known: 100, waiting: 100 };

describe('TouchBuffer', () => {
  it('lets one touch through in a quarter of the idle time', () => {
    const buffer = new TouchBuffer(limits);
    const outcomes = [0, 1, 100, 249, 250, 251, 499, 500].map((at) => buffer.touch('ns', 'c', 1_000, at));
    expect(outcomes).toEqual(['new', 'known', 'known', 'known', 'new', 'known', 'known', 'new']);
    expect(buffer.take(10)).toEqual([
      [0, 250, 500].map((touchedMs) => ({ ns: 'ns', conversation: 'c', idleMs: 1_000, touchedMs })),
    ]);
    expect(buffer.take(10)).toEqual([]);
  });

  it.each([
    [
      ['a', 'bc'],
      ['ab', 'c'],
    ],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [
      ['a:b', 'c'],
      ['a', 'b:c'],
    ],
  ] as const)('keeps %j and %j apart', (one, other) => {
    const buffer = new TouchBuffer(limits);
    const touches = [one, other].map(([ns, conversation]) => buffer.touch(ns, conversation, 1_000, 0));
    expect(touches).toEqual(['new', 'new']);
  });

  it('schedules anew when the clock was set back', () => {
    const buffer = new TouchBuffer(limits);
    expect([buffer.touch('ns', 'c', 1_000, 500), buffer.touch('ns', 'c', 1_000, 400)]).toEqual(['new', 'new']);
  });

  it('groups by idle time, each group bounded', () => {
    const buffer = new TouchBuffer(limits);
    for (let i = 0; i < 5; i++) buffer.touch('ns', `c${i}`, 1_000, i);
    buffer.touch('ns', 'other', 9_000, 5);
    const groups = buffer.take(2).map((group) => group.map(({ conversation }) => conversation));
    expect(groups).toEqual([['c0', 'c1'], ['c2', 'c3'], ['c4'], ['other']]);
  });

  it('forgets the oldest of the known ones first', () => {
    const buffer = new TouchBuffer({ known: 2, waiting: 100 });
    for (const conversation of ['a', 'b', 'c']) buffer.touch('ns', conversation, 1_000, 0);
    expect(['c', 'b', 'a'].map((conversation) => buffer.touch('ns', conversation, 1_000, 1))).toEqual([
      'known',
      'known',
      'new',
    ]);
  });

  it('refuses when too many wait, and takes the refused one at its next touch', () => {
    const buffer = new TouchBuffer({ known: 100, waiting: 1 });
    expect([buffer.touch('ns', 'a', 1_000, 0), buffer.touch('ns', 'b', 1_000, 0)]).toEqual(['new', 'full']);
    buffer.take(10);
    expect(buffer.touch('ns', 'b', 1_000, 1)).toBe('new');
  });

  it('takes a conversation again after forget', () => {
    const buffer = new TouchBuffer(limits);
    buffer.touch('ns', 'a', 1_000, 0);
    const [group] = buffer.take(10);
    buffer.forget(group ?? []);
    expect(buffer.touch('ns', 'a', 1_000, 1)).toBe('new');
  });
});
