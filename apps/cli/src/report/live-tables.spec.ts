import type { LiveReport, MeasuredShare } from '@reprise/semantic-cache';
import { reportHtml, reportText } from '@reprise/simulator';
import { describe, expect, it } from 'vitest';
import { tablesOf } from './live-tables.js';

const nothing: MeasuredShare = {
  judged: 0,
  wrong: 0,
  effective: 0,
  wilson: { low: 0, high: 1 },
  clopperPearson: { low: 0, high: 1 },
};
const some: MeasuredShare = {
  judged: 200,
  wrong: 4,
  share: 0.02,
  effective: 200,
  wilson: { low: 0.0078, high: 0.0503 },
  clopperPearson: { low: 0.0055, high: 0.0504 },
};
const empty: LiveReport = {
  namespace: '<acme> & co',
  budget: 0.05,
  confidence: 0.95,
  hits: { exact: 0, semantic: 0, missed: 0 },
  falseHits: nothing,
  byRule: { budget: nothing, 'cold-start': nothing, comparison: nothing },
  withheld: nothing,
  gate: { version: 0, labels: 0, breakerOpen: false, coldStartClosed: false },
  labels: { kept: 0, missing: 0, byJudge: {} },
  money: { saved: 0, judged: 0, net: 0, cap: 1 },
  outlook: [],
  history: [],
  ghosts: {},
};
const busy: LiveReport = {
  ...empty,
  hits: { exact: 10, semantic: 30, missed: 60 },
  falseHits: some,
  byRule: { ...empty.byRule, budget: some },
  gate: { version: 3, labels: 400, threshold: 0.21, bound: 0.041, breakerOpen: false, coldStartClosed: false },
  money: { saved: 3, judged: 1, net: 2, cap: 1.3 },
  outlook: [{ budget: 0.01, threshold: 0.03, servedShare: 0.5, falseHits: some }],
  history: [{ labels: 200, servedJudged: 200, share: 0.02, low: 0.0055, high: 0.0504, unguarded: 0.2 }],
  ghosts: { lru: 0.5 },
};
const provenance = { madeAt: '', commit: '', versions: {}, config: {}, seeds: [], trace: '', wallSeconds: 0 };
const words = (live: LiveReport): string => reportText(tablesOf(live, provenance));

describe('the live report', () => {
  it('says hits, measured share beside the budget, gate and money', () => {
    expect(words(busy)).toMatch(
      /40 of 100 requests .* 30 of them by similarity; 2\.00 % of the served reuses are wrong/,
    );
    expect(words(busy)).toMatch(/0\.55 % – 5\.04 %.* budget is 5\.00 %/);
    expect(words(busy)).toMatch(/gate is open: risk up to 0\.2100 is served, of which at most 4\.10 % are wrong/);
    expect(words(busy)).toMatch(/net +\$2\.00/);
    expect(words(busy)).toMatch(/lru +0\.500/);
    expect(words({ ...busy, gate: { ...busy.gate, breakerOpen: true } })).toMatch(/breaker is open/);
    const shut = { version: 1, labels: 7, breakerOpen: false, coldStartClosed: true };
    expect(words({ ...busy, gate: shut })).toMatch(/gate is shut, the cold-start rule is closed \(7 labels\)/);
  });

  it('has nothing to claim of a namespace without labels', () => {
    expect(words(empty)).toMatch(/no served reuse has been judged yet/);
    expect(words(empty)).not.toMatch(/NaN|undefined|Infinity/);
  });

  it.each([empty, busy])('is one page that asks for nothing', (live) => {
    const page = reportHtml(tablesOf(live, provenance));
    expect(page).toContain('&lt;acme&gt; &amp; co');
    expect(page).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)=/);
  });
});
