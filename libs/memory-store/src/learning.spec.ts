import { createRng, type Log, silentTelemetry } from '@reprise/kernel';
import { FEATURE_VERSION, FEATURES, fitLogistic, inverseProbability, labelCoin } from '@reprise/policy';
import {
  type Judge,
  JudgeCircuit,
  type JudgeJob,
  judgeReuse,
  type LabelRecord,
  LearnRuns,
  LocalLearners,
  NamespaceLearner,
} from '@reprise/semantic-cache';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from './memory-store.js';

const log: Log = { write: () => undefined };
const ns = 'ns';

function world() {
  const clock = { at: 1_000, nowMs: () => clock.at };
  const store = createMemoryStore(clock);
  const worker = () => {
    const learners = new LocalLearners((start) => new NamespaceLearner(start, fitLogistic));
    const runs = new LearnRuns();
    return () => runs.run({ risk: store.risk, admin: store.admin, learners, log });
  };
  return { store, clock, worker };
}

async function label(store: ReturnType<typeof createMemoryStore>, conversations: number, seed = 1): Promise<number> {
  const rng = createRng(seed);
  let labels = 0;
  for (let c = 0; c < conversations; c++) {
    const conversation = `c${seed}-${c}`;
    await store.conversations.join(ns, `head ${conversation}`, conversation, 0, 1e9);
    for (let turn = 0; turn < 4; turn++) {
      const row = Float64Array.from({ length: FEATURES }, (_, i) => (i < 36 ? rng.next() : 0));
      const made: LabelRecord = {
        ...{ requestId: `${conversation}-${turn}`, conversation, entryId: 'e', turn, rule: 'budget', served: false },
        rejected: rng.next() < ((row[0] ?? 0) < 0.5 ? 0 : 0.8) ? 1 : 0,
        ...{ judge: 'reference', rate: 1, snapshot: 0, featureVersion: FEATURE_VERSION, row },
        texts: Float32Array.from({ length: 36 }, () => rng.next() - 0.5),
      };
      await store.risk.observe(ns, made);
      labels += 1;
    }
    await store.conversations.close(ns, conversation);
  }
  return labels;
}

describe('workers that learn', () => {
  it('publish what they learned, and a second one that starts from nothing finds the identical snapshot', async () => {
    const { store, worker } = world();
    await store.admin.remember(ns);
    const [first, second] = [worker(), worker()];
    const labels = await label(store, 200);
    expect(await first()).toMatchObject({ events: labels + 200, published: 1, failed: [] });
    const published = await store.risk.snapshot(ns, 0);
    expect(published).toMatchObject({ version: 1, labels, breakerOpen: false });
    expect(published?.threshold).toBeGreaterThan(0);
    expect(await second()).toMatchObject({ events: labels + 200, published: 0 });
    expect(await store.risk.snapshot(ns, 1)).toBeUndefined();

    const more = await label(store, 100, 2);
    expect(await second()).toMatchObject({ events: more + 100, published: 1 });
    expect(await first()).toMatchObject({ events: more + 100, published: 0 });
    expect(await worker()()).toMatchObject({ published: 0 });
    expect(await store.risk.snapshot(ns, 1)).toMatchObject({ version: 2, labels: labels + more });
  });

  it('take over in mid-stream: no label is lost, and none is counted twice', async () => {
    const { store, worker } = world();
    await store.admin.remember(ns);
    let labels = 0;
    let current = worker();
    for (let step = 0; step < 12; step++) {
      labels += await label(store, 30, step + 1);
      await current();
      // The old one is gone, with all that it held.
      if (step % 3 === 2) current = worker();
    }
    await current();
    const whole = world();
    await whole.store.admin.remember(ns);
    for (let step = 0; step < 12; step++) await label(whole.store, 30, step + 1);
    await whole.worker()();
    const { version: _one, ...taken } = (await store.risk.snapshot(ns, 0)) ?? { version: 0 };
    const { version: _two, ...once } = (await whole.store.risk.snapshot(ns, 0)) ?? { version: 0 };
    expect(taken).toMatchObject({ labels });
    expect(taken).toEqual(once);
  });

  it('begin anew when labels were purged, and when the budget changes', async () => {
    const { store, worker } = world();
    await store.admin.remember(ns);
    const run = worker();
    const labels = await label(store, 200);
    await run();
    await store.admin.purge(ns, { conversation: 'c1-7' }, false, 0);
    expect(await store.risk.snapshot(ns, 1)).toMatchObject({ version: 2, labels: 0 });
    await run();
    expect(await store.risk.snapshot(ns, 2)).toMatchObject({ version: 3, labels: labels - 4 });
    const before = (await store.risk.snapshot(ns, 0))?.threshold ?? 0;
    await store.admin.setPolicy(ns, JSON.stringify({ errorBudget: 0.2 }));
    await run();
    expect((await store.risk.snapshot(ns, 3))?.threshold).toBeGreaterThan(before);
  });
});

const job = (n: number, change: Partial<JudgeJob> = {}): JudgeJob => ({
  ns,
  label: {
    ...{ requestId: `r${n}`, conversation: 'c', entryId: 'e', rule: 'budget', served: false, rate: 1, snapshot: 0 },
    ...{ featureVersion: FEATURE_VERSION, row: new Float64Array(FEATURES) },
  },
  ...{ history: [], message: 'm', candidate: 'one', fresh: 'two' },
  ...change,
});

