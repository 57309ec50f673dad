import { PolicyStore, type Tier, unpackRecord } from '@reprise/policy';
import type { RedisStore } from '@reprise/redis-store';
import { newEntry } from '@reprise/testing/contracts';
import type { Redis } from 'ioredis';
import { expect } from 'vitest';
import { policyOf, type Step, type Trace } from './policy-trace.js';

const tierKeys: Readonly<Record<Tier, string>> = { planned: 't:m', protected: 't:p', recency: 't:r' };

/** Plays one trace on the specification and on the Redis functions, and compares every reply and every number. */
export class PolicyTwins {
  private readonly spec: PolicyStore;
  /** Content → id of the latest entry with it. */
  private readonly ids = new Map<number, string>();
  private calls = 0;
  /** Largest sizes that were seen: of recency when an entry was evicted, of the protected tier above its slots. */
  private readonly seen = { sampledFrom: 0, aboveSlots: 0 };
  private last: (() => Promise<void>) | undefined;

  private constructor(
    private readonly store: RedisStore,
    private readonly client: Redis,
    private readonly ns: string,
    private readonly trace: Trace,
  ) {
    this.spec = new PolicyStore(policyOf(trace.policy, trace.gate, trace.capacity, trace.candidates).config);
  }

  static async play(store: RedisStore, client: Redis, ns: string, trace: Trace): Promise<PolicyTwins['seen']> {
    const twins = new PolicyTwins(store, client, ns, trace);
    await store.admin.setPolicy(ns, policyOf(trace.policy, trace.gate, trace.capacity, trace.candidates).json);
    for (const [i, step] of trace.steps.entries()) {
      await twins.step(step);
      if (i % 5 === 4) await twins.compareTiers();
    }
    await twins.compareTiers();
    await twins.compareNumbers();
    expect(await store.admin.check(ns, Date.now())).toEqual([]);
    return twins.seen;
  }

  private async step(step: Step): Promise<void> {
    if (step.kind === 'repeat') {
      await this.last?.();
      return;
    }
    this.calls += 1;
    const requestId = `r${this.calls}`;
    const act = (): Promise<void> => this.act(step, requestId);
    await act();
    this.last = step.kind === 'feedback' || step.kind === 'label' ? act : undefined;
  }

  private act(step: Exclude<Step, { kind: 'repeat' }>, requestId: string): Promise<void> {
    switch (step.kind) {
      case 'offer':
        return this.offer(step, requestId);
      case 'feedback':
        return this.feedback(step, requestId);
      case 'label':
        return this.label(step, requestId);
      case 'install':
        return this.install(step);
      case 'switch':
        return this.switchPolicy(step);
      case 'remove':
        return this.remove(step);
    }
  }

  private idOf(content: number): string {
    return this.ids.get(content) ?? `none-${content}`;
  }

  private async offer(step: Step & { kind: 'offer' }, requestId: string): Promise<void> {
    const { content, importance, source, size, novelty, explicit, seed } = step;
    const live = this.idOf(content);
    const id = `e${content}-${this.calls}`;
    const duplicateOf = this.spec.has(live) ? { duplicateOf: live } : {};
    const recency = this.spec.idsOf('recency').length;
    const representative = `content-${content % (this.trace.representatives ?? 20)}`;
    const expected = this.spec.admit({
      ...{ requestId, id, representative, importance, source, size, novelty, explicit, seed },
      ...duplicateOf,
    });
    const { stratum: _stratum, vector: _vector, ...plain } = newEntry(content);
    const reply = await this.store.entries.admit(this.ns, {
      ...{ ...plain, createdMs: Date.now(), loss: 'counted' as const },
      ...{ requestId, id, representative, importance, source, size, novelty, explicit, seed },
    });
    const outcome = expected.reason === 'duplicate' ? 'refreshed' : expected.admitted ? 'stored' : 'rejected';
    expect({ outcome: reply.outcome, evicted: reply.evicted }).toEqual({ outcome, evicted: expected.evicted });
    if (reply.evicted.length > 0) this.seen.sampledFrom = Math.max(this.seen.sampledFrom, recency);
    if (outcome !== 'refreshed') expect(reply.reason).toBe(expected.reason);
    if (outcome === 'stored') this.ids.set(content, id);
  }

