import { decideStrictSimilarity, guardOptionsOf, guardRuleId, tightenMode } from '@reprise/policy';
import type { ModeCapabilities, NamespacePolicy } from '@reprise/policy';
import type { CacheRequest, CheckOutcome, DecisionNotes, MissContext } from '../cache-request.js';
import { Deadline, DeadlineExceeded, LatencyBudget } from '../deadline.js';
import { degradedReason } from '../degraded.js';
import type { Candidate } from '../ports/entry-store.port.js';
import type { EmbedOutcome } from '../ports/embedder.port.js';
import { bypassReason } from '../request/classify.js';
import { type ChatState, stratumOf } from '../request/chat-state.js';
import { RequestReading } from '../request/request-reading.js';
import { compileMasks, type RequestScope, scopeOf } from '../request/scope.js';
import { firstTurnVector } from '../request/state-vector.js';
import type { CacheDependencies } from '../dependencies.js';
import { writeDecision } from './decision-record.js';

/** Decision inputs of the semantic tier, kept for `explain`. */
interface SemanticTrace {
  candidates: readonly Candidate[];
  fingerprint?: string;
}

type SemanticOutcome =
  | { readonly serve: true; readonly candidate: Candidate; readonly reason: string; readonly vector: Float32Array }
  | { readonly serve: false; readonly reason: string; readonly candidate?: Candidate; readonly vector?: Float32Array };

/**
 * Decides one request: exact tier, then the semantic tier, within the added-latency budget (architecture.md §3.1).
 * Never throws: a store or an embedder that fails or is late ends in `bypass` or in a miss with a reason.
 */
export async function check(deps: CacheDependencies, cache: CacheRequest): Promise<CheckOutcome> {
  const refusal = bypassReason(cache.request, deps.limits);
  if (refusal !== undefined) return bypass(refusal);
  if (cache.cacheControl.noStore) return bypass('no-store');
  const deadline = new Deadline(deps.clock, deps.limits.addedLatencyMs);
  try {
    return await new Check(deps, cache, deadline).run();
  } catch (error) {
    return bypass(degradedReason(deps, error));
  }
}

const bypass = (reason: string, ignored: readonly string[] = []): CheckOutcome => ({
  kind: 'bypass',
  notes: { reason, ignored },
});

class Check {
  private readonly ignored: string[] = [];
  private readonly reading: RequestReading;
  private readonly state: ChatState;
  /** Begun before the exact tier has answered. */
  private embedding: Promise<EmbedOutcome> | undefined;

  constructor(
    private readonly deps: CacheDependencies,
    private readonly cache: CacheRequest,
    private readonly deadline: Deadline,
  ) {
    this.reading = new RequestReading(cache.request, deps.limits.semanticMaxChars);
    this.state = this.reading.state;
  }

  async run(): Promise<CheckOutcome> {
    const { deps, cache, state } = this;
    const scope = this.scope();
    for (const kind of this.reading.volatile) deps.telemetry.count('reprise_volatile_spans_total', { kind });
    const asked = Promise.all([this.exact(scope.exactKey), this.join()]);
    this.embedAhead();
    const [exact, conversation] = await this.deadline.within(asked);
    deps.policies.learn(cache.ns, exact);
    const policy = this.policy();
    const capabilities = this.capabilities(policy);
    if (exact.outcome === 'paused') return bypass('paused', this.ignored);
    if (!capabilities.read && !capabilities.write && !capabilities.decide) return bypass('mode-off', this.ignored);
    const base: MissContext = {
      cache,
      policy,
      scope,
      state,
      conversation,
      purges: exact.purges,
      budget: new LatencyBudget(deps.clock, deps.limits.addedLatencyMs),
      write: capabilities.write,
      share: capabilities.read && !cache.cacheControl.noCache,
    };
    const reading = (capabilities.read || capabilities.decide) && !cache.cacheControl.noCache;
    if (!reading)
      return this.miss(this.withStratum(base), { reason: cache.cacheControl.noCache ? 'no-cache' : 'mode-no-read' });
    if (this.reading.exactOnly === undefined && state.firstTurn) deps.ahead?.learn(cache.ns, exact.outcome === 'hit');
    if (exact.outcome === 'hit') {
      if (capabilities.read) return this.hit('hit-exact', exact.entry, base, { reason: 'equal-request' });
      return this.miss(this.withStratum(base), { reason: 'shadow', shadow: 'hit-exact', entryId: exact.entry.id });
    }
    // First of all, so that what follows is done while another thread embeds.
    if (this.skipReason(policy) === undefined) void this.embed();
    return this.semantic(this.withStratum(base), capabilities);
  }

  /** Begins to embed where the exact tier is not likely to answer. */
  private embedAhead(): void {
    const { deps, cache } = this;
    if (deps.ahead?.isLikelyUsed(cache.ns) !== true || cache.cacheControl.noCache) return;
    const policy = this.policy();
    const { read, decide } = tightenMode(policy.mode, cache.askedMode).capabilities;
    if ((read || decide) && this.skipReason(policy) === undefined) void this.embed();
  }