function judging(judge: Judge | undefined, change: { allowance?: number } = {}) {
  const { store, clock } = world();
  const deps = { risk: store.risk, judge, circuit: new JudgeCircuit(), clock, telemetry: silentTelemetry };
  const limits = { allowanceNanoUsd: change.allowance ?? 1e9, spendShare: 0.1, maxAgeMs: 60_000 };
  const stat = async (name: string) => (await store.admin.stats(ns))[name] ?? 0;
  const kept = async () => (await store.risk.read(ns, '', 1_000)).events.length;
  const given = (made: JudgeJob, last = false) => judgeReuse(deps, limits, { job: made, decidedMs: 1_000, last });
  return { store, clock, stat, kept, given };
}

const saying = (rejected: 0 | 1, cost = 0): Judge => ({
  name: 'reference',
  judge: (_texts, spent) => {
    spent(cost);
    return Promise.resolve(rejected);
  },
});
const failing: Judge = { name: 'llm', judge: () => Promise.reject(new Error('down')) };

describe('judging a reuse', () => {
  it('keeps the verdict once', async () => {
    const { given, stat, kept } = judging(saying(1));
    expect(await given(job(1))).toEqual({ outcome: 'rejected' });
    expect(await given(job(1))).toEqual({ outcome: 'rejected' });
    expect(await stat('judged_budget_withheld_wrong')).toBe(1);
    expect(await kept()).toBe(1);
  });

  it('asks nobody where the answers are equal', async () => {
    const { given, stat } = judging(saying(1, 5));
    expect(await given(job(1, { fresh: ' one ' }))).toEqual({ outcome: 'accepted' });
    expect(await stat('judged_by_equivalence')).toBe(1);
    expect(await stat('judge_nano_usd')).toBe(0);
  });

  it('learns nothing from equality when there is no judge: it would only ever accept', async () => {
    const { given, stat, kept } = judging(undefined);
    expect(await given(job(1, { fresh: 'one' }))).toEqual({ outcome: 'accepted' });
    expect(await given(job(2))).toEqual({ outcome: 'missing' });
    expect(await stat('judged_by_equivalence')).toBe(1);
    expect(await kept()).toBe(0);
  });

  it('counts a reuse as missing after the last try, and leaves a judge that is down alone with equal answers too', async () => {
    const { given, stat, kept, clock } = judging(failing);
    await expect(given(job(0))).rejects.toThrow('down');
    expect(await stat('judge_missing')).toBe(0);
    for (let n = 0; n < 4; n++) await expect(given(job(n), true)).rejects.toThrow('down');
    expect(await stat('judge_missing')).toBe(4);
    expect(await given(job(9, { fresh: 'one' }))).toEqual({ outcome: 'again', atMs: 6_000 });
    clock.at = 6_000;
    expect(await given(job(9, { fresh: 'one' }))).toEqual({ outcome: 'accepted' });
    expect(await kept()).toBe(1);
    clock.at = 62_000;
    expect(await given(job(10, { fresh: 'one' }))).toEqual({ outcome: 'missing' });
  });

  it('stops when it has cost what it may, and goes on when the cache has saved money', async () => {
    const { given, stat, store } = judging(saying(0, 400), { allowance: 1_000 });
    for (let n = 0; n < 5; n++) await given(job(n));
    expect(await stat('judge_nano_usd')).toBe(1_200);
    expect(await stat('judge_missing')).toBe(2);
    // Also reuses that would cost nothing: what is left out must not depend on the verdict.
    expect(await given(job(8, { fresh: 'one' }))).toEqual({ outcome: 'missing' });
    await store.entries.admit(ns, {
      ...{
        id: 'e',
        requestId: 'a',
        exactKey: 'x',
        stratum: '',
        vector: new Float32Array(0),
        fingerprint: '',
        firstTurn: true,
      },
      ...{
        historyKey: '',
        conversation: 'c',
        answer: '{}',
        model: 'm',
        tags: [],
        user: '',
        createdMs: 0,
        exactTtlMs: 1e9,
      },
      ...{
        semanticTtlMs: 0,
        maxAgeMs: 1e9,
        promptTokens: 1,
        completionTokens: 1,
        costMicroUsd: 5,
        importance: 0,
        seed: 1,
      },
    });
    const asked = { exactKey: 'x', nowMs: 1, maxAgeMs: 1e9, requestId: 'q', policyVersion: 0 };
    expect((await store.entries.exact(ns, asked)).outcome).toBe('hit');
    expect(await given(job(9))).toEqual({ outcome: 'accepted' });
  });
});

describe('labels that are drawn', () => {
  const truth = Array.from({ length: 20_000 }, (_, n) => (createRng(n * 7 + 3).next() < 0.2 ? 1 : 0) as 0 | 1);
  // Invariant 20 (algorithms.md §4.7).
  it.each([
    ['one in ten', () => 0.1],
    ['three in ten', () => 0.3],
    ['all', () => 1],
    ['a rate that goes with the verdict', (n: number) => (truth[n] === 1 ? 0.2 : 0.7)],
    ['a rate that falls', (n: number) => 1 / (1 + n / 2_000)],
  ])('tell the share of wrong reuses without bias: %s', (_, rateOf) => {
    const drawn = truth.flatMap((rejected, n) => {
      const rate = rateOf(n);
      return labelCoin('secret', `request ${n}`) < rate ? [{ rejected, rate }] : [];
    });
    const { share, standardError } = inverseProbability(drawn, truth.length);
    const full = truth.reduce<number>((sum, rejected) => sum + rejected, 0) / truth.length;
    expect(Math.abs(share - full)).toBeLessThanOrEqual(3 * standardError + 1e-12);
  });
});
