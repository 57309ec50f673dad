// bench/results/risk.json and docs/benchmarks/risk.md from the finished runs, beside the reference and the bars.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { clopperPearson } from '@reprise/policy';
import { alternativesTable } from './alternatives-report.mjs';

const root = new URL('../../', import.meta.url).pathname;
const WHOLE = 2200;
const PAGE = `${root}docs/benchmarks/risk.md`;
const OPEN = '<!-- table: bench/risk/report.mjs -->';
const CLOSE = '<!-- end of table -->';
const OTHERS = { open: '<!-- alternatives: bench/risk/alternatives.mjs -->', close: '<!-- end of alternatives -->' };

/** Reference (numpy, design of the risk model): mean hits %, pooled false %, median first serve; then the bars. */
const REFERENCE = {
  'A klr60 general 0.02': { hits: 6.5, wrong: 1.2, first: 4975, bar: 'hits ≥ 5.0, wrong ≤ 1.8, first ≤ 7,000' },
  'A klr60 general 0.05': { hits: 12.3, wrong: 3.7, first: 2405, bar: 'hits ≥ 10.8, wrong ≤ 4.4, first ≤ 3,500' },
  'A klr60 general 0.1': { hits: 17.7, wrong: 8.0, first: 2363, bar: 'hits ≥ 16.0, wrong ≤ 9.0, first ≤ 3,000' },
  'D klr60 general 0.02': { hits: 6.4, wrong: 1.1, first: 5419, bar: 'hits ≥ 5.0, wrong ≤ 1.8, first ≤ 7,000' },
  'D klr60 general 0.05': { hits: 12.3, wrong: 3.6, first: 2708, bar: 'hits ≥ 10.8, wrong ≤ 4.4, first ≤ 3,500' },
  'D klr60 general 0.1': { hits: 18.2, wrong: 8.4, first: 2334, bar: 'hits ≥ 16.0, wrong ≤ 9.0, first ≤ 3,000' },
  'A klr60 general 0.01': { hits: 3.7, wrong: 0.4, first: 10400, bar: 'none (shadow figures)' },
  'D klr60 general 0.01': { hits: 3.5, wrong: 0.39, first: 10400, bar: 'none (shadow figures)' },
  'A lr12 general 0.05': { hits: 7.5, wrong: 3.6, bar: 'hits ≥ 6.0' },
  'A lr12 general 0.1': { hits: 11.9, wrong: 6.3, bar: 'hits ≥ 10.5' },
  'A klr60 readme 0.05': { hits: 0.2, wrong: 3.1, bar: 'hits ≤ .5' },
  'A klr60 general 0.05 shuffled': { hits: 0, bar: 'nothing is served' },
  'A klr60 general 0.05 no agreement': { hits: 10.9, bar: 'hits fall by ≥ 1 point' },
};

const nameOf = ({ set, model, label, budget, shuffled, withoutAgreement, fit, stored, economy }) =>
  [
    set,
    model,
    label,
    budget,
    ...(shuffled ? ['shuffled'] : []),
    ...(withoutAgreement ? ['no agreement'] : []),
    ...(fit ? [`D=${fit.landmarks}`] : []),
    ...(stored ? ['as stored'] : []),
    ...(economy === undefined ? [] : [`economy from ${economy}`]),
  ].join(' ');

const sum = (values) => values.reduce((total, value) => total + value, 0);
const mean = (values) => sum(values) / values.length;
const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return mean([sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]);
};
const round = (value, digits = 1) => Number(value.toFixed(digits));