  /** The message's embedding, begun at the first call. */
  private embed(): Promise<EmbedOutcome> {
    if (this.embedding === undefined) {
      this.embedding = this.deps.embedder.embed(this.state.message);
      // Who waits for it sees its failure, but perhaps nobody does.
      this.embedding.catch(() => undefined);
    }
    return this.embedding;
  }

  /** The conversation that this request goes on; a first turn opens one under its own request id. */
  private join(): Promise<string> | string {
    const { deps, cache, state } = this;
    if (cache.conversation !== undefined) return cache.conversation;
    if (state.firstTurn) return cache.requestId;
    const { conversationIdleMs } = this.policy();
    return deps.conversations
      .join(cache.ns, state.head, cache.requestId, deps.clock.nowMs(), conversationIdleMs)
      .catch(() => {
        // A store that takes no writes can still answer.
        deps.telemetry.count('reprise_degraded_total', { mode: 'conversation-unavailable' });
        return cache.requestId;
      });
  }

  private scope(): RequestScope {
    const { volatileMasks, personal } = this.policy();
    const owner = personal === 'user' && this.reading.personal ? this.cache.user : '';
    return scopeOf(this.cache.request, compileMasks(volatileMasks), owner);
  }

  private async exact(exactKey: string) {
    const { deps, cache } = this;
    const policyVersion = deps.policies.version(cache.ns);
    const policy = this.policy();
    const capabilities = tightenMode(policy.mode, cache.askedMode).capabilities;
    if (cache.cacheControl.noCache || !(capabilities.read || capabilities.decide)) {
      const reply = await deps.store.policy(cache.ns, policyVersion);
      return { ...reply, outcome: reply.paused ? ('paused' as const) : ('miss' as const) };
    }
    return deps.store.exact(cache.ns, {
      exactKey,
      nowMs: deps.clock.nowMs(),
      maxAgeMs: this.maxAgeMs(policy),
      requestId: cache.requestId,
      policyVersion,
    });
  }

  private policy(): NamespacePolicy {
    return this.deps.policies.resolve(this.cache.ns, this.cache.tenant, this.cache.request.model);
  }

  private capabilities(policy: NamespacePolicy): ModeCapabilities {
    const { capabilities, ignored } = tightenMode(policy.mode, this.cache.askedMode);
    if (ignored) this.ignored.push('x-reprise-mode');
    if (this.cache.maxRisk !== undefined && this.cache.maxRisk > policy.errorBudget)
      this.ignored.push('x-reprise-max-risk');
    const asked = this.cache.cacheControl.maxAgeMs;
    if (asked !== undefined && asked > policy.maxAgeMs) this.ignored.push('max-age');
    return capabilities;
  }

  private maxAgeMs(policy: NamespacePolicy): number {
    const nowMost = this.reading.timeDependent ? policy.timeDependentMaxAgeMs : Infinity;
    return Math.min(policy.maxAgeMs, nowMost, this.cache.cacheControl.maxAgeMs ?? Infinity);
  }

  /** Adds what the semantic tier needs to store the answer, when the request is one it can look at. */
  private withStratum(base: MissContext): MissContext {
    const { deps } = this;
    const reason = this.reading.exactOnly;
    if (reason === 'too-long') deps.telemetry.count('reprise_semantic_skipped_total', { reason });
    if (reason !== undefined || !deps.embedder.healthy()) return base;
    const stratum = stratumOf(base.scope.compat, deps.embedder.identity, deps.layout);
    return { ...base, semantic: { stratum, fingerprint: this.reading.encodedFingerprint } };
  }

  private async semantic(context: MissContext, capabilities: ModeCapabilities): Promise<CheckOutcome> {
    const trace: SemanticTrace = { candidates: [] };
    const outcome = await this.lookUp(context, trace);
    const notes = {
      reason: outcome.reason,
      ...(outcome.candidate === undefined
        ? {}
        : { entryId: outcome.candidate.id, similarity: outcome.candidate.similarity }),
    };
    const known = outcome.vector === undefined ? context : { ...context, vector: outcome.vector };
    const refuse = (said: Omit<DecisionNotes, 'ignored'>): CheckOutcome => {
      writeDecision(this.deps, context, said.entryId ?? '', this.recordOf(context, said, false, trace));
      return this.miss(known, said);
    };
    if (!outcome.serve) return refuse(notes);
    if (!capabilities.read) return refuse({ ...notes, reason: 'shadow', shadow: 'hit-semantic' });
    const served = await this.deadline.within(
      this.deps.store.serve(this.cache.ns, {
        entryId: outcome.candidate.id,
        nowMs: this.deps.clock.nowMs(),
        maxAgeMs: this.maxAgeMs(context.policy),
        requestId: this.cache.requestId,
        policyVersion: this.deps.policies.version(this.cache.ns),
      }),
    );
    if (served.outcome !== 'served') return refuse({ ...notes, reason: served.outcome });
    // Written with what follows the answer, so that it costs the answer no round trip.
    const decision = { entryId: served.entry.id, record: this.recordOf(context, notes, true, trace) };
    return this.hit('hit-semantic', served.entry, { ...known, decision }, notes);
  }

