import { createRng, type Rng } from '@reprise/kernel';
import { Doorkeeper } from '../admission/doorkeeper.js';
import { addLoss, newGate, passGate, type GateState } from '../admission/gate.js';
import type { ArcOffer } from '../eviction/arc-ghosts.js';
import type { EntryRecord } from '../eviction/entry-record.js';
import { Evictor } from '../eviction/evictor.js';
import { addEvidence } from '../eviction/posterior.js';
import { mostEvictions } from '../eviction/victims.js';
import * as calls from './policy-calls.js';
import { policyFragments, slots, type PolicyConfig } from './policy-config.js';
import { noCounters, type PolicyCounters } from './policy-counters.js';
import { ReplyMemory } from './reply-memory.js';
import { TierSet, type LiveEntry, type Tier } from './tier-set.js';
import { noMoves, observeClaim, ValueTier, type Claim, type Moves } from './value-tier.js';

/**
 * The specification of the store's decisions: which answer is admitted, to which tier, and who goes.
 *
 * The Redis functions `feedback`, `admit`, `label` and `install` make the same decisions and choose the same victims for equal
 * calls and seeds (docs/concepts/policies.md). Pure: no clock, no randomness but the seeds of the calls.
 * Sources: SOLAR (arXiv 2607.00394) and the two-tier article; algorithms.md §1, §3, §4.
 */
export class PolicyStore {
  readonly counters: PolicyCounters = noCounters();
  private readonly tiers = new TierSet();
  private readonly evictor = new Evictor(this.tiers);
  private readonly valueTier = new ValueTier(this.tiers, this.counters);
  private readonly replies: ReplyMemory;
  private doorkeeper: Doorkeeper;
  private gate: GateState;
  private capacityInForce: number;
  private versionInForce = 0;
  private step = 0;
  private ticks = 0;

  constructor(private config: PolicyConfig) {
    calls.checkCapacity(config.capacity);
    this.gate = newGate(config.gate);
    this.valueTier.slots = slots(config, config.capacity).protected;
    this.capacityInForce = config.capacity;
    this.doorkeeper = Doorkeeper.for(config);
    this.replies = new ReplyMemory(config.rememberedRequests);
  }

  get size(): number {
    return this.tiers.size;
  }

  /** The bound in force: the configured capacity, or the size while a smaller capacity is not yet reached. */
  get capacity(): number {
    return this.capacityInForce;
  }

  /** The bound of the protected tier in force: its slots, or its size while a cut is not yet done. */
  get protectedBound(): number {
    return this.valueTier.bound;
  }

  get policy(): PolicyConfig {
    return this.config;
  }

  /** Version of the planned tier in force. */
  get version(): number {
    return this.versionInForce;
  }

  get gateState(): Readonly<GateState> {
    return this.gate;
  }

  get moment(): { readonly step: number; readonly ticks: number; readonly offers: number } {
    return { step: this.step, ticks: this.ticks, offers: this.counters.offers };
  }

  has(id: string): boolean {
    return this.tiers.get(id) !== undefined;
  }

  /** A live entry, read-only: for tests, explanations and the twin of `rp_top`. */
  entry(id: string): Readonly<LiveEntry> | undefined {
    return this.tiers.get(id);
  }

  /** Live ids in the order of insertion. */
  ids(): Iterable<string> {
    return this.tiers.ids();
  }

  /** Ids of one tier in the order of its index. */
  idsOf(tier: Tier): readonly string[] {
    return this.tiers[tier].ids();
  }

  feedback(call: calls.FeedbackCall): calls.FeedbackReply {
    calls.checkFeedback(call);
    return this.replies.once(`feedback:${call.requestId}`, () => {
      const tick = this.nextStep();
      addLoss(this.gate, call.delta, this.config.gate);
      const moves = noMoves();
      for (const id of new Set(call.used)) {
        const entry = this.tiers.get(id);
        if (entry === undefined) continue;
        if (tick) entry.record.tick += 1;
        addEvidence(entry.record, 1, 0, this.ticks, this.config.posterior);
        this.use(entry, call, moves);
      }
      this.checkCapacity();
      return { step: this.step, c: this.gate.c, tau: this.gate.tau, ...moves };
    });
  }

  admit(call: calls.AdmitCall): calls.AdmitReply {
    calls.checkAdmit(call);
    return this.replies.once(`admit:${call.requestId}`, () => {
      this.counters.offers += 1;
      if (call.explicit === true) this.nextStep();
      const reply = this.decideOffer(call, seededRng(call.seed));
      if (reply.admitted) this.counters.admitted += 1;
      if (reply.reason === 'regret') this.counters.gated += 1;
      this.checkCapacity();
      return reply;
    });
  }

