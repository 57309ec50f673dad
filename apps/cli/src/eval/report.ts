import { percent, table } from '../text/table.js';
import type { Figures, JudgedPair, KindFigures, RuleFigures } from './figures.js';

const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${part} of ${whole}`);

function ruleTable(rules: readonly RuleFigures[]): string {
  return table(
    ['rule', 'false hits', '', 'recall', ''],
    rules.map(({ rule, falseHits, negatives, hits, positives }) => [
      rule,
      share(falseHits, negatives),
      percent(falseHits, negatives),
      share(hits, positives),
      percent(hits, positives),
    ]),
    ['left', 'right', 'right', 'right', 'right'],
  );
}

/** Served shares of one kind; a kind with both labels has two lines. */
function kindRows({ kind, rules }: KindFigures): string[][] {
  const [first] = rules;
  if (first === undefined) return [];
  const name = kind === '' ? '(no kind)' : kind;
  const rows: string[][] = [];
  if (first.positives > 0) {
    rows.push([name, '1', String(first.positives), ...rules.map((rule) => percent(rule.hits, rule.positives))]);
  }
  if (first.negatives > 0) {
    rows.push([name, '0', String(first.negatives), ...rules.map((rule) => percent(rule.falseHits, rule.negatives))]);
  }
  return rows;
}

function kindTable(kinds: readonly KindFigures[]): string {
  const rules = kinds[0]?.rules ?? [];
  return table(['served, by kind', 'label', 'pairs', ...rules.map(({ rule }) => rule)], kinds.flatMap(kindRows), [
    'left',
    'right',
    'right',
    ...rules.map(() => 'right' as const),
  ]);
}

function reasonTable({ reasons }: Figures): string {
  return table(
    ['x-cache', 'reason', 'label 1', 'label 0'],
    reasons.map(({ cache, reason, positives, negatives }) => [
      cache || '–',
      reason,
      String(positives),
      String(negatives),
    ]),
    ['left', 'left', 'right', 'right'],
  );
}

/** Up to `count` false hits and as many missed positives, with their texts. */
export function mistakesText(pairs: readonly JudgedPair[], count: number): string {
  if (count === 0) return '';
  const list = (title: string, wrong: (pair: JudgedPair) => boolean): string => {
    const lines = pairs
      .filter(wrong)
      .slice(0, count)
      .map(({ outcome, cosine }) => {
        const { pair, reason } = outcome;
        return `line ${pair.line} (${reason}${cosine === undefined ? '' : `, cosine ${cosine.toFixed(3)}`})\n  a ${pair.a}\n  b ${pair.b}\n`;
      });
    return lines.length === 0 ? '' : `\n${title}\n${lines.join('')}`;
  };
  return (
    list('False hits:', ({ outcome }) => outcome.served && !outcome.pair.positive) +
    list('Not served although one answer serves both:', ({ outcome }) => !outcome.served && outcome.pair.positive)
  );
}

/** The tables for a person. */
export function reportText(figures: Figures, speed: { readonly pairs: number; readonly seconds: number }): string {
  const perSecond = speed.seconds > 0 ? speed.pairs / speed.seconds : 0;
  const notes = [
    `${speed.pairs} pairs in ${speed.seconds.toFixed(1)} s (${perSecond.toFixed(0)} pairs/s)`,
    ...(figures.undecided > 0
      ? [
          `${figures.undecided} pairs were not decided (an error, or a part of the gateway was late); they count as not served`,
        ]
      : []),
    ...(figures.retried > 0
      ? [`${figures.retried} pairs were played again because a part of the gateway was late`]
      : []),
    ...(figures.withoutCosine > 0
      ? [`${figures.withoutCosine} pairs have no known cosine; plain cosine counts as not serving them`]
      : []),
  ];
  return [ruleTable(figures.overall), kindTable(figures.kinds), reasonTable(figures), `${notes.join('\n')}\n`].join(
    '\n',
  );
}
