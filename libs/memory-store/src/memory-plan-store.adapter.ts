import { type NearPair, slots } from '@reprise/policy';
import type { PlanHead, PlanPage, PlanStore } from '@reprise/semantic-cache';
import { checkNamespaceName } from './check-namespace-name.js';
import type { MemoryState, NamespaceState } from './namespace-state.js';
import { nearest } from './nearest.js';

/** What planning reads, in one process: a page is everything. */
export class MemoryPlanStore implements PlanStore {
  constructor(private readonly state: MemoryState) {}

  async head(ns: string): Promise<PlanHead> {
    const space = this.open(ns);
    const { policies } = space;
    return Promise.resolve({
      version: policies.version,
      slots: slots(policies.policy, policies.policy.capacity).planned,
      entries: policies.size,
      admitted: policies.counters.admitted,
      steps: policies.moment.step,
      note: space.planNote,
    });
  }

  async page(ns: string, _cursor: string, _limit: number, nowMs: number): Promise<PlanPage> {
    const { policies, entries } = this.open(ns);
    const guarded = new Set(policies.idsOf('protected'));
    const live = [...entries.values()].filter(
      ({ stratum, semanticUntilMs, dossier }) => stratum !== '' && semanticUntilMs > nowMs && dossier.length > 0,
    );
    return Promise.resolve({
      cursor: undefined,
      entries: live.flatMap(({ id, dossier, costMicroUsd, promptTokens, completionTokens }) => {
        const record = policies.entry(id)?.record;
        if (record === undefined) return [];
        const cost = costMicroUsd > 0 ? costMicroUsd : promptTokens + completionTokens;
        return [{ id, seq: record.insertedSeq, uses: record.uses, isProtected: guarded.has(id), cost, dossier }];
      }),
    });
  }

  async near(ns: string, ids: readonly string[], count: number): Promise<readonly NearPair[]> {
    const { entries, strata } = this.open(ns);
    const pairs = ids.flatMap((id) => {
      const stratum = strata.get(entries.get(id)?.stratum ?? '');
      const vector = stratum?.get(id);
      if (vector === undefined) return [];
      return nearest(stratum, vector)
        .slice(0, count)
        .map(({ id: other, similarity }) => ({ id, other, similarity }));
    });
    return Promise.resolve(pairs);
  }

  async note(ns: string, note: string): Promise<void> {
    this.open(ns).planNote = note;
    return Promise.resolve();
  }

  private open(ns: string): NamespaceState {
    checkNamespaceName(ns);
    return this.state.namespace(ns);
  }
}