  label(call: calls.LabelCall): calls.LabelReply {
    calls.checkLabel(call);
    return this.replies.once(`label:${call.requestId}:${call.id}`, () => {
      const correct = call.verdict === 'correct';
      this.counters[correct ? 'labelsCorrect' : 'labelsIncorrect'] += 1;
      const moves = noMoves();
      const entry = this.tiers.get(call.id);
      if (entry === undefined) {
        this.counters.labelsLate += 1;
        return { applied: false, ...moves };
      }
      addEvidence(entry.record, correct ? 1 : 0, correct ? 0 : 1, this.ticks, this.config.posterior);
      if (correct && call.importance !== undefined) {
        observeClaim(entry.record, call, this.config.corroboration);
        this.tiers.reposition(entry, undefined);
        this.valueTier.promote(entry, moves);
      }
      this.checkCapacity();
      return { applied: true, ...moves };
    });
  }

  install(call: calls.InstallCall): calls.InstallReply {
    const target = call.capacity ?? this.config.capacity;
    calls.checkCapacity(target);
    calls.checkInstall(call, slots(this.config, target).planned);
    if (call.expectedVersion !== this.versionInForce) {
      return { ...calls.refusedInstall, version: this.versionInForce, remaining: this.excess };
    }
    this.versionInForce = call.version;
    this.resize(target);
    const moves = this.replacePlanned(call.planned);
    const evicted = this.trim(call.maxTrim, seededRng(call.seed), moves);
    this.checkCapacity();
    const dropped = call.planned.filter((id) => !this.has(id));
    return { installed: true, version: call.version, dropped, evicted, remaining: this.excess, ...moves };
  }

  /** Another policy for the same entries; none is lost, and a smaller capacity is reached by `install` with `maxTrim`. */
  switchPolicy(config: PolicyConfig): Moves {
    calls.checkCapacity(config.capacity);
    const sameGate = JSON.stringify(config.gate) === JSON.stringify(this.config.gate);
    if (!sameGate) this.gate = newGate(config.gate);
    const { capacity } = this.config;
    this.config = { ...config, capacity };
    this.resize(config.capacity);
    const moves = this.leavePlanned(this.tiers.planned.ids().slice(slots(config, config.capacity).planned));
    this.checkCapacity();
    return moves;
  }

  /**
   * Evicts at most `most` entries above the capacity, and demotes some of the protected tier above its slots; call again while
   * `excess` is not 0. The twin of the Redis function `trim`.
   */
  shrink(most: number, seed: number): readonly string[] {
    return this.trim(most, seededRng(seed), noMoves());
  }

  /** Entries above the capacity, and of the protected tier above its slots. */
  get excess(): number {
    return Math.max(0, this.size - this.config.capacity) + this.valueTier.excess();
  }

  /** Removes an entry for a reason outside the policy (expiry, purge, quarantine); false when it is not live. */
  remove(id: string): boolean {
    const entry = this.tiers.get(id);
    if (entry === undefined) return false;
    this.tiers.remove(entry);
    this.resize(this.config.capacity);
    return true;
  }

  /** Counts a step; true when it is an aging tick. */
  private nextStep(): boolean {
    this.step += 1;
    const tick = this.step % this.config.posterior.agingEvery === 0;
    if (tick) this.ticks += 1;
    return tick;
  }

  private get fragment() {
    return policyFragments[this.config.name];
  }

  private decideOffer(call: calls.AdmitCall, rng: Rng): calls.AdmitReply {
    const { duplicates } = this.config;
    const live = this.tiers.get(call.duplicateOf ?? call.id) ?? this.tiers.get(call.id);
    if (live !== undefined && duplicates !== 'gate-then-ignore') return this.duplicate(live, call);
    const record = this.newRecord(call);
    if (live === undefined && this.valueTier.qualifies(record.importance)) {
      const evicted = this.makeRoom(rng, undefined);
      return this.insert(call, record, 'protected', {
        reason: 'protected',
        evicted,
        demoted: this.valueTier.freeSlot(),
      });
    }
    const reason = this.fragment.gated && call.explicit !== true && call.replaces !== true ? this.passGate() : 'open';
    if (live !== undefined) return this.duplicate(live, call);
    if (reason === 'below-threshold') return this.reply({ admitted: false, reason });
    this.gate.c = 0;
    const representative = call.representative ?? call.id;
    const offer = this.evictor.offer(this.config, this.fragment, representative, this.capacityInForce);
    if (offer !== undefined && offer.hit !== 'none') record.uses = 1;
    return this.insert(call, record, 'recency', { reason, evicted: this.makeRoom(rng, offer) });
  }

  private passGate(): calls.AdmitReason {
    return passGate(this.gate, this.size, this.capacityInForce, this.config.gate);
  }

  private duplicate(entry: LiveEntry, claim: Claim): calls.AdmitReply {
    const moves = noMoves();
    if (this.config.duplicates === 'refresh') {
      this.counters.refreshed += 1;
      this.use(entry, claim, moves);
    }
    return this.reply({ admitted: false, reason: 'duplicate', refreshed: entry.id, demoted: moves.demoted });
  }

