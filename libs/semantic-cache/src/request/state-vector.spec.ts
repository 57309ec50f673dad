import { describe, expect, it } from 'vitest';
import { chatStateOf, defaultLayout } from './chat-state.js';
import { firstTurnVector, stateVector } from './state-vector.js';

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
const unit = (...values: number[]): Float32Array => {
  const norm = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / norm);
};

describe('state vectors', () => {
  it('give g = .5 cos(q) + .3 cos(p) + .2 cos(h)', () => {
    const [q1, q2, p1, p2, h1, h2] = [unit(1, 2), unit(2, 1), unit(1, 0), unit(1, 1), unit(0, 1), unit(3, 1)] as const;
    const g = dot(stateVector(defaultLayout, q1, p1, h1), stateVector(defaultLayout, q2, p2, h2));
    expect(g).toBeCloseTo(0.5 * dot(q1, q2) + 0.3 * dot(p1, p2) + 0.2 * dot(h1, h2), 6);
  });

  it('of first turns have exactly the cosine of the messages', () => {
    expect(dot(firstTurnVector(unit(1, 2)), firstTurnVector(unit(2, 1)))).toBeCloseTo(dot(unit(1, 2), unit(2, 1)), 6);
  });
});

describe('chat state', () => {
  const system = { role: 'system', content: 's' };
  const user = (content: string) => ({ role: 'user', content });
  const reply = { role: 'assistant', content: 'r' };

  it('of a first turn has no history, whatever the framing', () => {
    const state = chatStateOf({ model: 'm', messages: [system, user('a')] });
    expect(state).toMatchObject({ message: 'a', firstTurn: true, historyKey: '', history: [] });
  });

  it('of a follow-up knows the previous reply and all messages before', () => {
    const state = chatStateOf({ model: 'm', messages: [system, user('a'), reply, user('b')] });
    expect(state).toMatchObject({ message: 'b', firstTurn: false, previousReply: 'r', history: ['a', 'r'] });
  });

  it('after another history has another history key', () => {
    const after = (first: string) => chatStateOf({ model: 'm', messages: [user(first), reply, user('b')] }).historyKey;
    expect(after('a')).not.toBe(after('c'));
    expect(after('a')).toBe(after('a '));
  });
});