  /** Embeds, looks up and decides; every way of not serving has its word. */
  private async lookUp(context: MissContext, trace: SemanticTrace): Promise<SemanticOutcome> {
    const { deps, cache, state } = this;
    const skip = this.skipReason(context.policy);
    if (skip !== undefined) return { serve: false, reason: skip };
    const semantic = context.semantic;
    if (semantic === undefined) return { serve: false, reason: 'exact-only' };
    const embedded: EmbedOutcome = await this.deadline.within(this.embed()).catch((error: unknown) => {
      if (error instanceof DeadlineExceeded) return { ok: false, reason: 'timeout' } as const;
      throw error;
    });
    if (!embedded.ok) return this.embedFailed(embedded.reason);
    const vector = firstTurnVector(embedded.vector);
    const reply = await this.deadline.within(
      deps.store.lookup(cache.ns, {
        stratum: semantic.stratum,
        vector,
        count: context.policy.candidates,
        nowMs: deps.clock.nowMs(),
        maxAgeMs: this.maxAgeMs(context.policy),
        policyVersion: deps.policies.version(cache.ns),
        requestId: cache.requestId,
      }),
    );
    deps.policies.learn(cache.ns, reply);
    if (reply.outcome === 'paused') return { serve: false, reason: 'paused', vector };
    trace.candidates = reply.candidates;
    trace.fingerprint = semantic.fingerprint;
    const policy = this.policy();
    const decision = decideStrictSimilarity(
      this.reading.fingerprint,
      state.firstTurn,
      reply.candidates,
      guardOptionsOf(policy),
    );
    return { ...decision, vector };
  }

  private skipReason(policy: NamespacePolicy): string | undefined {
    const { deps, cache, state } = this;
    if (this.reading.exactOnly !== undefined) return this.reading.exactOnly;
    if (!state.firstTurn) return 'follow-up';
    const temperature = cache.request['temperature'];
    if (typeof temperature === 'number' && temperature > policy.semanticMaxTemperature) return 'temperature';
    if (policy.coldStart === 'none') return 'semantic-off';
    if (cache.maxRisk !== undefined && cache.maxRisk < policy.errorBudget) return 'max-risk';
    return deps.embedder.healthy() ? undefined : 'embedder-unavailable';
  }

  private embedFailed(reason: string): SemanticOutcome {
    const word = reason === 'too-long' || reason === 'empty' ? reason : `embedder-${reason}`;
    if (reason === 'too-long') this.deps.telemetry.count('reprise_semantic_skipped_total', { reason });
    else if (reason !== 'empty') this.deps.telemetry.count('reprise_degraded_total', { mode: `embedder-${reason}` });
    return { serve: false, reason: word };
  }

  private hit(
    kind: 'hit-exact' | 'hit-semantic',
    entry: Extract<CheckOutcome, { kind: 'hit-exact' | 'hit-semantic' }>['entry'],
    context: MissContext,
    notes: Omit<DecisionNotes, 'ignored'>,
  ): CheckOutcome {
    const full = { ...notes, entryId: entry.id };
    return { kind, entry, context, notes: { ...full, ignored: this.ignored } };
  }

  private miss(context: MissContext, notes: Omit<DecisionNotes, 'ignored'>): CheckOutcome {
    const budget = new LatencyBudget(this.deps.clock, this.deadline.remainingMs());
    return { kind: 'miss', context: { ...context, budget }, notes: { ...notes, ignored: this.ignored } };
  }

  /** Every input of the decision, for `explain` (JSON). */
  private recordOf(
    context: MissContext,
    notes: Omit<DecisionNotes, 'ignored'>,
    serve: boolean,
    trace: SemanticTrace,
  ): string {
    const { deps, cache } = this;
    const record = {
      at: deps.clock.nowMs(),
      ...notes,
      serve,
      model: cache.request.model,
      firstTurn: this.state.firstTurn,
      stratum: context.semantic?.stratum ?? null,
      policyVersion: deps.policies.version(cache.ns),
      volatile: this.reading.volatile,
      guardRule: guardRuleId(guardOptionsOf(context.policy)),
      fingerprint: trace.fingerprint ?? null,
      candidates: trace.candidates
        .slice(0, 4)
        .map(({ id, similarity, firstTurn, createdMs }) => ({ id, similarity, firstTurn, createdMs })),
    };
    return JSON.stringify(record);
  }
}
