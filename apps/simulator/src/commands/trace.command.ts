import { basename } from 'node:path';
import type { AppConfig } from '@reprise/config';
import type { ManagedEmbedder } from '@reprise/embeddings';
import { policyTables } from '../report/policy-tables.js';
import { provenanceOf } from '../report/provenance.js';
import { type BudgetRun, traceReport, type TraceFindings } from '../report/trace-report.js';
import type { ChatTally } from '../runner/chat-tally.js';
import type { ItemRequest } from '../runner/item-replay.js';
import { memoEmbedder } from '../runner/memo-embedder.js';
import type { StoreChoice } from '../runner/open-store.js';
import { sweep } from '../sweep/sweep.js';
import { openTrace } from '../traces/open-trace.js';
import type { ShapeName } from '../traces/shapes.js';
import { deliver, progressOf } from './deliver.js';
import type { OutputOptions, SimulatorIo } from './io.js';
import { checkedPolicies, policyCells, policyTasks } from './policies.command.js';
import { TraceRuns } from './trace-runs.js';

export interface TraceOptions extends OutputOptions, StoreChoice {
  /** A file, or the name of a data set. */
  readonly trace: string;
  readonly shape: ShapeName | 'auto';
  readonly config: AppConfig;
  /** The configured model; unhealthy when there is none. */
  readonly openEmbedder: () => Promise<ManagedEmbedder>;
  readonly policies: readonly string[];
  /** Empty: shares of what the trace would fill. */
  readonly capacities: readonly number[];
  readonly seeds: readonly number[];
  readonly limit: number;
  /** Error budgets that are replayed where labels are known; none: left out. */
  readonly budgets: readonly number[];
}

/** `simulate --trace FILE`: one page on what the cache would have saved, how often it would have been wrong, how large it should be. */
export async function traceCommand(io: SimulatorIo, options: TraceOptions): Promise<number> {
  const startedMs = performance.now();
  const { seeds } = options;
  const [seed = 1] = seeds;
  const names = checkedPolicies(options.policies);
  const trace = openTrace(options.trace, { cwd: io.cwd, env: io.env, shape: options.shape, seed });
  const embedder = await options.openEmbedder();
  try {
    const progress = progressOf(io, 'requests');
    const runs = new TraceRuns({
      ...options,
      ...{ trace, seed, progress, signal: io.signal, embedder: memoEmbedder(embedder) },
    });
    const counted = await runs.count();
    const exact = await runs.exactOnly();
    const { tally: unlimited, items } = await runs.unlimited();
    const stored = new Set(items.map(({ item }) => item)).size;
    const { capacity, eviction, strictSimilarity } = runs.policy;
    const wanted = options.capacities.length > 0 ? options.capacities : shareCapacities(stored);
    const capacities: (readonly [number, ChatTally])[] = [];
    for (const each of wanted) capacities.push([each, each >= stored ? unlimited : await runs.at(each)]);
    const findings: TraceFindings = {
      name: basename(trace.name),
      configured: { eviction, capacity, minCosine: strictSimilarity.minCosine },
      ...counted,
      label: trace.label,
      noSemantic: embedder.healthy() ? undefined : (embedder.state().reason ?? 'there is no embedding model'),
      skipped: new Map(trace.skipped),
      ...{ exact, unlimited, capacities },
      configuredRun: capacity >= stored ? unlimited : await runs.at(capacity),
      budgets:
        embedder.healthy() && counted.labelled >= leastLabels ? await budgetRuns(runs, options.budgets, wanted) : [],
    };
    const compared = await comparePolicies(io, items, wanted, names, options);
    const report = traceReport(findings);
    const provenance = await provenanceOf(
      {
        config: { command: 'simulate --trace', policy: runs.policy, store: options.store, embedder: embedder.identity },
        seeds,
        trace: `${trace.name}, sha256 ${await trace.hash()}`,
      },
      startedMs,
    );
    const tables = [...report.tables, ...compared.tables];
    await deliver(io, { ...report, tables, charts: [...report.charts, ...compared.charts], provenance }, options);
    return 0;
  } finally {
    await embedder.close();
  }
}

/** Labels from which the first model is learned. */
const leastLabels = 300;

/** Every budget without a bound of entries, then the middle one at the smaller capacities: one long replay each. */
async function budgetRuns(
  runs: TraceRuns,
  budgets: readonly number[],
  capacities: readonly number[],
): Promise<BudgetRun[]> {
  const found: BudgetRun[] = [];
  for (const budget of budgets) found.push({ budget, capacity: undefined, tally: await runs.learning(budget) });
  const middle = budgets[Math.floor(budgets.length / 2)];
  if (middle === undefined) return found;
  for (const capacity of capacities.slice(-3, -1))
    found.push({ budget: middle, capacity, tally: await runs.learning(middle, capacity) });
  return found;
}

/** All policies on the items that the unlimited replay found. */
async function comparePolicies(
  io: SimulatorIo,
  items: readonly ItemRequest[],
  capacities: readonly number[],
  names: ReturnType<typeof checkedPolicies>,
  { seeds, threads }: TraceOptions,
) {
  const tasks = policyTasks(names, capacities, seeds, () => ({ from: 'items', items }));
  const results = await sweep(tasks, { threads, signal: io.signal, progress: progressOf(io, 'policies') });
  const { tables, charts } = policyTables(policyCells(tasks, results, capacities));
  const note =
    'On the items of the unlimited replay: a request wants the entry that served it there. Times to live, and answers that are found only because another was evicted, are left out.';
  return { tables: tables.map((table) => ({ ...table, notes: [...table.notes, note] })), charts };
}

/** 2 % … 100 % of the entries that an unlimited cache would hold, in two digits. */
export function shareCapacities(stored: number): number[] {
  const rounded = [0.02, 0.05, 0.1, 0.2, 0.5, 1].map((share) => {
    const size = Math.max(1, share * stored);
    const unit = 10 ** Math.max(0, Math.floor(Math.log10(size)) - 1);
    return Math.ceil(size / unit) * unit;
  });
  return [...new Set(rounded)];
}
