import type { LossTable } from '../selection/loss-table.js';
import { reverseGreedy } from '../selection/reverse-greedy.js';

/** How the content of a planned cache is chosen: by Reverse Greedy, or by the two rules it is compared with. */
export const contentRules = ['reverse-greedy', 'most-requested', 'largest-cost'] as const;
export type ContentRule = (typeof contentRules)[number];

/**
 * At most `size` items of a table whose item i is the answer of row i, ascending.
 *
 * `most-requested`: the items of the heaviest rows (LFU). `largest-cost`: of the rows with the largest weight · cost.
 */
export function chooseContent(rule: ContentRule, table: LossTable, size: number): readonly number[] {
  if (rule === 'reverse-greedy') return reverseGreedy(table, size).kept;
  const worth = (row: number): number => table.weights[row]! * (rule === 'largest-cost' ? table.costs[row]! : 1);
  return Array.from({ length: table.items }, (_, item) => item)
    .sort((a, b) => worth(b) - worth(a) || a - b)
    .slice(0, size)
    .sort((a, b) => a - b);
}

/** The `size` ids that are named most often, the earlier named first on ties: what the nearest-neighbour caches keep offline. */
export function mostOften(named: Iterable<number>, size: number): number[] {
  const counts = new Map<number, number>();
  for (const id of named) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, size)
    .map(([id]) => id);
}
