import { describe, expect, it } from 'vitest';
import { ReplyMemory } from './reply-memory.js';

describe('ReplyMemory', () => {
  it('answers a repeated key without calling again, until it is forgotten', () => {
    const memory = new ReplyMemory(2);
    let calls = 0;
    const ask = (key: string) => memory.once(key, () => (calls += 1));
    expect(['a', 'b', 'a', 'b', 'c', 'b', 'a'].map(ask)).toEqual([1, 2, 1, 2, 3, 2, 4]);
  });

  it('remembers nothing with limit 0', () => {
    const memory = new ReplyMemory(0);
    let calls = 0;
    expect([memory.once('a', () => (calls += 1)), memory.once('a', () => (calls += 1))]).toEqual([1, 2]);
  });
});
