import { describe, expect, it } from 'vitest';
import { figuresOf, type JudgedPair } from './figures.js';
import { mistakesText, reportText } from './report.js';

function judged(
  kind: string,
  positive: boolean,
  served: boolean,
  cosine?: number,
  more: Partial<JudgedPair['outcome']> = {},
): JudgedPair {
  return {
    outcome: {
      pair: { line: 1, a: 'first', b: 'second', positive, kind },
      cache: served ? 'hit-semantic' : 'miss',
      reason: served ? 'aligned' : 'number',
      served,
      decided: true,
      retries: 0,
      ...more,
    },
    ...(cosine === undefined ? {} : { cosine }),
  };
}

const pairs = [
  judged('pos', true, true, 0.97),
  judged('pos', true, false, 0.82, { retries: 1 }),
  judged('neg', false, false, 0.91),
  judged('neg', false, true, 0.96),
  judged('neg', false, false, undefined, { decided: false, reason: 'embedder-timeout' }),
];
const figures = figuresOf(pairs);

describe('figures of pairs', () => {
  it('count false hits among the negatives and hits among the positives, for the gateway and for plain cosine', () => {
    expect(figures.overall).toEqual([
      { rule: 'reprise', falseHits: 1, negatives: 3, hits: 1, positives: 2 },
      { rule: 'cosine ≥ .80', falseHits: 2, negatives: 3, hits: 2, positives: 2 },
      { rule: 'cosine ≥ .85', falseHits: 2, negatives: 3, hits: 1, positives: 2 },
      { rule: 'cosine ≥ .90', falseHits: 2, negatives: 3, hits: 1, positives: 2 },
      { rule: 'cosine ≥ .95', falseHits: 1, negatives: 3, hits: 1, positives: 2 },
    ]);
  });

  it('are the same by kind', () => {
    expect(figures.kinds.map(({ kind }) => kind)).toEqual(['neg', 'pos']);
    for (const at of [0, 1, 2, 3, 4]) {
      const rows = figures.kinds.map(({ rules }) => rules[at]!);
      expect(rows.reduce((sum, row) => sum + row.falseHits, 0)).toBe(figures.overall[at]!.falseHits);
      expect(rows.reduce((sum, row) => sum + row.hits, 0)).toBe(figures.overall[at]!.hits);
    }
  });

  it('name the reasons, the most frequent first, and what could not be decided', () => {
    expect(figures.reasons[0]).toEqual({ cache: 'hit-semantic', reason: 'aligned', positives: 1, negatives: 1 });
    expect(figures).toMatchObject({ undecided: 1, retried: 1, withoutCosine: 1 });
  });
});

describe('the report', () => {
  const text = reportText(figures, { pairs: 5, seconds: 2 });

  it('has the rules, the kinds and the reasons', () => {
    expect(text).toMatch(/^reprise +1 of 3 +33\.33 % +1 of 2 +50\.00 %$/m);
    expect(text).toMatch(/^neg +0 +3 +33\.33 % +66\.67 %/m);
    expect(text).toMatch(/^pos +1 +2 +50\.00 % +100\.00 %/m);
    expect(text).toMatch(/^miss +number +1 +1$/m);
    expect(text).toMatch(/5 pairs in 2\.0 s \(3 pairs\/s\)/);
  });

  it('says what makes the figures less than they seem', () => {
    expect(text).toMatch(/1 pairs were not decided/);
    expect(text).toMatch(/1 pairs were played again/);
    expect(text).toMatch(/1 pairs have no known cosine/);
    expect(reportText(figuresOf([judged('', true, true, 1)]), { pairs: 1, seconds: 1 })).not.toMatch(
      /not decided|again|no known/,
    );
  });

  it('shows mistakes only when asked', () => {
    expect(mistakesText(pairs, 0)).toBe('');
    expect(mistakesText(pairs, 5)).toMatch(
      /False hits:\nline 1 \(aligned, cosine 0\.960\)\n {2}a first\n {2}b second\n\nNot served/,
    );
  });
});
