import { type ComparisonRule, decideBudget, decideStrictSimilarity, guardOptionsOf } from '@reprise/policy';
import type { MissContext } from '../cache-request.js';
import { type Deadline, DeadlineExceeded } from '../deadline.js';
import type { CacheDependencies } from '../dependencies.js';
import type { EmbedOutcome } from '../ports/embedder.port.js';
import type { LookupReply } from '../ports/entry-store.port.js';
import type { RequestReading } from '../request/request-reading.js';
import { firstTurnVector } from '../request/state-vector.js';
import { readMode } from '../risk/mode-reading.js';
import { readModeState, ruleOf } from '../risk/mode-state.js';
import { lookupCount, readRisk, usable } from '../risk/risk-reading.js';
import type { HeldSnapshot } from '../risk/risk-snapshots.js';
import { readState } from '../risk/state-reading.js';
import type { SemanticDecision } from './semantic-decision.js';

type Refusal = Pick<SemanticDecision, 'serve' | 'reason' | 'candidates'>;
const no = (reason: string): Refusal & { readonly serve: false } => ({ serve: false, reason, candidates: [] });

/** Decides whether an entry may answer a request that none equals (architecture.md §3.2). */
export class SemanticTier {
  constructor(
    private readonly deps: CacheDependencies,
    private readonly context: MissContext,
    private readonly reading: RequestReading,
    private readonly deadline: Deadline,
    /** The tightest age limit, ms. */
    private readonly maxAgeMs: number,
  ) {}

  async decide(): Promise<SemanticDecision> {
    const { deps, context } = this;
    const skip = this.skipReason();
    if (skip !== undefined) return { ...no(skip), rule: 'budget', skipped: true };
    const rule = ruleOf(context.policy);
    if (rule !== undefined) return this.comparison(rule);
    if (context.policy.decision === 'strict-similarity') return this.coldStart(undefined);
    const { ns } = context.cache;
    const inForce = deps.snapshots.inForce(ns);
    // A breaker that opens, and a rule that closes, do so at once: also for conversations that began before.
    if (inForce?.breakerOpen === true) return { ...no('breaker-open'), rule: 'budget', snapshot: inForce };
    const snapshot = usable(context.snapshot, deps.embedder.dimensions);
    if (snapshot?.threshold === undefined) return this.coldStart(inForce);
    return this.inTime(snapshot, () => this.budget(snapshot, snapshot.threshold as number));
  }

