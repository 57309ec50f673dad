import { describe, expect, it } from 'vitest';
import type { ChatReply } from '../gateway/chat-client.js';
import { demoTable, LiveText, wrongText } from './demo-table.js';
import { quantile, Tally } from './tally.js';

const reply = (given: Partial<ChatReply>): ChatReply => ({
  status: 200,
  cache: 'miss',
  reason: 'no-candidate',
  text: 'answer',
  systemFingerprint: 'reprise-demo',
  promptTokens: 10,
  completionTokens: 5,
  savedUsd: 0,
  ms: 4,
  ...given,
});
const turn = (answerKey: string) => ({ id: 'c0.0', user: 'question', answerKey });

function played(): Tally {
  const tally = new Tally();
  tally.add(reply({ ms: 100 }), 'right', turn('k1'));
  tally.add(reply({ cache: 'hit-exact', savedUsd: 0.5, ms: 1 }), 'right', turn('k1'));
  tally.add(reply({ cache: 'hit-semantic', savedUsd: 0.25, ms: 2, text: 'of k1' }), 'wrong', turn('k2'));
  tally.add(reply({ cache: 'coalesced' }), 'unknown', turn('k3'));
  tally.add(reply({ cache: 'bypass', reason: 'cache-slow' }), 'right', turn('k1'));
  tally.add(reply({ status: 502, text: 'gone' }), 'right', turn('k4'));
  tally.endConversation();
  return tally;
}

describe('the count of a demo', () => {
  it('has each answer in one kind, and only reuses can be wrong', () => {
    const figures = played().figures(2);
    expect(figures).toMatchObject({
      requests: 6,
      conversations: 1,
      failed: 1,
      reuses: 3,
      repeats: 2,
      wrong: 1,
      unknown: 1,
      savedTokens: 45,
      savedUsd: 0.75,
    });
    expect(figures.kinds.map(({ kind, requests, wrong }) => [kind, requests, wrong])).toEqual([
      ['hit-exact', 1, 0],
      ['hit-semantic', 1, 1],
      ['coalesced', 1, 0],
      ['miss', 1, 0],
      ['bypass', 1, 0],
    ]);
    expect(figures.reasons).toEqual([
      { reason: 'no-candidate', requests: 1 },
      { reason: 'cache-slow', requests: 1 },
    ]);
  });

  it('keeps the wrong reuses with what was asked and what was served', () => {
    const { wrongReuses } = played();
    expect(wrongReuses).toEqual([{ turnId: 'c0.0', asked: 'question', kind: 'hit-semantic', served: 'of k1' }]);
    expect(wrongText(wrongReuses)).toMatch(/asked {2}question\n {4}served of k1/);
    expect(wrongText([])).toBe('');
  });

  it('has quantiles by nearest rank', () => {
    const sorted = Array.from({ length: 100 }, (_, at) => at + 1);
    expect([quantile(sorted, 0.5), quantile(sorted, 0.99), quantile([7], 0.99), quantile([], 0.5)]).toEqual([
      50, 99, 7, 0,
    ]);
  });

  it('is a table with everything that was counted', () => {
    const text = demoTable(played().figures(2), 3);
    expect(text).toMatch(/^1 of 3 conversations, 6 requests in 2\.0 s \(3\.0\/s\)/);
    expect(text).toMatch(/hit-semantic +1 +16\.67 % +2\.0 +2\.0 +1\n/);
    expect(text).toMatch(/wrong against the ground truth 1 \(33\.33 % of the reuses\)/);
    expect(text).toMatch(/saved 45 tokens and \$0\.7500/);
    expect(text).toMatch(/not served: no-candidate 1, cache-slow 1\n/);
    expect(text).toMatch(/1 requests failed, the first with 502 gone\n/);
  });

  it('shows how the hits climb, and what has been learned', () => {
    const tally = new Tally();
    for (let at = 0; at < 1_020; at++)
      tally.add(reply({ cache: at < 500 ? 'miss' : 'hit-semantic' }), 'right', turn('k1'));
    expect(tally.figures(1).climb).toEqual([0, 500]);
    const text = demoTable(tally.figures(1), 3, 'learned from 400 labels\n');
    expect(text).toMatch(/hits by similarity in each 500 requests: 0 500\nlearned from 400 labels\n/);
  });

  it('is drawn over its last drawing', () => {
    let out = '';
    const live = new LiveText((text) => (out += text));
    live.draw('a\nb\n');
    live.draw('c\n');
    live.draw('d\n');
    expect(out).toBe('a\nb\n\u001b[2A\u001b[Jc\n\u001b[1A\u001b[Jd\n');
  });
});
