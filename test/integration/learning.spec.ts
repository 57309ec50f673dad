import { createRng } from '@reprise/kernel';
import { FEATURE_VERSION, FEATURES } from '@reprise/policy';
import type { JudgeJob, LabelRecord } from '@reprise/semantic-cache';
import { answerFor, generateConversations } from '@reprise/upstream';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/process.js';
import { openPlain, ownPrefix, removeKeys, sharedRedisUrl } from './support/queue-redis.js';
import { startWorker } from './support/worker-runtime.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end();
});

let url = '';
beforeAll(() => {
  url = sharedRedisUrl();
});

/** A worker on queues and a namespace of its own. */
async function world(name: string, settings: Record<string, string> = {}) {
  const prefix = ownPrefix(name);
  const ns = `learn-${prefix}`;
  const plain = await openPlain(url);
  cleanups.push(() => plain.quit());
  cleanups.push(() => removeKeys(plain, `{${prefix}}*`));
  cleanups.push(() => removeKeys(plain, `rp:{${ns}}*`));
  cleanups.push(() => plain.srem('rp:namespaces', ns));
  const worker = await startWorker(url, {
    REPRISE_QUEUES__PREFIX: prefix,
    REPRISE_QUEUES__LEARN_EVERY_MS: '200',
    REPRISE_JUDGE__PER_MINUTE: '100000',
    ...settings,
  });
  cleanups.push(() => worker.close());
  const { risk, admin, jobs, conversations } = worker.runtime;
  await admin.remember(ns, JSON.stringify({ errorBudget: 0.05, confidence: 0.95 }));
  const stat = async (counter: string) => (await admin.stats(ns))[counter] ?? 0;
  return { ns, worker, risk, admin, jobs, conversations, stat };
}

const labelled = (n: number, change: Partial<LabelRecord> = {}): LabelRecord => {
  const rng = createRng(n + 1);
  const row = Float64Array.from({ length: FEATURES }, (_, i) => (i === 0 ? rng.next() : 0));
  return {
    ...{ requestId: `r${n}`, conversation: `c${n}`, entryId: 'e', turn: 0, rule: 'budget', served: false },
    rejected: rng.next() < ((row[0] ?? 0) < 0.5 ? 0 : 0.8) ? 1 : 0,
    ...{ judge: 'reference', rate: 1, snapshot: 0, featureVersion: FEATURE_VERSION, row },
    texts: Float32Array.from({ length: 3 * 16 }, (_, i) => (i % 16 === n % 3 ? 1 : 0)),
    ...change,
  };
};

describe('a worker', () => {
  it('has reuses judged by the demo, each once, and keeps what the truth says', async () => {
    const { ns, jobs, stat, risk } = await world('judging');
    const reuses: (JudgeJob & { right: boolean })[] = [];
    for (const { id, turns } of generateConversations({ count: 8, seed: 3 })) {
      const [first, second] = turns;
      if (first === undefined || second === undefined) continue;
      const answerTo = (user: string) => answerFor([{ role: 'user', content: user }]);
      for (const candidate of [answerTo(first.user), answerTo(second.user)]) {
        const { rejected: _rejected, judge: _judge, ...label } = labelled(reuses.length, { conversation: id });
        const right = candidate.answerKey === answerTo(first.user).answerKey;
        reuses.push({ ns, label, history: [], message: first.user, candidate: candidate.text, right });
      }
    }
    const producing = async (total: number) => (await stat('judged_by_llm')) >= total;
    for (const { right: _right, ...reuse } of reuses) {
      jobs.judge(reuse);
      // A job may be lost while the producer's connection opens; the same one is judged once.
      jobs.judge(reuse);
    }
    await eventually(async () => {
      for (const { right: _right, ...reuse } of reuses) jobs.judge(reuse);
      return producing(reuses.length);
    });
    const { events } = await risk.read(ns, '', 1_000);
    const verdicts = new Map(
      events.flatMap((event) => (event.kind === 'label' ? [[event.label.requestId, event.label.rejected]] : [])),
    );
    expect(events).toHaveLength(reuses.length);
    for (const { label, right } of reuses) expect(verdicts.get(label.requestId)).toBe(right ? 0 : 1);
    expect(await stat('judge_nano_usd')).toBeGreaterThan(0);
  });

  it('learns from the stream, in a thread of its own, and opens the gate', async () => {
    const { ns, risk, worker } = await world('learning');
    for (let n = 0; n < 700; n++) await risk.observe(ns, labelled(n));
    // The last ones may wait for the next fifty, however the stream came in.
    await eventually(async () => ((await risk.snapshot(ns, 0))?.labels ?? 0) > 650, 100_000);
    const snapshot = await risk.snapshot(ns, 0);
    expect(snapshot?.model?.length).toBeGreaterThan(1_000);
    expect(snapshot?.threshold).toBeGreaterThan(0);
    expect(snapshot?.bound).toBeLessThanOrEqual(0.05);
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
  });

  it('without a judge learns nothing, and says of every reuse that its verdict is missing', async () => {
    const { ns, jobs, stat, risk } = await world('no-judge', { REPRISE_JUDGE__KIND: 'none' });
    const { rejected: _rejected, judge: _judge, ...label } = labelled(1);
    const reuse: JudgeJob = { ns, label, history: [], message: 'm', candidate: 'a', fresh: 'b' };
    await eventually(async () => {
      jobs.judge(reuse);
      return (await stat('judge_missing')) === 1;
    });
    expect((await risk.read(ns, '', 10)).events).toEqual([]);
  });
});
