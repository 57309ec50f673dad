import type { EntryRecord } from './entry-record.js';

/** How the Beta posterior of an entry starts, ages and is bounded. */
export interface PosteriorConfig {
  /** Prior of a new entry, both at least 1. */
  readonly priorAlpha: number;
  readonly priorBeta: number;
  /** Largest alpha + beta after evidence; Infinity = no bound. Old entries can then still be out-voted. */
  readonly cap: number;
  /** One aging tick every so many steps. */
  readonly agingEvery: number;
  /** What a tick adds to beta of every entry that the tick's own step did not use. */
  readonly agingAmount: number;
}

export type Posterior = Pick<EntryRecord, 'alpha' | 'beta' | 'tick'>;

/**
 * The posterior in force at aging tick `ticks`: aged lazily, then bounded.
 *
 * Aging is linear, so `beta + amount · (ticks − tick)` is what an eager loop over all entries would have added one tick at a time.
 */
export function posteriorAt(record: Posterior, ticks: number, config: PosteriorConfig): Posterior {
  const aged = record.beta + config.agingAmount * (ticks - record.tick);
  return bounded(record.alpha, aged, ticks, config);
}

/** Adds evidence; the aged and bounded posterior is written back with `tick` = `ticks`. */
export function addEvidence(
  record: Posterior,
  alpha: number,
  beta: number,
  ticks: number,
  config: PosteriorConfig,
): void {
  const aged = record.beta + config.agingAmount * (ticks - record.tick);
  const settled = bounded(record.alpha + alpha, aged + beta, ticks, config);
  record.alpha = settled.alpha;
  record.beta = settled.beta;
  record.tick = settled.tick;
}

function bounded(alpha: number, beta: number, tick: number, config: PosteriorConfig): Posterior {
  const sum = alpha + beta;
  if (sum <= config.cap) return { alpha, beta, tick };
  return {
    alpha: Math.max(config.priorAlpha, (alpha * config.cap) / sum),
    beta: Math.max(config.priorBeta, (beta * config.cap) / sum),
    tick,
  };
}
