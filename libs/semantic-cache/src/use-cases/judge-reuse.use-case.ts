import type { Clock, Telemetry } from '@reprise/kernel';
import type { JudgeCircuit } from '../judge/judge-circuit.js';
import { equivalenceJudge } from '../judge/equivalence.judge.js';
import type { Judge } from '../judge/judge.types.js';
import type { JudgeJob } from '../ports/job-producer.port.js';
import type { RiskStore } from '../ports/risk-store.port.js';

export interface JudgeDependencies {
  readonly risk: Pick<RiskStore, 'observe' | 'missing' | 'spend'>;
  /** The judge that can say of every reuse whether it is right; undefined: there is none. */
  readonly judge: Judge | undefined;
  readonly circuit: JudgeCircuit;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export interface JudgeLimits {
  /** What judging may cost in any case, in billionths of a US dollar. */
  readonly allowanceNanoUsd: number;
  /** Share of the saved money that judging may cost beside the allowance, 0..1. */
  readonly spendShare: number;
  /** Reuses that were decided on longer ago are not judged any more. */
  readonly maxAgeMs: number;
}

/** One try to judge a reuse. */
export interface JudgeTry {
  readonly job: JudgeJob;
  /** When the reuse was decided on, wall time. */
  readonly decidedMs: number;
  /** No further try follows. */
  readonly last: boolean;
}

/** `again`: the judge rests; nothing was looked at. */
export type JudgeOutcome =
  { readonly outcome: 'accepted' | 'rejected' | 'missing' } | { readonly outcome: 'again'; readonly atMs: number };

/**
 * Has a reuse judged, free of charge where the answers are equal, and keeps the verdict. Whether there will be a verdict
 * is decided before anything of the texts is looked at: what goes missing goes missing whatever the verdict would be.
 * Rejects when the judge fails; after the last try the reuse is counted as missing.
 */
export async function judgeReuse(deps: JudgeDependencies, limits: JudgeLimits, given: JudgeTry): Promise<JudgeOutcome> {
  const { job, decidedMs, last } = given;
  const nowMs = deps.clock.nowMs();
  if (deps.judge === undefined) return judgeAlone(deps, job);
  if (nowMs - decidedMs > limits.maxAgeMs) return missing(deps, job);
  const atMs = deps.circuit.restsUntil(nowMs);
  // One that will be too old then is looked at no later than that: it is counted as missing.
  if (atMs !== undefined) return { outcome: 'again', atMs: Math.min(atMs, decidedMs + limits.maxAgeMs + 1) };
  const { spentNanoUsd, savedNanoUsd } = await deps.risk.spend(job.ns, 0);
  if (spentNanoUsd >= limits.allowanceNanoUsd + limits.spendShare * savedNanoUsd) return missing(deps, job);
  const equal = await equivalenceJudge.judge(job, () => undefined);
  if (equal !== undefined) return keep(deps, job, equal, equivalenceJudge.name);
  return ask(deps, deps.judge, job, last);
}

async function ask(deps: JudgeDependencies, judge: Judge, job: JudgeJob, last: boolean): Promise<JudgeOutcome> {
  let cost = 0;
  let verdict: 0 | 1 | undefined;
  try {
    verdict = await judge.judge(job, (nanoUsd) => (cost += nanoUsd));
    deps.circuit.answered();
  } catch (error) {
    deps.circuit.failed(deps.clock.nowMs());
    if (last) await missing(deps, job);
    throw error;
  } finally {
    if (cost > 0) await deps.risk.spend(job.ns, cost);
  }
  return verdict === undefined ? missing(deps, job) : keep(deps, job, verdict, judge.name);
}

/** Equality alone accepts and never rejects: such labels are counted, but nothing is learned from them. */
async function judgeAlone(deps: JudgeDependencies, job: JudgeJob): Promise<JudgeOutcome> {
  const equal = await equivalenceJudge.judge(job, () => undefined);
  return equal === undefined ? missing(deps, job) : keep(deps, job, equal, equivalenceJudge.name, false);
}

async function keep(
  deps: JudgeDependencies,
  { ns, label }: JudgeJob,
  rejected: 0 | 1,
  judge: string,
  learn = true,
): Promise<JudgeOutcome> {
  const outcome = rejected === 1 ? 'rejected' : 'accepted';
  // Rules with fixed thresholds are measured, and learn nothing.
  const kept = learn && label.rule !== 'comparison';
  if (await deps.risk.observe(ns, { ...label, rejected, judge }, kept))
    deps.telemetry.count('reprise_judgements_total', { judge, outcome });
  return { outcome };
}

async function missing(deps: JudgeDependencies, { ns, label }: JudgeJob): Promise<JudgeOutcome> {
  if (await deps.risk.missing(ns, label.requestId))
    deps.telemetry.count('reprise_judgements_total', { judge: 'none', outcome: 'missing' });
  return { outcome: 'missing' };
}
