import { type Log, RepriseError } from '@reprise/kernel';
import type { NamespaceAdmin } from '../../ports/namespace-admin.port.js';
import type { LearnPage, NewSnapshot, RiskSnapshot, RiskStore } from '../../ports/risk-store.port.js';
import type { Learners } from './learners.js';
import type { Learned, LearnerStart } from './namespace-learner.js';

export interface LearnDependencies {
  readonly risk: Pick<RiskStore, 'read' | 'publish' | 'snapshot'>;
  readonly admin: Pick<NamespaceAdmin, 'namespaces'>;
  readonly learners: Learners;
  readonly log: Log;
}

export interface LearnReport {
  readonly namespaces: number;
  /** Events that were learned from. */
  readonly events: number;
  readonly published: number;
  readonly failed: readonly string[];
}

/** Events of one call to the store: below a megabyte. */
const pageSize = 500;
/** Namespaces whose learners are kept between runs, up to 15 MB each; the one that learned longest ago leaves first. */
const heldNamespaces = 64;
/** New labels after which a snapshot is published that decides nothing anew: gateways choose labelling rates by them. */
const publishEvery = 50;
const defaults = { budget: 0.05, confidence: 0.95 };

interface Held {
  readonly epoch: number;
  readonly budget: number;
  readonly confidence: number;
  readonly generation: number;
  position: string;
  /** The snapshot that is in force, as far as this process knows. */
  published: RiskSnapshot | undefined;
  /** Fits of the model in force; undefined: not compared yet. */
  publishedFits: number | undefined;
}

const nothing = { events: 0, published: 0 };
const unlearned: RiskSnapshot = { version: 0, labels: 0, breakerOpen: false, coldStartClosed: false };

/**
 * Learns for all namespaces, one at a time. Whoever runs first after a change publishes, by compare-and-set; another
 * worker reads the same events, comes to the same result, and finds it published.
 */
export class LearnRuns {
  private readonly held = new Map<string, Held>();

  /** Throws RP_ERR_CACHE_UNAVAILABLE when no namespace could be read. */
  async run(deps: LearnDependencies): Promise<LearnReport> {
    const names = await deps.admin.namespaces();
    const failed: string[] = [];
    let events = 0;
    let published = 0;
    for (const ns of names) {
      try {
        const learned = await this.namespace(deps, ns);
        events += learned.events;
        published += learned.published;
      } catch (error) {
        this.forget(deps.learners, ns);
        failed.push(ns);
        deps.log.write('warn', 'learning: a namespace failed', { ns, reason: String(error) });
      }
    }
    if (failed.length > 0 && failed.length === names.length)
      throw new RepriseError('RP_ERR_CACHE_UNAVAILABLE', `None of ${names.length} namespaces could be learned from.`);
    return { namespaces: names.length, events, published, failed };
  }

  private async namespace(deps: LearnDependencies, ns: string): Promise<{ events: number; published: number }> {
    let held = this.held.get(ns);
    let page = await deps.risk.read(ns, held?.position ?? '', pageSize);
    let start: LearnerStart | undefined;
    if (held === undefined || !continues(held, page, deps.learners)) {
      if (held !== undefined) page = await deps.risk.read(ns, '', pageSize);
      if (page.events.length === 0 && held === undefined) return nothing;
      const { budget, confidence } = { ...defaults, ...policyOf(page) };
      start = { budget, confidence, ...(page.axes === undefined ? {} : { axes: page.axes }) };
      held = {
        ...{ epoch: page.epoch, budget, confidence, generation: deps.learners.generation, position: '' },
        ...{ published: undefined, publishedFits: undefined },
      };
    }
    this.hold(deps.learners, ns, held);
    let events = 0;
    let learned: Learned | undefined;
    while (start !== undefined || page.events.length > 0) {
      learned = await deps.learners.fold(ns, start, page.events);
      start = undefined;
      events += page.events.length;
      held.position = page.events.at(-1)?.id ?? held.position;
      if (page.events.length < pageSize) break;
      const next = await deps.risk.read(ns, held.position, pageSize);
      if (next.epoch !== held.epoch) throw new Error('Labels were removed meanwhile.');
      page = next;
    }
    if (learned === undefined) return nothing;
    return { events, published: (await publish(deps, ns, held, page.version, learned)) ? 1 : 0 };
  }

  private hold(learners: Learners, ns: string, held: Held): void {
    this.held.delete(ns);
    this.held.set(ns, held);
    if (this.held.size > heldNamespaces) this.forget(learners, this.held.keys().next().value as string);
  }

  private forget(learners: Learners, ns: string): void {
    this.held.delete(ns);
    learners.drop(ns);
  }
}

const policyOf = ({ budget, confidence }: LearnPage) => ({
  ...(budget === undefined ? {} : { budget }),
  ...(confidence === undefined ? {} : { confidence }),
});

/** Whether what is held still goes with the labels and the policy in force. */
function continues(held: Held, page: LearnPage, { generation }: Learners): boolean {
  const { budget, confidence } = { ...defaults, ...policyOf(page) };
  return (
    held.epoch === page.epoch &&
    held.generation === generation &&
    held.budget === budget &&
    held.confidence === confidence
  );
}

async function publish(
  deps: LearnDependencies,
  ns: string,
  held: Held,
  version: number,
  learned: Learned,
): Promise<boolean> {
  if ((held.published?.version ?? 0) !== version) {
    held.published = await deps.risk.snapshot(ns, 0);
    held.publishedFits = undefined;
  }
  const inForce = held.published ?? unlearned;
  if (held.publishedFits === undefined) {
    const { model } = await deps.learners.serialised(ns);
    if (model === inForce.model) held.publishedFits = learned.fits;
  }
  const fitted = held.publishedFits !== learned.fits;
  if (!fitted && !differs(inForce, learned)) return false;
  const { position, labels, threshold, bound, breakerOpen, coldStartClosed, model, axes } = fitted
    ? await deps.learners.serialised(ns)
    : learned;
  const snapshot: NewSnapshot = {
    ...{ position, labels, breakerOpen, coldStartClosed },
    ...(threshold === undefined ? {} : { threshold }),
    ...(bound === undefined ? {} : { bound }),
    ...(model === undefined ? {} : { model }),
    ...(axes === undefined ? {} : { axes }),
  };
  const published = await deps.risk.publish(ns, inForce.version, held.epoch, snapshot);
  // Another worker was faster: what it published is looked at the next time.
  if (published === undefined) return false;
  const { position: _position, axes: _axes, ...visible } = snapshot;
  const known = inForce.model === undefined ? {} : { model: inForce.model };
  held.published = { ...known, ...visible, version: published };
  held.publishedFits = learned.fits;
  deps.log.write(fitted ? 'info' : 'debug', 'learned', {
    ns,
    version: published,
    labels,
    threshold,
    bound,
    breakerOpen,
    coldStartClosed,
  });
  return true;
}

/** Whether gateways would decide otherwise, or label at another rate. */
function differs(inForce: RiskSnapshot, { threshold, breakerOpen, coldStartClosed, labels }: Learned): boolean {
  return (
    inForce.threshold !== threshold ||
    inForce.breakerOpen !== breakerOpen ||
    inForce.coldStartClosed !== coldStartClosed ||
    labels < inForce.labels ||
    labels - inForce.labels >= publishEvery
  );
}
