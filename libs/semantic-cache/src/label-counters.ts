import type { LabelRecord } from './ports/risk-store.port.js';

/** Names of the namespace's counters that a label adds to: by rule, whether it was served and its verdict, and by judge. */
export function labelCounters({ rule, served, rejected, judge }: LabelRecord): readonly string[] {
  const what = `judged_${rule.replace('-', '_')}_${served ? 'served' : 'withheld'}`;
  return [`${what}_${rejected === 1 ? 'wrong' : 'right'}`, `judged_by_${judge}`];
}