  private async feedback(step: Step & { kind: 'feedback' }, requestId: string): Promise<void> {
    const call = {
      requestId,
      used: step.contents.map((content) => this.idOf(content)),
      delta: step.delta,
      importance: step.importance,
      source: step.source,
    };
    expect(await this.store.policies.feedback(this.ns, call)).toEqual(this.spec.feedback(call));
  }

  private async label(step: Step & { kind: 'label' }, requestId: string): Promise<void> {
    const call = {
      requestId,
      id: this.idOf(step.content),
      verdict: step.correct ? ('correct' as const) : ('incorrect' as const),
      ...(step.importance === undefined ? {} : { importance: step.importance }),
      source: step.source,
    };
    expect(await this.store.policies.label(this.ns, call)).toEqual(this.spec.label(call));
  }

  private async install(step: Step & { kind: 'install' }): Promise<void> {
    const { capacity = this.spec.policy.capacity, maxTrim, seed } = step;
    const protectedSlots = Math.min(capacity - 1, Math.max(1, Math.floor(0.2 * capacity)));
    const slots = Math.min(capacity - 1 - protectedSlots, Math.floor(0.5 * capacity));
    const call = {
      expectedVersion: this.spec.version + (step.stale ? 1 : 0),
      version: this.spec.version + 2,
      planned: step.contents.map((content) => this.idOf(content)).slice(0, slots),
      ...(step.capacity === undefined ? {} : { capacity: step.capacity }),
      maxTrim,
      seed,
    };
    expect(await this.store.policies.install(this.ns, call)).toEqual(this.spec.install(call));
    const above = this.spec.idsOf('protected').length - Math.max(1, Math.floor(0.2 * this.spec.policy.capacity));
    this.seen.aboveSlots = Math.max(this.seen.aboveSlots, above);
  }

  private async switchPolicy(step: Step & { kind: 'switch' }): Promise<void> {
    // A smaller capacity is `install`'s business; the adapter would trim by itself here.
    if (this.spec.size > this.spec.policy.capacity) return;
    const { config, json } = policyOf(step.policy, step.gate, this.spec.policy.capacity, this.trace.candidates);
    this.spec.switchPolicy(config);
    await this.store.admin.setPolicy(this.ns, json);
  }

  private async remove(step: Step & { kind: 'remove' }): Promise<void> {
    const id = this.idOf(step.content);
    const reply = await this.store.admin.purge(this.ns, { entryId: id }, false, Date.now());
    expect(reply.removed).toBe(this.spec.remove(id) ? 1 : 0);
  }

  private async compareTiers(): Promise<void> {
    const found = await Promise.all(
      Object.values(tierKeys).map((key) => this.client.zrange(`rp:{${this.ns}}:${key}`, 0, '-1', 'WITHSCORES')),
    );
    const expected = (Object.keys(tierKeys) as Tier[]).map((tier) =>
      this.spec.idsOf(tier).flatMap((id) => [id, this.spec.entry(id)?.key]),
    );
    expect(found.map((list) => list.map((value, i) => (i % 2 === 0 ? value : Number(value))))).toEqual(expected);
  }

  private async compareNumbers(): Promise<void> {
    const posts = await this.client.hgetallBuffer(`rp:{${this.ns}}:post`);
    const records = Object.fromEntries(Object.entries(posts).map(([id, packed]) => [id, unpackRecord(packed)]));
    expect(records).toEqual(Object.fromEntries([...this.spec.ids()].map((id) => [id, this.spec.entry(id)?.record])));
    const stats = await this.store.admin.stats(this.ns);
    const { moment, gateState, counters } = this.spec;
    expect(stats).toMatchObject({ ...moment, c: gateState.c, tau: gateState.tau, planned_version: this.spec.version });
    for (const [name, value] of Object.entries({
      admitted: counters.admitted,
      gated: counters.gated,
      evicted: counters.evicted,
      refreshed: counters.refreshed,
      promoted: counters.promoted,
      demoted: counters.demoted,
      labels_correct: counters.labelsCorrect,
      labels_incorrect: counters.labelsIncorrect,
      labels_late: counters.labelsLate,
    })) {
      expect([name, stats[name] ?? 0]).toEqual([name, value]);
    }
  }
}
