import type { Rng } from '@reprise/kernel';
import type { PolicyConfig, PolicyFragment } from '../tiers/policy-config.js';
import type { LiveEntry, TierSet } from '../tiers/tier-set.js';
import { ArcGhosts, type ArcOffer, type ArcSizes } from './arc-ghosts.js';
import { scores, type ScoreContext, type ScoreName } from './scores.js';
import { lowestScore, oldest, oldestProbation, oldestProven, sampleCandidates } from './victims.js';

/** The counters of the store that scores read. */
export interface EvictionMoment {
  readonly step: number;
  readonly ticks: number;
  readonly offers: number;
}

const noOffer: ArcOffer = { hit: 'none', withoutGhost: false };

/** Chooses and removes victims; victims come from the recency tier only. Keeps what policies remember about them. */
export class Evictor {
  /** GreedyDual clock: the largest H of any victim so far. */
  clock = 0;
  readonly arc = new ArcGhosts();

  constructor(private readonly tiers: TierSet) {}

  /** Tells ARC of an offer before room is made; undefined under every other policy. */
  offer(
    config: PolicyConfig,
    fragment: PolicyFragment,
    representative: string,
    capacity: number,
  ): ArcOffer | undefined {
    if (fragment.victim !== 'arc') return undefined;
    return this.arc.offer(representative, this.arcSizes(capacity), config.arcGhosts);
  }

  /** Removes one entry of the recency tier and returns it. Throws when there is none: tiers always leave recency a slot. */
  evict(
    config: PolicyConfig,
    fragment: PolicyFragment,
    capacity: number,
    moment: EvictionMoment,
    rng: Rng,
    offer: ArcOffer = noOffer,
  ): LiveEntry {
    const victim = this.choose(config, fragment, capacity, moment, rng, offer);
    this.tiers.remove(victim);
    return victim;
  }

  private choose(
    config: PolicyConfig,
    { victim }: PolicyFragment,
    capacity: number,
    moment: EvictionMoment,
    rng: Rng,
    offer: ArcOffer,
  ): LiveEntry {
    if (victim === 'oldest') return this.tiers.live(oldest(this.tiers.recency));
    if (victim === 'arc') return this.replace(config, offer, capacity);
    return this.lowest(victim, config, moment, rng);
  }

  private lowest(name: ScoreName, config: PolicyConfig, moment: EvictionMoment, rng: Rng): LiveEntry {
    const ids = sampleCandidates(this.tiers.recency, config.candidates, rng);
    const context = this.context(config, moment);
    const victim = lowestScore(ids, (id) => this.tiers.live(id), scores[name], context, rng, config.tieById);
    if (victim === undefined) throw new Error('The recency tier is empty.');
    if (name === 'greedyDual' || name === 'greedyDualFrequency') {
      this.clock = Math.max(this.clock, scores[name](victim));
    }
    return victim;
  }

  private context(config: PolicyConfig, moment: EvictionMoment): ScoreContext {
    const view = config.noveltyView;
    return {
      ...moment,
      posterior: config.posterior,
      bonus: config.bonus,
      decaySteps: config.decaySteps,
      novelty: view ? (entry, count) => view(entry, count, this.tiers.ids()) : (entry) => entry.record.novelty,
    };
  }

  private replace(config: PolicyConfig, offer: ArcOffer, capacity: number): LiveEntry {
    const sizes = this.arcSizes(capacity);
    const probation = this.arc.victimIsProbation(sizes, offer);
    const { recency } = this.tiers;
    const victim = this.tiers.live(probation ? oldestProbation(recency) : oldestProven(recency));
    if (!offer.withoutGhost) this.arc.remember(victim.representative, probation, sizes.room, config.arcGhosts);
    return victim;
  }

  private arcSizes(capacity: number): ArcSizes {
    const { planned, protected: kept, recency } = this.tiers;
    const proven = this.tiers.provenCount();
    return { probation: recency.size - proven, proven, room: Math.max(0, capacity - planned.size - kept.size) };
  }
}
