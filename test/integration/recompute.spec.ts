import 'reflect-metadata';
import { createRng } from '@reprise/kernel';
import {
  ConversationFollower,
  encodeDossier,
  FEATURE_NAMES,
  FEATURE_VERSION,
  FEATURES,
  textMarks,
} from '@reprise/policy';
import type { PlanChoice } from '@reprise/policy';
import { LocalPlanner, type NewEntry } from '@reprise/semantic-cache';
import { ThreadPlanner } from '@reprise/worker';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/process.js';
import { openPlain, ownPrefix, removeKeys, sharedRedisUrl } from './support/queue-redis.js';
import { metric, startWorker } from './support/worker-runtime.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end();
});
let url = '';
beforeAll(() => {
  url = sharedRedisUrl();
});

const size = 16;
function vectorOf(n: number): Float32Array {
  const rng = createRng(n + 1);
  const vector = Float32Array.from({ length: size }, () => rng.next() - 0.5);
  return vector.map((value) => value / Math.hypot(...vector));
}

function dossierOf(n: number): Uint8Array {
  const vector = vectorOf(n);
  const follower = new ConversationFollower({ vector: new Float32Array(size), marks: textMarks('') });
  const state = follower.ask({ vector, marks: textMarks(`question ${n}`) });
  return encodeDossier({ state, reply: { vector, marks: textMarks('yes') } });
}

const entry = (n: number): NewEntry => ({
  ...{ id: `e${n}`, requestId: `r${n}`, exactKey: `x${n}`, stratum: 's', vector: vectorOf(n), dossier: dossierOf(n) },
  ...{ fingerprint: 'f', firstTurn: true, historyKey: '', conversation: `c${n}`, answer: '{}', model: 'm', tags: [] },
  ...{ user: '', createdMs: Date.now(), exactTtlMs: 1e7, semanticTtlMs: 1e7, maxAgeMs: 1e7, importance: 0, seed: n },
  ...{ promptTokens: 1, completionTokens: 1, costMicroUsd: 5 },
});

function label(n: number) {
  const rng = createRng(n + 1);
  const row = Float64Array.from({ length: FEATURES }, () => rng.next());
  const rejected = (row[FEATURE_NAMES.indexOf('similarity')] as number) > 0.5 ? (0 as const) : (1 as const);
  return {
    ...{ requestId: `l${n}`, conversation: 'k', entryId: 'e1', rule: 'budget' as const, served: false, rejected },
    ...{ judge: 'reference', rate: 1, snapshot: 0, featureVersion: FEATURE_VERSION, row },
  };
}

describe('two workers that share a namespace', () => {
  it('choose its planned tier by turns, one at a time, each version once', async () => {
    const prefix = ownPrefix('recompute');
    const ns = `recompute-${prefix}`;
    const plain = await openPlain(url);
    cleanups.push(() => plain.quit());
    cleanups.push(() => removeKeys(plain, `{${prefix}}*`));
    cleanups.push(() => removeKeys(plain, `rp:{${ns}}*`));
    cleanups.push(() => plain.srem('rp:namespaces', ns));
    const settings = { REPRISE_QUEUES__PREFIX: prefix, REPRISE_QUEUES__RECOMPUTE_EVERY_MS: '1000' };
    const workers = await Promise.all([startWorker(url, settings), startWorker(url, settings)]);
    for (const worker of workers) cleanups.push(() => worker.close());
    const [{ runtime }] = workers;
    const { admin, entries, risk, plans } = runtime;
    await admin.remember(ns, JSON.stringify({ capacity: 40, shares: { planned: 0.25, protected: 0 }, ghosts: 'off' }));
    for (let n = 0; n < 60; n++) await risk.observe(ns, label(n));
    for (let n = 0; n < 30; n++) await entries.admit(ns, entry(n));
    await eventually(async () => (await plans.head(ns)).version >= 1, 100_000);
    expect(await admin.stats(ns)).toMatchObject({ planned: 10, recency: 20 });
    for (let n = 30; n < 36; n++) await entries.admit(ns, entry(n));
    await eventually(async () => (await plans.head(ns)).version >= 2, 100_000);
    const texts = await Promise.all(workers.map(async ({ url: at }) => (await fetch(`${at}/metrics`)).text()));
    const installed = texts.map((text) => metric(text, 'reprise_recomputes_total', { outcome: 'installed' }));
    const conflicts = texts.map((text) => metric(text, 'reprise_recomputes_total', { outcome: 'conflict' }));
    expect(installed[0]! + installed[1]!).toBe((await plans.head(ns)).version);
    expect(conflicts).toEqual([0, 0]);
    expect(await admin.check(ns, Date.now())).toEqual([]);
  });
});

describe('the planner in a thread of its own', () => {
  it('comes to what the same work comes to here, and says what failed', async () => {
    const threads = new ThreadPlanner();
    cleanups.push(() => threads.close());
    const choose = async (planner: LocalPlanner | ThreadPlanner): Promise<PlanChoice> => {
      const work = planner.begin();
      const known = Array.from({ length: 20 }, (_, n) => n);
      work.addLabels(
        known.map((n) => Float64Array.from({ length: 22 }, () => createRng(n).next())),
        known.map((n) => (n % 2 === 0 ? 0 : 1)),
      );
      work.addEntries(
        known.map((n) => ({ id: `e${n}`, seq: n, uses: n % 3, isProtected: false, cost: 1, dossier: dossierOf(n) })),
      );
      work.addPairs(known.map((n) => ({ id: `e${n}`, other: `e${n}`, similarity: 1 })));
      const choice = await work.choose({ slots: 5, epsilon: 0.25, candidates: 32, caution: 0.05 });
      work.end();
      return choice;
    };
    expect(await choose(threads)).toEqual(await choose(new LocalPlanner()));
    const bad = threads.begin();
    bad.addPairs(undefined as never);
    await expect(bad.choose({ slots: 1, epsilon: 0.25, candidates: 1, caution: 0 })).rejects.toThrow();
  });
});
