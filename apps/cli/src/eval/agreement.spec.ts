import { describe, expect, it } from 'vitest';
import { agreementOf, agreementText } from './agreement.js';
import type { JudgedPair } from './figures.js';

function judged(a: string, b: string, more: Partial<JudgedPair['outcome']>, cosine?: number): JudgedPair {
  const outcome = {
    pair: { line: 7, a, b, positive: true, kind: '' },
    cache: 'miss' as const,
    reason: 'number',
    served: false,
    decided: true,
    retries: 0,
    ...more,
  };
  return cosine === undefined ? { outcome } : { outcome, cosine };
}

const same = ['How do I patch a tent?', 'How can I patch a tent?'] as const;
const other = ['How do I patch 2 tents?', 'How do I patch 3 tents?'] as const;

describe('agreement of gateway and library', () => {
  it('counts verdicts, reasons, and what says nothing', () => {
    const pairs = [
      judged(...same, { cache: 'hit-semantic', reason: 'same-words', served: true }, 0.97),
      judged(...other, {}, 0.97),
      judged(...other, { reason: 'no-candidate' }, 0.97),
      judged(...same, { cache: 'hit-exact', reason: 'equal-request', served: true }, 1),
      judged(...same, { decided: false, reason: 'embedder-timeout' }, 0.97),
      judged(...same, {}),
    ];
    expect(agreementOf(pairs, {})).toEqual({ compared: 3, sameReason: 2, exact: 1, skipped: 2, disagreements: [] });
  });

  it('names the pairs on which they differ', () => {
    const agreement = agreementOf([judged(...same, {}, 0.97), judged(...other, { served: true }, 0.97)], {});
    expect(agreement.disagreements).toEqual([
      { line: 7, gateway: 'refused number', library: 'served same-words' },
      { line: 7, gateway: 'served number', library: 'refused number' },
    ]);
    expect(agreementText(agreement)).toMatch(
      /0 of 2 verdicts are the same, 1 with the same reason; 0 pairs [^\n]*\nline 7: refused number, library served same-words\n/,
    );
  });

  it('asks the rule as it is configured', () => {
    const pair = judged(...other, { cache: 'hit-semantic', reason: 'aligned', served: true }, 0.97);
    expect(agreementOf([pair], {}).disagreements).toHaveLength(1);
    const off = { disabled: new Set(['number', 'unaligned'] as const) };
    expect(agreementOf([pair], off).disagreements).toHaveLength(0);
  });
});
