import { silentTelemetry } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import type { MissContext } from '../cache-request.js';
import type { CacheDependencies } from '../dependencies.js';
import type { JudgeJob } from '../ports/job-producer.port.js';
import { judgeReuse } from './judge-reuse.use-case.js';
import { label } from './label.use-case.js';
import { JudgeCircuit } from '../judge/judge-circuit.js';
import type { LabelRecord } from '../ports/risk-store.port.js';

const nowMs = 1_000;
const clock = { nowMs: () => nowMs };

/** A request that a comparison rule decided; `coin` below the rate is judged. */
async function jobsOf(serve: boolean, served: boolean, coin = 0): Promise<JudgeJob[]> {
  const jobs: JudgeJob[] = [];
  const stored = { id: 'e1', dossier: new Uint8Array(0), answer: '{"message":{"role":"assistant","content":"Old."}}' };
  const deps = {
    judged: true,
    telemetry: silentTelemetry,
    store: { dossiers: () => Promise.resolve([stored]) },
    jobs: { judge: (job: JudgeJob) => jobs.push(job) },
  } as unknown as CacheDependencies;
  const context = {
    cache: { ns: 'n', requestId: 'r', user: '', request: { model: 'm', messages: [{ role: 'user', content: 'Hi?' }] } },
    conversation: 'c',
    policy: { decision: 'single-turn', labelRate: { inside: 0.5, outside: 0 } },
    decision: {
      ...{ serve, reason: serve ? 'similar' : 'below-threshold', rule: 'comparison' },
      ...{ candidate: { id: 'e1' }, compared: {} },
    },
    draw: { coin, possible: true },
  } as unknown as MissContext;
  await label(deps, context, { text: 'New.', served });
  return jobs;
}

describe('labels of comparison rules', () => {
  it('are asked for what was served, at the rate of the policy', async () => {
    const [job] = await jobsOf(true, true);
    expect(job).toMatchObject({
      candidate: 'New.',
      label: { rule: 'comparison', served: true, rate: 0.5, entryId: 'e1' },
    });
    expect(job?.fresh).toBeUndefined();
    expect(await jobsOf(true, true, 0.5)).toEqual([]);
  });

  it('are asked for what shadow mode would have served, against the fresh answer', async () => {
    const [job] = await jobsOf(true, false);
    expect(job).toMatchObject({ candidate: 'Old.', fresh: 'New.', label: { served: false } });
  });

  it('are not asked for what was refused', async () => {
    expect(await jobsOf(false, false)).toEqual([]);
  });

  it('are counted and never learned from', async () => {
    const [job] = await jobsOf(true, false);
    const kept: [LabelRecord, boolean | undefined][] = [];
    const deps = {
      risk: {
        observe: (_ns: string, one: LabelRecord, keep?: boolean) => Promise.resolve(kept.push([one, keep]) > 0),
        missing: () => Promise.resolve(true),
        spend: () => Promise.resolve({ spentNanoUsd: 0, savedNanoUsd: 0 }),
      },
      judge: { name: 'reference', judge: () => Promise.resolve(1 as const) },
      ...{ circuit: new JudgeCircuit(), clock, telemetry: silentTelemetry },
    };
    const limits = { allowanceNanoUsd: 1, spendShare: 0, maxAgeMs: 1_000 };
    const outcome = await judgeReuse(deps, limits, { job: job as JudgeJob, decidedMs: nowMs, last: true });
    expect(outcome).toEqual({ outcome: 'rejected' });
    expect(kept.map(([one, keep]) => [one.rule, one.rejected, keep])).toEqual([['comparison', 1, false]]);
  });
});

describe('a reuse whose judge rests', () => {
  it.each([
    ['waits until the judge may be asked again', 3_600_000, 6_000],
    ['waits no longer than until it is too old to be judged', 2_000, 3_001],
  ])('%s', async (_, maxAgeMs, atMs) => {
    const [job] = await jobsOf(true, false);
    const circuit = new JudgeCircuit();
    for (let i = 0; i < 5; i++) circuit.failed(nowMs);
    const never = (): Promise<never> => Promise.reject(new Error('asked'));
    const deps = {
      risk: { observe: never, missing: never, spend: never },
      judge: { name: 'reference', judge: never },
      ...{ circuit, clock, telemetry: silentTelemetry },
    };
    const limits = { allowanceNanoUsd: 1, spendShare: 0, maxAgeMs };
    const outcome = await judgeReuse(deps, limits, { job: job as JudgeJob, decidedMs: nowMs, last: true });
    expect(outcome).toEqual({ outcome: 'again', atMs });
  });
});
