import { tightenMode } from '@reprise/policy';
import type { ModeCapabilities, NamespacePolicy } from '@reprise/policy';
import type { CacheRequest, CheckOutcome, DecisionNotes, MissContext } from '../cache-request.js';
import { Deadline, LatencyBudget } from '../deadline.js';
import { degradedReason } from '../degraded.js';
import type { ServeReply } from '../ports/entry-store.port.js';
import type { JoinedConversation } from '../ports/conversation-store.port.js';
import { bypassReason } from '../request/classify.js';
import { type ChatState, stratumOf } from '../request/chat-state.js';
import { RequestReading } from '../request/request-reading.js';
import { compileMasks, type RequestScope, scopeOf } from '../request/scope.js';
import type { CacheDependencies } from '../dependencies.js';
import { drawLabel } from '../risk/label-draw.js';
import { layoutOf } from '../risk/mode-state.js';
import { recordOf, writeDecision } from './decision-record.js';
import { endConversation } from './store.use-case.js';
import type { SemanticDecision } from './semantic-decision.js';
import { SemanticTier } from './semantic-tier.js';

/** The conversation of a request; no snapshot: it begins now. */
type Conversation = Pick<JoinedConversation, 'id'> & Partial<JoinedConversation>;

/**
 * Decides one request: exact tier, then the semantic tier, within the added-latency budget (architecture.md §3.1).
 * Never throws: a store or an embedder that fails or is late ends in `bypass` or in a miss with a reason.
 */
export async function check(deps: CacheDependencies, cache: CacheRequest): Promise<CheckOutcome> {
  const refusal = bypassReason(cache.request, deps.limits);
  const reason = refusal ?? (cache.cacheControl.noStore ? 'no-store' : undefined);
  if (reason !== undefined) {
    endNamed(deps, cache);
    return bypass(reason);
  }
  const deadline = new Deadline(deps.clock, deps.limits.addedLatencyMs);
  try {
    return await new Check(deps, cache, deadline).run();
  } catch (error) {
    return bypass(degradedReason(deps, error));
  }
}

/** A caller may end a conversation that it names also with a request that the cache has no part in. */
function endNamed(
  deps: CacheDependencies,
  { ns, tenant, request, conversation, endsConversation }: CacheRequest,
): void {
  if (endsConversation !== true || conversation === undefined) return;
  const { conversationIdleMs } = deps.policies.resolve(ns, tenant, request.model);
  void endConversation(deps, ns, conversation, conversationIdleMs);
}

const bypass = (reason: string, ignored: readonly string[] = []): CheckOutcome => ({
  kind: 'bypass',
  notes: { reason, ignored },
});

class Check {
  private readonly ignored: string[] = [];
  private readonly reading: RequestReading;
  private readonly state: ChatState;
  /** The message's embedding was begun. */
  private begun = false;

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
    this.embedAhead();
    for (const kind of this.reading.volatile) deps.telemetry.count('reprise_volatile_spans_total', { kind });
    const asked = Promise.all([this.askExact(), this.join()]);
    const [{ scope, exact }, conversation] = await this.deadline.within(asked);
    deps.snapshots.learn(cache.ns, exact.snapshotVersion);
    const policy = this.policy();
    const capabilities = this.capabilities(policy);
    const off = !capabilities.read && !capabilities.write && !capabilities.decide;
    if (exact.outcome === 'paused' || off) {
      endNamed(deps, cache);
      return bypass(exact.outcome === 'paused' ? 'paused' : 'mode-off', this.ignored);
    }
    const snapshot = deps.snapshots.of(cache.ns, conversation.snapshot);
    const base: MissContext = {
      cache,
      policy,
      scope,
      state,
      conversation: conversation.id,
      ...(snapshot === undefined ? {} : { snapshot }),
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
    if (this.embedsMessage(policy)) this.embed();
    return this.semantic(this.withStratum(base), capabilities);
  }

  /** Begins to embed where the exact tier is not likely to answer. */
  private embedAhead(): void {
    const { deps, cache } = this;
    if (deps.ahead?.isLikelyUsed(cache.ns) !== true || cache.cacheControl.noCache) return;
    const policy = this.policy();
    const { read, decide } = tightenMode(policy.mode, cache.askedMode).capabilities;
    if ((read || decide) && this.embedsMessage(policy)) this.embed();
  }

  /** Begins to embed the message; whoever embeds it while that is under way, or later, gets this vector. */
  private embed(): void {
    if (this.begun) return;
    this.begun = true;
    this.deps.embedder.embed(this.state.message).catch(() => undefined);
  }

  /** Whether the semantic tier is going to want the vector of this first message. */
  private embedsMessage(policy: NamespacePolicy): boolean {
    const { deps, cache, state } = this;
    if (this.reading.exactOnly !== undefined || !state.firstTurn) return false;
    const temperature = cache.request['temperature'];
    if (typeof temperature === 'number' && temperature > policy.semanticMaxTemperature) return false;
    if (policy.decision === 'exact') return false;
    if (policy.decision === 'strict-similarity' && policy.coldStart === 'none') return false;
    if (cache.maxRisk !== undefined && cache.maxRisk < policy.errorBudget) return false;
    return deps.embedder.healthy();
  }

