import type { createTelemetry } from '@reprise/observability';
import { createQueueAdmin, fromJudgePayload, type JudgePayload } from '@reprise/queues';
import type { JudgeJob } from '@reprise/semantic-cache';
import { describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/process.js';
import { queueSpace } from './support/queue-space.js';

const { own, space, producer, queueOf, url } = queueSpace();

describe('reuses that are to be judged', () => {
  const reuse = (ns: string, request: number, message = 'a question'): JudgeJob => ({
    ns,
    label: {
      requestId: `r${request}`,
      conversation: 'c',
      entryId: 'e',
      rule: 'budget',
      served: true,
      rate: 1,
      score: 1 / 3,
      snapshot: 1,
      featureVersion: 1,
      row: Float64Array.of(0.1, 0.2),
    },
    history: [],
    message,
    candidate: 'an answer',
  });
  const judged = (metrics: { total: ReturnType<typeof createTelemetry>['total'] }, outcome: string): number =>
    metrics.total('reprise_jobs_total', { queue: 'judge', job: 'judge-reuse', outcome });

  it('become a job each, once, with every number as it was', async () => {
    const { prefix } = await space('judge');
    const { jobs, metrics } = producer({ prefix });
    await eventually(() => {
      jobs.judge(reuse('ns', 1));
      return judged(metrics, 'produced') >= 2;
    });
    await jobs.close();
    const waiting = await queueOf('judge', prefix).getWaiting();
    expect(waiting.map(({ name, data }) => [name, fromJudgePayload(data as JudgePayload)])).toEqual([
      ['judge-reuse', reuse('ns', 1)],
    ]);
  });

  it('are lost, counted, when the queue is full', async () => {
    const { prefix } = await space('judge-full');
    const { jobs, metrics } = producer({ prefix, judgeWaiting: 3 });
    let next = 0;
    await eventually(() => {
      jobs.judge(reuse('ns', next++));
      return judged(metrics, 'not-produced') > 0 && judged(metrics, 'produced') >= 3;
    });
    await jobs.close();
    expect(judged(metrics, 'produced') + judged(metrics, 'not-produced')).toBe(next);
    expect(await queueOf('judge', prefix).getWaitingCount()).toBe(judged(metrics, 'produced'));
  });

  it('are lost, counted, when their texts are too long', async () => {
    const { prefix } = await space('judge-long');
    const { jobs, metrics } = producer({ prefix });
    await eventually(() => {
      jobs.judge(reuse('ns', 1));
      return judged(metrics, 'produced') > 0;
    });
    const lost = judged(metrics, 'not-produced');
    jobs.judge(reuse('ns', 2, 'long '.repeat(30_000)));
    expect(judged(metrics, 'not-produced')).toBe(lost + 1);
  });

  it('are forgotten with their namespace, also those that failed', async () => {
    const { prefix } = await space('judge-forget');
    const queue = queueOf('judge', prefix);
    for (let i = 0; i < 130; i++) await queue.add('judge-reuse', { ns: i % 2 === 0 ? 'a' : 'b' });
    await queue.add('judge-reuse', { ns: 'a' }, { delay: 60_000 });
    const admin = own(createQueueAdmin({ url, prefix }), (open) => open.close());
    expect(await admin.forget('a', 'x')).toEqual({ ok: true, value: 66 });
    const left = await queue.getJobs(['waiting', 'delayed']);
    expect(left.map(({ data }) => (data as { ns: string }).ns)).toEqual(Array(65).fill('b'));
  });
});