  /** What does not fit into the added latency is a miss. */
  private async inTime(
    snapshot: HeldSnapshot | undefined,
    work: () => Promise<SemanticDecision>,
  ): Promise<SemanticDecision> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DeadlineExceeded)) throw error;
      this.deps.telemetry.count('reprise_degraded_total', { mode: 'decision-late' });
      const base = { ...no('decision-late'), rule: 'budget' } as const;
      return snapshot === undefined ? base : { ...base, snapshot };
    }
  }

  /** The rule of another cache: fixed thresholds on its own index. */
  private comparison(rule: ComparisonRule): Promise<SemanticDecision> {
    return this.inTime(undefined, async () => {
      const { deps, context, reading } = this;
      const { cache, policy, state } = context;
      const base = { rule: 'comparison' } as const;
      // It promises no risk at all: a caller who asks for less than the budget gets nothing by it.
      if (cache.maxRisk !== undefined && cache.maxRisk < policy.errorBudget) return { ...no('max-risk'), ...base };
      const outcome = await this.deadline.within(readModeState(deps, cache.request, rule));
      if (!outcome.ok) return { ...no(this.embedFailed(outcome.reason)), ...base };
      const { vector } = outcome.state;
      const found = await this.lookUp(vector, policy.candidates);
      if (found.outcome === 'paused') return { ...no('paused'), ...base, vector };
      const question = {
        ns: cache.ns,
        rule,
        state: outcome.state,
        fingerprint: reading.fingerprint,
        named: reading.specifics,
        historyKey: state.historyKey,
        options: guardOptionsOf(policy),
      };
      const compared = await this.deadline.within(readMode(deps, question, found.candidates));
      const { serve, reason, candidate: at } = compared.decision;
      const candidate = found.candidates[at];
      const all = { ...base, serve, reason, compared, vector, candidates: found.candidates };
      return candidate === undefined ? all : { ...all, candidate };
    });
  }

  private async budget(snapshot: HeldSnapshot, threshold: number): Promise<SemanticDecision> {
    const { deps, context, reading } = this;
    const { cache, policy } = context;
    const base = { rule: 'budget', snapshot } as const;
    if (cache.maxRisk !== undefined && cache.maxRisk < (snapshot.bound ?? policy.errorBudget))
      return { ...no('max-risk'), ...base };
    const outcome = await this.deadline.within(readState(deps, cache.request));
    if (!outcome.ok) return { ...no(this.embedFailed(outcome.reason)), ...base };
    const { state } = outcome;
    const { vector } = state;
    const found = await this.lookUp(vector, lookupCount(state));
    if (found.outcome === 'paused') return { ...no('paused'), ...base, vector };
    const question = {
      ns: cache.ns,
      conversation: context.conversation,
      state,
      fingerprint: reading.fingerprint,
      named: reading.specifics,
      options: guardOptionsOf(policy),
      snapshot,
    };
    const risk = await this.deadline.within(readRisk(deps, question, found));
    const all = { ...base, vector, reading: risk, candidates: found.candidates };
    const { best } = risk;
    if (best?.score === undefined) return { ...all, serve: false, reason: risk.refusal ?? 'no-candidate' };
    const { serve } = decideBudget([best.score], threshold);
    // A better one that a guard refused is the reason when it would have been served.
    const refused = !serve && risk.refusal !== undefined && (risk.candidates[0]?.score ?? 1) <= threshold;
    const reason = serve ? 'within-budget' : refused ? (risk.refusal as string) : 'risk';
    return { ...all, serve, reason, candidate: best.candidate };
  }

  /** First turns under the whole guard rule, until the labels say otherwise. */
  private async coldStart(inForce: HeldSnapshot | undefined): Promise<SemanticDecision> {
    const { deps, context, reading } = this;
    const { cache, policy, state } = context;
    // A follow-up is a candidate for labels all the same: that is how its rule is learned.
    const base = { rule: 'budget', ...(inForce === undefined ? {} : { snapshot: inForce }) } as const;
    if (!state.firstTurn) return { ...no('follow-up'), ...base };
    if (policy.coldStart === 'none') return { ...no('semantic-off'), ...base };
    if (inForce?.coldStartClosed === true) return { ...no('cold-start-closed'), ...base };
    if (cache.maxRisk !== undefined && cache.maxRisk < policy.errorBudget) return { ...no('max-risk'), ...base };
    const embedded = await this.embed(state.message);
    if (!embedded.ok) return { ...no(this.embedFailed(embedded.reason)), ...base };
    const vector = firstTurnVector(embedded.vector);
    const found = await this.lookUp(vector, policy.candidates);
    if (found.outcome === 'paused') return { ...no('paused'), ...base, vector };
    const { candidates } = found;
    const { policies } = deps;
    const current = policies.resolve(cache.ns, cache.tenant, cache.request.model);
    const options = guardOptionsOf(current);
    const decision = decideStrictSimilarity(reading.fingerprint, true, candidates, options, reading.specifics);
    return { ...base, ...decision, rule: decision.serve ? 'cold-start' : 'budget', candidates, vector };
  }

  private embed(text: string): Promise<EmbedOutcome> {
    return this.deadline.within(this.deps.embedder.embed(text)).catch((error: unknown) => {
      if (error instanceof DeadlineExceeded) return { ok: false, reason: 'timeout' } as const;
      throw error;
    });
  }

  private async lookUp(vector: Float32Array, count: number): Promise<LookupReply> {
    const { deps, context } = this;
    const { ns, requestId } = context.cache;
    const reply = await this.deadline.within(
      deps.store.lookup(ns, {
        stratum: context.semantic?.stratum ?? '',
        vector,
        count,
        nowMs: deps.clock.nowMs(),
        maxAgeMs: this.maxAgeMs,
        policyVersion: deps.policies.version(ns),
        requestId,
      }),
    );
    deps.policies.learn(ns, reply);
    deps.snapshots.learn(ns, reply.snapshotVersion);
    return reply;
  }

  private skipReason(): string | undefined {
    const { deps, context, reading } = this;
    if (reading.exactOnly !== undefined) return reading.exactOnly;
    const { policy, cache, state } = context;
    if (policy.decision === 'exact') return 'decision-exact';
    if (policy.decision === 'strict-similarity' && !state.firstTurn) return 'follow-up';
    const temperature = cache.request['temperature'];
    if (typeof temperature === 'number' && temperature > policy.semanticMaxTemperature) return 'temperature';
    if (!deps.embedder.healthy()) return 'embedder-unavailable';
    return context.semantic === undefined ? 'exact-only' : undefined;
  }

  private embedFailed(reason: Extract<EmbedOutcome, { ok: false }>['reason']): string {
    const { telemetry } = this.deps;
    if (reason === 'too-long') telemetry.count('reprise_semantic_skipped_total', { reason });
    else if (reason !== 'empty') telemetry.count('reprise_degraded_total', { mode: `embedder-${reason}` });
    return reason === 'too-long' || reason === 'empty' ? reason : `embedder-${reason}`;
  }
}