  private insert(
    call: calls.AdmitCall,
    record: EntryRecord,
    tier: 'protected' | 'recency',
    part: Pick<calls.AdmitReply, 'reason'> & Partial<calls.AdmitReply>,
  ): calls.AdmitReply {
    record.insertedSeq = this.tiers.nextSeq();
    this.tiers.insert(call.id, call.representative ?? call.id, record, tier);
    return this.reply({ admitted: true, tier, ...part });
  }

  private reply(part: Pick<calls.AdmitReply, 'admitted' | 'reason'> & Partial<calls.AdmitReply>): calls.AdmitReply {
    return { evicted: [], demoted: [], c: this.gate.c, tau: this.gate.tau, ...part };
  }

  private newRecord(call: calls.AdmitCall): EntryRecord {
    const { importance = 0, source = 0, size = 1, novelty = 1 } = call;
    const { corroboration, posterior } = this.config;
    const known = corroboration > 1 && this.doorkeeper.sight(call.representative ?? call.id, source);
    const sightings = known ? 2 : 1;
    return {
      alpha: posterior.priorAlpha,
      beta: posterior.priorBeta,
      tick: this.ticks,
      insertedSeq: 0,
      insertedStep: this.step,
      lastStep: this.step,
      uses: 0,
      importance: sightings >= corroboration ? importance : 0,
      sightings,
      source,
      clock: this.evictor.clock,
      size,
      novelty: Math.fround(novelty),
    };
  }

  /** A use: frequency, recency, clock and importance, then the place in the tier. */
  private use(entry: LiveEntry, claim: Claim, moves: Moves): void {
    const { record } = entry;
    record.uses += 1;
    record.lastStep = this.step;
    record.clock = this.evictor.clock;
    observeClaim(record, claim, this.config.corroboration);
    const seq = this.tiers.nextSeq();
    this.tiers.reposition(entry, this.fragment.moves ? seq : undefined);
    this.valueTier.promote(entry, moves);
  }

  /** Makes `planned` the planned tier and cuts the protected one to its slots. */
  private replacePlanned(planned: readonly string[]): Moves {
    const chosen = new Set(planned);
    const leaving = this.tiers.planned.ids().filter((id) => !chosen.has(id));
    return this.leavePlanned(leaving, () => {
      planned.forEach((id, rank) => {
        const entry = this.tiers.get(id);
        if (entry !== undefined) this.tiers.move(entry, 'planned', rank);
      });
    });
  }

  /**
   * These ids leave the planned tier, and the protected one is cut to its slots.
   * What leaves becomes the most recent, in its old order, or protected if its importance qualifies; `between` fills the tier anew.
   */
  private leavePlanned(leaving: readonly string[], between?: () => void): Moves {
    const moves = noMoves();
    for (const id of leaving) this.tiers.moveToRecency(this.tiers.live(id));
    between?.();
    moves.demoted.push(...leaving, ...this.valueTier.shrink());
    for (const id of leaving) this.valueTier.promote(this.tiers.live(id), moves);
    return moves;
  }

  private resize(target: number): void {
    if (target !== this.config.capacity) {
      this.config = { ...this.config, capacity: target };
      this.doorkeeper = Doorkeeper.for(this.config);
    }
    this.valueTier.slots = slots(this.config, target).protected;
    this.capacityInForce = Math.max(target, this.size);
  }

  private trim(most: number, rng: Rng, moves: Moves): string[] {
    const evicted: string[] = [];
    const bound = Math.min(most, mostEvictions(this.config.candidates));
    moves.demoted.push(...this.valueTier.shrink());
    while (evicted.length < bound && this.size > this.config.capacity) evicted.push(this.evictOne(rng, undefined));
    this.resize(this.config.capacity);
    return evicted;
  }

  private makeRoom(rng: Rng, offer: ArcOffer | undefined): string[] {
    return this.size >= this.capacityInForce ? [this.evictOne(rng, offer)] : [];
  }

  private evictOne(rng: Rng, offer: ArcOffer | undefined): string {
    const { config, fragment, capacityInForce, moment } = this;
    // While the protected tier is still above its slots, recency may be empty.
    if (this.tiers.recency.size === 0 && this.tiers.protected.size > 0) this.valueTier.demoteSmallest();
    const victim = this.evictor.evict(config, fragment, capacityInForce, moment, rng, offer);
    this.counters.evicted += 1;
    return victim.id;
  }

  private checkCapacity(): void {
    const { planned, protected: kept, recency } = this.tiers;
    if (planned.size + kept.size + recency.size > this.capacityInForce) throw new Error('The capacity is exceeded.');
  }
}

/** The generator of one call, made only if the call draws. */
function seededRng(seed: number): Rng {
  let rng: Rng | undefined;
  return {
    next: () => {
      rng ??= createRng(seed);
      return rng.next();
    },
  };
}