  /** The conversation that this request goes on; a first turn opens one under its own request id. */
  private async join(): Promise<Conversation> {
    const { deps, cache, state } = this;
    const named = cache.conversation;
    if (state.firstTurn) return { id: named ?? cache.requestId };
    const { conversationIdleMs } = this.policy();
    try {
      if (named === undefined)
        return await deps.conversations.join(
          cache.ns,
          state.head,
          cache.requestId,
          deps.clock.nowMs(),
          conversationIdleMs,
        );
      const snapshot = await deps.conversations.pinned(cache.ns, named);
      return snapshot === undefined ? { id: named } : { id: named, snapshot };
    } catch {
      // A store that takes no writes can still answer.
      deps.telemetry.count('reprise_degraded_total', { mode: 'conversation-unavailable' });
      return { id: named ?? cache.requestId };
    }
  }

  private scope(): RequestScope {
    const { volatileMasks, personal } = this.policy();
    const owner = personal === 'user' && this.reading.personal ? this.cache.user : '';
    return scopeOf(this.cache.request, compileMasks(volatileMasks), owner, this.cache.route);
  }

  /** The exact tier; asked once more, by the key and the age of the policy that its reply brought, when that is a newer one. */
  private async askExact() {
    const { deps, cache } = this;
    const scope = this.scope();
    const exact = await this.exact(scope.exactKey);
    deps.policies.learn(cache.ns, exact);
    if (exact.policy === undefined) return { scope, exact };
    const fresh = this.scope();
    return { scope: fresh, exact: await this.exact(fresh.exactKey) };
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
    if (reason !== undefined || base.policy.decision === 'exact' || !deps.embedder.healthy()) return base;
    const stratum = stratumOf(base.scope.compat, deps.embedder.identity, layoutOf(base.policy, deps.layout));
    return { ...base, semantic: { stratum, fingerprint: this.reading.encodedFingerprint } };
  }

  private async semantic(base: MissContext, capabilities: ModeCapabilities): Promise<CheckOutcome> {
    const { deps, cache, reading } = this;
    const draw = drawLabel(deps.labelSecret, cache.requestId, base.policy);
    const tier = new SemanticTier(deps, { ...base, draw }, reading, this.deadline, this.maxAgeMs(base.policy));
    const decision = await tier.decide();
    const context: MissContext = {
      ...base,
      draw,
      decision: kept(decision),
      ...(decision.vector === undefined ? {} : { vector: decision.vector }),
    };
    const notes = notesOf(decision);
    const refuse = (said: Omit<DecisionNotes, 'ignored'>): CheckOutcome => {
      writeDecision(deps, context, said.entryId ?? '', recordOf(deps, context, reading, decision, said, false));
      return this.miss(context, said);
    };
    const { candidate } = decision;
    if (!decision.serve || candidate === undefined) return refuse(notes);
    if (!capabilities.read) return refuse({ ...notes, reason: 'shadow', shadow: 'hit-semantic' });
    const record = recordOf(deps, context, reading, decision, notes, true);
    const served = await this.serve(context, decision, candidate.id, record);
    if (served.outcome !== 'served') return refuse({ ...notes, reason: served.outcome });
    return this.hit('hit-semantic', served.entry, { ...context, reused: true }, notes);
  }

  private serve(
    context: MissContext,
    { rule, snapshot }: SemanticDecision,
    entryId: string,
    record: string,
  ): Promise<ServeReply> {
    const { deps, cache } = this;
    const decidedBy = { rule, snapshot: snapshot?.version ?? 0 };
    return this.deadline.within(
      deps.store.serve(cache.ns, {
        entryId,
        nowMs: deps.clock.nowMs(),
        maxAgeMs: this.maxAgeMs(context.policy),
        requestId: cache.requestId,
        policyVersion: deps.policies.version(cache.ns),
        ...(context.policy.decision === 'budget' ? { decidedBy } : {}),
        told: { record, conversation: context.conversation, user: cache.user },
      }),
    );
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
}

/** What is needed of a decision once its answer is there; a slow upstream holds many of them. */
function kept(decision: SemanticDecision): SemanticDecision {
  const { reading } = decision;
  if (reading === undefined) return { ...decision, candidates: [] };
  const { best } = reading;
  return { ...decision, candidates: [], reading: { ...reading, candidates: best === undefined ? [] : [best] } };
}

/** What headers say of a decision of the semantic tier. */
function notesOf({ reason, candidate, snapshot, reading }: SemanticDecision): Omit<DecisionNotes, 'ignored'> {
  const score = reading?.best?.score;
  return {
    reason,
    ...(candidate === undefined ? {} : { entryId: candidate.id, similarity: candidate.similarity }),
    ...(score === undefined ? {} : { risk: score }),
    ...(snapshot?.bound === undefined || reading === undefined ? {} : { riskBound: snapshot.bound }),
    ...(snapshot === undefined ? {} : { snapshot: snapshot.version }),
  };
}