function summarise(name, runs) {
  const hits = sum(runs.map((run) => run.hits));
  const wrong = sum(runs.map((run) => run.wrong));
  const share = runs.map((run) => (100 * run.hits) / run.requests);
  const falseShare = runs.map((run) => (run.hits === 0 ? 0 : (100 * run.wrong) / run.hits));
  const first = runs.map((run) => run.firstServe).filter((at) => at !== null);
  const interval = hits === 0 ? undefined : clopperPearson(wrong, hits);
  return {
    name,
    orders: runs.map((run) => run.order),
    hitsPercent: round(mean(share), 2),
    hitsRange: [round(Math.min(...share)), round(Math.max(...share))],
    wrongPercent: hits === 0 ? null : round((100 * wrong) / hits, 2),
    wrongInterval: interval === undefined ? null : [round(100 * interval.low, 2), round(100 * interval.high, 2)],
    worstOrder: round(Math.max(...falseShare), 2),
    overBudget: runs.filter((run) => run.wrong > run.budget * run.hits).length,
    firstServe: first.length === 0 ? null : median(first),
    quarters: [0, 1, 2, 3].map((q) => round(100 * mean(runs.map((run) => run.quarters[q])))),
    labelsPercent: round(100 * mean(runs.map((run) => run.labels / run.requests))),
    auc: runs[0].auc === null ? null : round(mean(runs.map((run) => run.auc)), 3),
    closingShareOfHits: hits === 0 ? null : round((100 * sum(runs.map((run) => run.closing))) / hits),
    replyWordsSavedPercent: round(100 * mean(runs.map((run) => run.savedShare))),
    seconds: round(mean(runs.map((run) => run.seconds)), 0),
    reference: REFERENCE[name] ?? null,
  };
}

const cell = (value) => (value === null || value === undefined ? '–' : String(value));

function line(row) {
  const { reference } = row;
  return `| ${[
    row.name,
    row.orders.length,
    `${row.hitsPercent} (${row.hitsRange.join('–')})`,
    row.wrongPercent === null ? '–' : `${row.wrongPercent} [${row.wrongInterval.join(', ')}]`,
    cell(row.wrongPercent === null ? null : row.worstOrder),
    `${row.overBudget} of ${row.orders.length}`,
    cell(row.firstServe),
    row.quarters.join(' / '),
    row.labelsPercent,
    cell(row.auc),
    reference === null ? '–' : `${reference.hits} / ${cell(reference.wrong)} / ${cell(reference.first)}`,
    reference === null ? '–' : reference.bar,
  ].join(' | ')} |`;
}

const HEAD = [
  '| set, model, label, budget | orders | hits %, mean (range) | wrong/hits %, pooled [95 %] | worst order | over budget | first serve | hits % by quarter | labels % | AUC | reference: hits / wrong / first | bar |',
  '|---|---|---|---|---|---|---|---|---|---|---|---|',
];

/** Both files from all runs over whole sets; nothing else is changed in the page. */
export function writeReport(runs, judge, coldStart) {
  const groups = new Map();
  for (const run of runs.filter(({ most }) => most === WHOLE)) {
    groups.set(nameOf(run), [...(groups.get(nameOf(run)) ?? []), run]);
  }
  const rows = [...groups].map(([name, own]) => summarise(name, own));
  mkdirSync(`${root}bench/results`, { recursive: true });
  writeFileSync(`${root}bench/results/risk.json`, `${JSON.stringify({ judge, coldStart, rows }, null, 2)}\n`);
  const closing = coldStart.map(
    ({ closedAfter, wrongUntilClosed }) => `${cell(closedAfter)} (${wrongUntilClosed} wrong)`,
  );
  const rule = `Cold-start rule (\`strict-similarity\`, first turns of A, budget .05): the sequential test closes it after ${closing.join(', ')} judged hits in orders 0–4; bar: ≤ 40 hits, ≤ 15 wrong.`;
  const table = [OPEN, '', ...HEAD, ...rows.map(line), '', rule, '', CLOSE].join('\n');
  const others = [OTHERS.open, '', ...alternativesTable(runs), '', OTHERS.close].join('\n');
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(PAGE, replaced(replaced(page, OPEN, CLOSE, table), OTHERS.open, OTHERS.close, others));
}

const replaced = (page, open, close, text) =>
  page.slice(0, page.indexOf(open)) + text + page.slice(page.indexOf(close) + close.length);
