import type { Clock, Log, Telemetry } from '@reprise/kernel';
import { RepriseError } from '@reprise/kernel';
import type { HandOverDecision } from '@reprise/policy';
import type { GhostPage, GhostStore, OutcomeEvent } from '../ports/ghost-store.port.js';
import type { NamespaceAdmin } from '../ports/namespace-admin.port.js';
import { GhostPanel } from './ghost-panel.js';
import { GhostComparison } from './ghost-state.js';
import { turnOf } from './turn-of.js';

export interface GhostDependencies {
  readonly ghosts: GhostStore;
  readonly admin: Pick<NamespaceAdmin, 'namespaces'>;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly log: Log;
}

export interface GhostLimits {
  /** Time between two runs. */
  readonly everyMs: number;
  /** Namespaces of one run. */
  readonly namespaces: number;
  /** New events of one namespace that one run counts. */
  readonly events: number;
}

export interface GhostReport {
  readonly namespaces: number;
  /** Events counted. */
  readonly events: number;
  /** Mean losses over the namespaces that had events, by policy, weighted by them. */
  readonly losses: Readonly<Record<string, number>>;
  readonly handOvers: number;
  readonly failed: readonly string[];
}

/** Events of one call to the store: about a millisecond of the server. */
const pageSize = 500;
/** Namespaces whose ghosts are kept in memory between runs, up to 2 MB each. */
const heldNamespaces = 64;

interface Counted {
  readonly events: number;
  readonly losses: Readonly<Record<string, number>>;
  readonly decision?: HandOverDecision;
}

const nothing: Counted = { events: 0, losses: {} };

/** Numeric order of positions in a stream; '' is before all. */
export function isBehind(id: string, position: string): boolean {
  if (position === '') return id !== '';
  const [ms = 0, seq = 0] = id.split('-').map(Number);
  const [posMs = 0, posSeq = 0] = position.split('-').map(Number);
  return ms > posMs || (ms === posMs && seq > posSeq);
}

/**
 * The ghost policies of all namespaces in one worker: they store no answer and serve nobody.
 *
 * What they hold is rebuilt from the stream when this process does not have it; what they have counted is kept in the
 * store with the position, by compare-and-set, so a run that ends halfway, or beside another one, counts nothing twice.
 */
export class GhostRuns {
  private readonly panels = new Map<string, GhostPanel>();

  /** One run: some namespaces, each with a bounded batch. Throws RP_ERR_CACHE_UNAVAILABLE when none could be read. */
  async run(deps: GhostDependencies, limits: GhostLimits): Promise<GhostReport> {
    const names = turnOf(await deps.admin.namespaces(), deps.clock.nowMs(), limits);
    const sums: Record<string, { loss: number; events: number }> = {};
    const failed: string[] = [];
    let events = 0;
    let handOvers = 0;
    for (const ns of names) {
      try {
        const counted = await this.namespace(deps, ns, limits.events);
        events += counted.events;
        handOvers += counted.decision === undefined ? 0 : 1;
        for (const [name, loss] of Object.entries(counted.losses)) {
          const sum = (sums[name] ??= { loss: 0, events: 0 });
          sum.loss += loss * counted.events;
          sum.events += counted.events;
        }
      } catch (error) {
        this.panels.delete(ns);
        failed.push(ns);
        deps.log.write('warn', 'ghosts: a namespace failed', { ns, reason: String(error) });
      }
    }
    if (failed.length > 0 && failed.length === names.length)
      throw new RepriseError('RP_ERR_CACHE_UNAVAILABLE', `The ghosts of none of ${names.length} namespaces could run.`);
    const losses = Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum.loss / sum.events]));
    return { namespaces: names.length, events, losses, handOvers, failed };
  }

  private async namespace(deps: GhostDependencies, ns: string, most: number): Promise<Counted> {
    const first = await deps.ghosts.read(ns, undefined, pageSize);
    if (!first.on) this.panels.delete(ns);
    if (!first.on || first.events.length === 0) return nothing;
    const panel = await this.panelAt(deps, ns, first);
    const batch = await count(deps, ns, { panel, first, most });
    const { decision, steps } = batch;
    const kept = await deps.ghosts.advance(ns, {
      expected: first.position,
      position: panel.position,
      state: JSON.stringify(batch.comparison.state),
      losses: batch.comparison.losses,
      steps,
      from: first.eviction,
      ...(decision === undefined ? {} : { to: decision.to }),
    });
    if (!kept) {
      this.panels.delete(ns);
      return nothing;
    }
    if (decision !== undefined) announce(deps, ns, decision);
    return { events: batch.events, losses: batch.comparison.losses, ...(decision === undefined ? {} : { decision }) };
  }

  /** The namespace's ghosts as of the last counted event: those of this process, or new ones led there through the stream. */
  private async panelAt(deps: GhostDependencies, ns: string, page: GhostPage): Promise<GhostPanel> {
    const held = this.panels.get(ns);
    this.panels.delete(ns);
    let panel = held?.fits(page) === true && !isBehind(held.position, page.position) ? held : undefined;
    let after: string = panel?.position ?? 'oldest';
    panel ??= new GhostPanel(page);
    while (page.position !== '' && isBehind(page.position, panel.position)) {
      const { events } = await deps.ghosts.read(ns, after, pageSize);
      for (const event of events) if (!isBehind(event.id, page.position)) panel.observe(event);
      after = events.at(-1)?.id ?? after;
      if (events.length === 0 || isBehind(after, page.position)) break;
    }
    if (this.panels.size >= heldNamespaces) this.panels.delete([...this.panels.keys()][0] ?? '');
    this.panels.set(ns, panel);
    return panel;
  }
}

interface Batch {
  readonly comparison: GhostComparison;
  readonly events: number;
  readonly steps: number;
  readonly decision?: HandOverDecision;
}

/** Counts new events up to `most`, or up to a hand-over: what follows is measured under the new policy. */
async function count(
  deps: GhostDependencies,
  ns: string,
  { panel, first, most }: { readonly panel: GhostPanel; readonly first: GhostPage; readonly most: number },
): Promise<Batch> {
  const comparison = new GhostComparison(first);
  let page: readonly OutcomeEvent[] = first.events;
  let events = 0;
  let steps = 0;
  for (;;) {
    for (const event of page.slice(0, most - events)) {
      events += 1;
      const losses = panel.observe(event);
      if (losses === undefined) continue;
      steps += 1;
      const decision = comparison.observe(losses, event.loss);
      if (decision !== undefined) return { comparison, events, steps, decision };
    }
    if (page.length < pageSize || events >= most) return { comparison, events, steps };
    page = (await deps.ghosts.read(ns, panel.position, pageSize)).events;
  }
}

function announce(deps: GhostDependencies, ns: string, { from, to, liveLoss, ghostLoss }: HandOverDecision): void {
  deps.telemetry.count('reprise_policy_switches_total', { from, to });
  deps.log.write('info', 'the recency tier was handed over to another policy', { ns, from, to, liveLoss, ghostLoss });
}
