import type { Rng } from '@reprise/kernel';
import type { LiveEntry } from '../tiers/tier-set.js';
import { drawBeta, onScoreGrid } from './beta.js';
import { posteriorAt, type PosteriorConfig } from './posterior.js';

/** What a score may read besides the entry itself. */
export interface ScoreContext {
  readonly step: number;
  /** Aging ticks so far. */
  readonly ticks: number;
  /** Offers so far (calls of `admit` that were not repeats). */
  readonly offers: number;
  readonly posterior: PosteriorConfig;
  readonly bonus: BonusConfig;
  /** Mean distance to the nearest `neighbours` other entries, or undefined when the entry is alone. */
  readonly novelty: (entry: LiveEntry, neighbours: number) => number | undefined;
  /** Time constant of the decay blend, in steps. */
  readonly decaySteps: number;
}

/** The exploration bonus of the Thompson score. */
export type BonusConfig =
  | {
      /** weight / (1 + age / scale), age in steps since insertion (Algorithm 2 of the paper). */
      readonly kind: 'age';
      readonly weight: number;
      readonly scale: number;
    }
  | {
      /** weight · (mean distance to the three nearest other entries), as in the reference code. */
      readonly kind: 'novelty';
      readonly weight: number;
    };

/** Lowest score = next victim; equal scores: the entry inserted first. */
export type Score = (entry: LiveEntry, context: ScoreContext, rng: Rng) => number;

export const scores = {
  /** SOLAR, Algorithm 2: a draw from the posterior plus the bonus. */
  thompson: (entry, context, rng) => {
    const { alpha, beta } = posteriorAt(entry.record, context.ticks, context.posterior);
    return onScoreGrid(drawBeta(alpha, beta, rng) + bonus(entry, context));
  },
  /** SOLAR-A of the reference code: recency, frequency and diversity. */
  blend: ({ record, ...entry }, context) => {
    const recency = Math.exp(-Math.max(0, context.step - record.lastStep) / 100);
    const frequency = record.uses / Math.max(1, context.offers);
    const diversity = context.novelty({ record, ...entry }, 1) ?? 1;
    return onScoreGrid(0.4 * recency + 0.3 * frequency + 0.3 * diversity);
  },
  uses: ({ record }) => record.uses,
  importance: ({ record }) => record.importance,
  /** GreedyDual-Size: clock at the last touch + value / size. */
  greedyDual: ({ record }) => record.clock + record.importance / record.size,
  /** GreedyDual-Size with frequency; the insertion counts as the first use. */
  greedyDualFrequency: ({ record }) => record.clock + ((record.uses + 1) * record.importance) / record.size,
  /** Value with exponential decay; simulator only. */
  decay: ({ record }, context) =>
    record.importance * Math.exp(-Math.max(0, context.step - record.lastStep) / context.decaySteps),
} as const satisfies Record<string, Score>;

export type ScoreName = keyof typeof scores;

function bonus(entry: LiveEntry, context: ScoreContext): number {
  const config = context.bonus;
  if (config.kind === 'novelty') return config.weight * (context.novelty(entry, 3) ?? 0.5);
  const age = Math.max(0, context.step - entry.record.insertedStep);
  return config.weight / (1 + age / config.scale);
}
