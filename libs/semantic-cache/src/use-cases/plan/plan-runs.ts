import type { Clock, Log, Telemetry } from '@reprise/kernel';
import { RepriseError, seedOf } from '@reprise/kernel';
import {
  arrivalTrigger,
  FEATURES,
  hasNewInformation,
  pairRowOf,
  type PlanNote,
  type PlanTrigger,
} from '@reprise/policy';
import type { NamespaceAdmin } from '../../ports/namespace-admin.port.js';
import type { PlanHead, PlanStore } from '../../ports/plan-store.port.js';
import type { PolicyEngine } from '../../ports/policy-engine.port.js';
import type { RiskStore } from '../../ports/risk-store.port.js';
import type { Planner, PlanWork } from './planner.js';

export interface PlanDependencies {
  readonly plans: PlanStore;
  readonly policies: Pick<PolicyEngine, 'install'>;
  readonly risk: Pick<RiskStore, 'read'>;
  readonly admin: Pick<NamespaceAdmin, 'namespaces'>;
  readonly planner: Planner;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly log: Log;
}

export interface PlanReport {
  readonly namespaces: number;
  /** Planned tiers that were chosen anew and put in force. */
  readonly installed: number;
  readonly failed: readonly string[];
}

export interface PlanLimits {
  /** Least time between two recomputes of a namespace, ms. */
  readonly everyMs: number;
}

/** Fewer labels say too little of which reuse is right. */
const LEAST_LABELS = 50;
/** Entries of one plan; of more, those that are used most and the newest. */
const MOST_ENTRIES = 5_000;
/** Entries of one planned tier: an install moves them in one call, at about 10 µs each, and gateways wait for that. */
const MOST_PLANNED = 250;
/** Entries that one walk reads at most. */
const MOST_READ = 20_000;
const PAGE = 100;
const LABEL_PAGE = 100;
/** Neighbours are asked for in steps of about 3 ms of the server at 5,000 entries. */
const NEAR_PAGE = 4;
const CANDIDATES = 32;
/** ε of the net and the width multiplier b_r of algorithms.md §4.8. */
const EPSILON = 0.25;
const CAUTION = 0.05;

/** The namespace's planned tier is chosen by what its labels say of reuses: Reverse Greedy on an ε-net of its entries. */
export class PlanRuns {
  /** Namespace → labels that held too little news, so that they are not read again. */
  private readonly looked = new Map<string, { readonly note: string; readonly position: string }>();

  /** One look at every namespace. Throws RP_ERR_CACHE_UNAVAILABLE when none could be read. */
  async run(deps: PlanDependencies, limits: PlanLimits): Promise<PlanReport> {
    const names = await deps.admin.namespaces();
    const failed: string[] = [];
    let installed = 0;
    for (const ns of names) {
      try {
        if (await this.namespace(deps, ns, limits)) installed += 1;
      } catch (error) {
        failed.push(ns);
        deps.log.write('warn', 'planning: a namespace failed', { ns, reason: String(error) });
      }
    }
    if (failed.length > 0 && failed.length === names.length)
      throw new RepriseError('RP_ERR_CACHE_UNAVAILABLE', `None of ${names.length} namespaces could be planned for.`);
    return { namespaces: names.length, installed, failed };
  }

  private async namespace(deps: PlanDependencies, ns: string, { everyMs }: PlanLimits): Promise<boolean> {
    const head = await deps.plans.head(ns);
    // What fits into the planned tier as a whole needs no choice.
    if (head.slots === 0 || head.entries <= head.slots) return false;
    const last = noteOf(head.note);
    if (last !== undefined && deps.clock.nowMs() - last.atMs < everyMs) return false;
    const work = deps.planner.begin();
    try {
      const arrived = arrivalTrigger(head, last);
      const position = await readLabels(deps, ns, work, arrived === undefined ? this.known(ns, head.note) : undefined);
      if (position === undefined) return false;
      const { labels, information } = await work.information();
      this.looked.set(ns, { note: head.note, position });
      const informed = last !== undefined && hasNewInformation(information, last) ? 'information' : undefined;
      const trigger = arrived ?? informed;
      if (trigger === undefined || labels < LEAST_LABELS) return false;
      return await recompute(deps, ns, work, { head, trigger, information });
    } finally {
      work.end();
    }
  }

  /** The last label that was looked at for the tier in force. */
  private known(ns: string, note: string): string | undefined {
    const looked = this.looked.get(ns);
    return looked?.note === note ? looked.position : undefined;
  }
}

function noteOf(text: string): PlanNote | undefined {
  return text === '' ? undefined : (JSON.parse(text) as PlanNote);
}

/** Tells the plan of all labels; returns the position of the last one, undefined: none is newer than `known`. */
async function readLabels(
  deps: PlanDependencies,
  ns: string,
  work: PlanWork,
  known: string | undefined,
): Promise<string | undefined> {
  if (known !== undefined && (await deps.risk.read(ns, known, 1)).events.length === 0) return undefined;
  let position = '';
  for (;;) {
    const { events } = await deps.risk.read(ns, position, LABEL_PAGE);
    const labels = events.flatMap((event) =>
      event.kind === 'label' && event.label.row.length === FEATURES ? [event.label] : [],
    );
    work.addLabels(
      labels.map(({ row }) => pairRowOf(row)),
      labels.map(({ rejected }) => rejected),
    );
    position = events.at(-1)?.id ?? position;
    if (events.length < LABEL_PAGE) return position;
  }
}

interface Reason {
  readonly head: PlanHead;
  readonly trigger: PlanTrigger;
  readonly information: number;
}

async function recompute(deps: PlanDependencies, ns: string, work: PlanWork, why: Reason): Promise<boolean> {
  const { head, trigger, information } = why;
  const atMs = deps.clock.nowMs();
  await readEntries(deps, ns, work, atMs);
  const picked = await work.pick(MOST_ENTRIES);
  for (let at = 0; at < picked.length; at += NEAR_PAGE)
    work.addPairs(await deps.plans.near(ns, picked.slice(at, at + NEAR_PAGE), CANDIDATES));
  const slots = Math.min(head.slots, MOST_PLANNED);
  const options = { slots, epsilon: EPSILON, candidates: CANDIDATES, caution: CAUTION };
  const { planned, ...choice } = await work.choose(options);
  const version = head.version + 1;
  const seed = seedOf([ns, String(version)]);
  // The capacity stays, so that nothing is to be evicted.
  const call = { expectedVersion: head.version, version, planned, maxTrim: 0, seed };
  const { installed } = await deps.policies.install(ns, call);
  deps.telemetry.count('reprise_recomputes_total', { trigger, outcome: installed ? 'installed' : 'conflict' });
  if (!installed) return false;
  const note: PlanNote = { admitted: head.admitted, steps: head.steps, atMs, information };
  await deps.plans.note(ns, JSON.stringify(note));
  deps.log.write('info', 'the planned tier was chosen anew', { ns, trigger, version, size: planned.length, ...choice });
  return true;
}

/** An entry that the walk meets twice is told once. */
async function readEntries(deps: PlanDependencies, ns: string, work: PlanWork, nowMs: number): Promise<void> {
  const seen = new Set<string>();
  let cursor: string | undefined = '0';
  while (cursor !== undefined && seen.size < MOST_READ) {
    const page = await deps.plans.page(ns, cursor, PAGE, nowMs);
    const fresh = page.entries.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    work.addEntries(fresh);
    cursor = page.cursor;
  }
}
