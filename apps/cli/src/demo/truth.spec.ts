import { answerFor, generateConversations } from '@reprise/upstream';
import { describe, expect, it } from 'vitest';
import { truthOf } from './truth.js';

const conversations = generateConversations({ seed: 7, count: 60 });
const truth = truthOf(conversations);

/** The right answer as the demo upstream words it for this conversation. */
const answerAt = (conversation: number, turn: number): string =>
  answerFor(conversations[conversation]!.turns.slice(0, turn + 1).map(({ user }) => ({ role: 'user', content: user })))
    .text;

describe('the ground truth of a run', () => {
  it("calls every turn's own answer right", () => {
    for (const [at, { turns }] of conversations.entries())
      for (const place of turns.keys()) expect(truth.judge(at, place, answerAt(at, place))).toBe('right');
  });

  it('calls an answer with the same key right, in whatever opening words, and any other wrong', () => {
    const first = conversations.map(({ turns }, at) => ({ at, key: turns[0]!.answerKey, text: answerAt(at, 0) }));
    let same = 0;
    let other = 0;
    for (const a of first)
      for (const b of first) {
        if (a.at === b.at) continue;
        const verdict = truth.judge(a.at, 0, b.text);
        if (a.key === b.key) {
          same += 1;
          expect(verdict).toBe('right');
        } else if (a.text !== b.text) {
          other += 1;
          expect(verdict).toBe('wrong');
        }
      }
    expect(same).toBeGreaterThan(0);
    expect(other).toBeGreaterThan(100);
  });

  it('does not judge a text that it has never seen', () => {
    expect(truth.judge(0, 0, 'something else')).toBe('unknown');
    expect(truth.judge(999, 0, answerAt(0, 0))).toBe('unknown');
  });
});
