import { percent, table } from '../text/table.js';
import type { DemoFigures, WrongReuse } from './tally.js';

const count = (value: number): string => value.toLocaleString('en-US');

/** The figures as a table; `planned` is the number of conversations of the run. */
export function demoTable(figures: DemoFigures, planned: number, gate = ''): string {
  const { requests, conversations, seconds, reuses, repeats, wrong, unknown, failed } = figures;
  const perSecond = seconds > 0 ? requests / seconds : 0;
  const rows = figures.kinds
    .filter((row) => row.requests > 0)
    .map((row) => [
      row.kind,
      count(row.requests),
      percent(row.requests, requests),
      row.p50Ms.toFixed(1),
      row.p99Ms.toFixed(1),
      row.kind === 'miss' || row.kind === 'bypass' ? '' : count(row.wrong),
    ]);
  return [
    `${count(conversations)} of ${count(planned)} conversations, ${count(requests)} requests in ${seconds.toFixed(1)} s (${perSecond.toFixed(1)}/s)\n\n`,
    table(['answers', 'requests', 'share', 'p50 ms', 'p99 ms', 'wrong'], rows, [
      'left',
      'right',
      'right',
      'right',
      'right',
      'right',
    ]),
    `\nreuses ${count(reuses)} (${percent(reuses, requests)} of the requests); ${count(repeats)} requests asked for an answer that was there already\n`,
    `wrong against the ground truth ${count(wrong)} (${percent(wrong, reuses)} of the reuses)\n`,
    `saved ${count(figures.savedTokens)} tokens and $${figures.savedUsd.toFixed(4)} at the price of the asked model\n`,
    figures.climb.length > 0 ? `hits by similarity in each 500 requests: ${figures.climb.join(' ')}\n` : '',
    gate,
    reasonsText(figures),
    unknown > 0 ? `${count(unknown)} reuses come from outside this run and could not be judged\n` : '',
    failed > 0 ? `${count(failed)} requests failed, the first with ${figures.firstFailure}\n` : '',
  ].join('');
}

const REASONS_SHOWN = 8;

/** The most frequent reasons in one line. */
function reasonsText({ reasons }: DemoFigures): string {
  if (reasons.length === 0) return '';
  const shown = reasons.slice(0, REASONS_SHOWN).map(({ reason, requests }) => `${reason} ${count(requests)}`);
  return `not served: ${shown.join(', ')}${reasons.length > REASONS_SHOWN ? ', …' : ''}\n`;
}

/** The wrong reuses one by one. */
export function wrongText(wrong: readonly WrongReuse[], shown = 10): string {
  if (wrong.length === 0) return '';
  const lines = wrong
    .slice(0, shown)
    .map(({ turnId, kind, asked, served }) => `  ${turnId} ${kind}\n    asked  ${asked}\n    served ${served}\n`);
  return `\nWrong reuses${wrong.length > shown ? ` (${shown} of ${wrong.length})` : ''}:\n${lines.join('')}`;
}

/** Draws over its own last drawing on a terminal. */
export class LiveText {
  private lines = 0;

  constructor(private readonly out: (text: string) => void) {}

  draw(text: string): void {
    const back = this.lines > 0 ? `\u001b[${this.lines}A\u001b[J` : '';
    this.lines = text.split('\n').length - 1;
    this.out(back + text);
  }
}
