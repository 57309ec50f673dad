import type { NearPair } from '@reprise/policy';
import type { PlanHead, PlanPage, PlanStore } from '@reprise/semantic-cache';
import { planHeadScript } from '../generated/plan-head.gen.js';
import { planNearScript } from '../generated/plan-near.gen.js';
import { planNoteScript } from '../generated/plan-note.gen.js';
import { planPageScript } from '../generated/plan-page.gen.js';
import type { ScriptRunner } from '../scripts/script-runner.js';

/** What planning reads, on Redis. */
export class RedisPlanStore implements PlanStore {
  constructor(
    private readonly runner: ScriptRunner,
    private readonly timeoutMs: number,
  ) {}

  async head(ns: string): Promise<PlanHead> {
    const reply = await this.runner.run(planHeadScript, ns, {}, { timeoutMs: this.timeoutMs });
    const { version, slots, entries, admitted, steps, note } = reply;
    return { version, slots, entries, admitted, steps, note };
  }

  async page(ns: string, cursor: string, limit: number, nowMs: number): Promise<PlanPage> {
    const { timeoutMs } = this;
    // Bytes come on this lane only.
    const reply = await this.runner.run(planPageScript, ns, { cursor, limit, nowMs }, { timeoutMs, lane: 'vector' });
    const entries = (reply.entries ?? []).map(({ id, seq, uses, protected: isProtected, cost, tokens, dossier }) => ({
      ...{ id, seq, uses, isProtected, dossier },
      // Where no price is known, tokens are what an answer costs.
      cost: cost > 0 ? cost : tokens,
    }));
    return { cursor: reply.status === 'ok' ? undefined : reply.cursor, entries };
  }

  async near(ns: string, ids: readonly string[], count: number): Promise<readonly NearPair[]> {
    const { timeoutMs } = this;
    const reply = await this.runner.run(planNearScript, ns, { count, ids }, { timeoutMs, lane: 'vector' });
    return reply.pairs ?? [];
  }

  async note(ns: string, note: string): Promise<void> {
    await this.runner.run(planNoteScript, ns, { note }, { timeoutMs: this.timeoutMs });
  }
}
