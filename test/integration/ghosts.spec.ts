import 'reflect-metadata';
import { effectivePolicy, parseNamespacePolicy } from '@reprise/config';
import { createRng, seedOf } from '@reprise/kernel';
import type { Runtime } from '@reprise/nest';
import { GhostRuns, type GhostStore, type NewEntry, storePolicy } from '@reprise/semantic-cache';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/process.js';
import { type OwnRedis, startRedis } from '../e2e/support/redis.js';
import { keysOf, openPlain } from './support/queue-redis.js';
import { metric, startWorker, workerRuntime } from './support/worker-runtime.js';

let redis: OwnRedis;
let runtime: Runtime;
let plain: Awaited<ReturnType<typeof openPlain>>;
let spaces = 0;
let requests = 0;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  redis = await startRedis();
  runtime = await workerRuntime(redis.url);
  plain = await openPlain(redis.url);
});
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end();
});
afterAll(async () => {
  await plain.quit();
  await runtime.close();
  await redis.stop('SIGKILL');
});

const configured = { capacity: 30, eviction: 'solar', shares: { planned: 0, protected: 0, recency: 1 } };

async function space(policy: Record<string, unknown> = {}): Promise<string> {
  const ns = `ghosts-${(spaces += 1)}`;
  await runtime.admin.remember(ns, JSON.stringify({ ...configured, ...policy }));
  return ns;
}

/** Topics come and go: SOLAR keeps what has had its day, FIFO and LRU follow. */
function drift(steps: number, first = 0): string[] {
  const rng = createRng(seedOf(['drift']));
  const trace = Array.from({ length: first + steps }, (_, t) => {
    const topic = (Math.floor(t / 100) * 4 + Math.floor(rng.next() * 5)) % 3000;
    return `topic-${topic}-item-${Math.floor(rng.next() * 8)}`;
  });
  return trace.slice(first);
}

/** Twice as many items as places, one after the other: whatever evicts the oldest misses all of them. */
const cycle = (steps: number): string[] => Array.from({ length: steps }, (_, t) => `cycle-${t % 60}`);

function offer(key: string, requestId: string): NewEntry {
  return {
    id: `e-${requestId}`,
    requestId,
    exactKey: key,
    firstTurn: true,
    historyKey: '',
    conversation: 'c',
    answer: `"answer of ${requestId}"`,
    model: 'm',
    tags: [],
    user: '',
    createdMs: Date.now(),
    exactTtlMs: 3_600_000,
    semanticTtlMs: 1,
    maxAgeMs: 3_600_000,
    promptTokens: 1,
    completionTokens: 1,
    costMicroUsd: 1,
    importance: 0,
    seed: seedOf([requestId]),
  };
}

/** One request after the other, as a gateway makes them; the share of misses. */
async function play(ns: string, trace: readonly string[]): Promise<number> {
  let misses = 0;
  for (const exactKey of trace) {
    const requestId = `r${(requests += 1)}`;
    const query = { exactKey, nowMs: Date.now(), maxAgeMs: 3_600_000, requestId, policyVersion: 0 };
    if ((await runtime.entries.exact(ns, query)).outcome === 'hit') continue;
    misses += 1;
    await runtime.entries.admit(ns, offer(exactKey, requestId));
  }
  return misses / trace.length;
}

const limits = { everyMs: 1_000, namespaces: 1_000, events: 5_000 };
/** Runs on one namespace only, until nothing new is left. */
async function runOn(ns: string, runs = new GhostRuns(), ghosts: GhostStore = runtime.ghosts, events = 5_000) {
  const admin = { namespaces: () => Promise.resolve([ns]) };
  let total = 0;
  for (;;) {
    const report = await runs.run({ ...runtime, ghosts, admin }, { ...limits, events });
    total += report.events;
    if (report.events === 0) return total;
  }
}
const inForce = async (ns: string): Promise<string> => (await runtime.ghosts.read(ns, undefined, 1)).eviction;
const clean = async (ns: string): Promise<void> => expect(await runtime.admin.check(ns, Date.now())).toEqual([]);

describe('the job', () => {
  it('hands the recency tier over when a ghost was better for a whole window, and says so everywhere', async () => {
    const ns = await space();
    const before = await play(ns, drift(2_100));
    const stored = (await runtime.admin.stats(ns))['entries'];
    const keys = await keysOf(plain, `rp:{${ns}}*`);

    const worker = await startWorker(redis.url, { REPRISE_QUEUES__GHOSTS_EVERY_MS: '1000' });
    cleanups.push(() => worker.close());
    await eventually(async () => (await runtime.admin.stats(ns))['ghost_switches'] === 1, 20_000);

    expect(['fifo', 'lru']).toContain(await inForce(ns));
    const shown = (await plain.call('FCALL', 'rp_policy', 1, `rp:{${ns}}`)) as string[];
    expect(shown).toContain(`handed over: the ghosts put ${await inForce(ns)} in place; a stored eviction ends it`);
    const stats = await runtime.admin.stats(ns);
    expect(stats['ghost_loss_fifo']).toBeLessThan((stats['ghost_loss_solar'] ?? 0) - 0.02);
    expect(stats['ghost_loss_live']).toBeGreaterThan(0);
    // A policy version that changes would refuse requests that are being decided.
    expect(stats['policy_version']).toBe(0);
    // Ghosts keep a place in the stream and sums: no answer, no entry.
    expect(stats['entries']).toBe(stored);
    // The worker's sweep notes its place, too.
    const known = [...keys, `rp:{${ns}}:gate`];
    const added = (await keysOf(plain, `rp:{${ns}}*`)).filter((key) => !known.includes(key));
    expect(added).toEqual([`rp:{${ns}}:gh:state`]);
    await clean(ns);

    const text = await worker.runtime.metricsText();
    expect(metric(text, 'reprise_policy_switches_total', { from: 'solar' })).toBe(1);
    expect(metric(text, 'reprise_ghost_loss', { policy: 'fifo' })).toBeGreaterThan(0);
    const after = await play(ns, drift(1_000, 2_100));
    expect(after).toBeLessThan(before - 0.05);
    await clean(ns);
  });
});

describe('a hand-over', () => {
  it('is left alone for 4,000 steps, then may be taken back: no flapping', async () => {
    const ns = await space();
    await play(ns, drift(2_000));
    const runs = new GhostRuns();
    await runOn(ns, runs);
    expect(await runtime.admin.stats(ns)).toMatchObject({ ghost_switches: 1, ghost_steps: 2_000 });
    // Within a window of this the gate of SOLAR is better by far.
    await play(ns, cycle(3_900));
    await runOn(ns, runs);
    expect(await runtime.admin.stats(ns)).toMatchObject({ ghost_switches: 1, ghost_steps: 5_900 });
    await play(ns, cycle(200));
    await runOn(ns, runs);
    expect(await runtime.admin.stats(ns)).toMatchObject({ ghost_switches: 2, ghost_steps: 6_100 });
    expect(await inForce(ns)).toBe('solar');
    await clean(ns);
  });

  it('brings the default through cycles that are longer than the cache', async () => {
    const ns = await space({ eviction: 'lru' });
    expect(await play(ns, cycle(2_000))).toBe(1);
    await runOn(ns);
    expect(await inForce(ns)).toBe('solar');
    await play(ns, cycle(300));
    expect(await play(ns, cycle(2_400))).toBeLessThan(0.75);
    await clean(ns);
  });

  it('refuses no request that is being decided, and keeps the namespace whole under load', async () => {
    const ns = await space();
    await play(ns, drift(2_000));
    const trace = drift(800, 2_000);
    const clients = Array.from({ length: 16 }, (_, client) =>
      play(
        ns,
        trace.filter((_key, at) => at % 16 === client),
      ),
    );
    await Promise.all([runOn(ns), ...clients]);
    const stats = await runtime.admin.stats(ns);
    expect(stats).toMatchObject({ ghost_switches: 1, policy_version: 0 });
    expect(stats['entries']).toBeLessThanOrEqual(30);
    await clean(ns);
  });

  it('does not happen where the operator named the policy, which can still be compared', async () => {
    const ns = await space();
    await runtime.admin.setPolicy(ns, JSON.stringify({ eviction: 'solar' }));
    await play(ns, drift(2_200));
    expect(await runOn(ns)).toBe(2_200);
    const stats = await runtime.admin.stats(ns);
    expect(stats['ghost_switches']).toBeUndefined();
    expect(stats['ghost_loss_fifo']).toBeLessThan((stats['ghost_loss_solar'] ?? 0) - 0.02);
    expect(await inForce(ns)).toBe('solar');
  });

  it('ends when the operator names a policy, and does not come back with the name gone', async () => {
    const ns = await space();
    await play(ns, drift(2_000));
    await runOn(ns);
    expect(await inForce(ns)).not.toBe('solar');
    await runtime.admin.setPolicy(ns, JSON.stringify({ capacity: 20 }));
    expect(await inForce(ns)).not.toBe('solar');
    await runtime.admin.setPolicy(ns, JSON.stringify({ capacity: 20, eviction: 'lfu' }));
    expect(await inForce(ns)).toBe('lfu');
    await runtime.admin.setPolicy(ns, JSON.stringify({ capacity: 20 }));
    expect(await inForce(ns)).toBe('solar');
    await clean(ns);
  });

  it('ends with another configured policy', async () => {
    const ns = await space();
    await play(ns, drift(2_000));
    await runOn(ns);
    expect(await inForce(ns)).not.toBe('solar');
    await runtime.admin.remember(ns, JSON.stringify({ ...configured, capacity: 40 }));
    expect(await inForce(ns)).not.toBe('solar');
    await runtime.admin.remember(ns, JSON.stringify({ ...configured, eviction: 'gdsf' }));
    expect(await inForce(ns)).toBe('gdsf');
  });
});

describe('cache.ghosts: off', () => {
  it('keeps no events and compares nothing', async () => {
    const ns = await space({ ghosts: 'off' });
    await play(ns, drift(300));
    expect(await runOn(ns)).toBe(0);
    expect(await keysOf(plain, `rp:{${ns}}:ev`)).toEqual([]);
    expect(await keysOf(plain, `rp:{${ns}}:gh:*`)).toEqual([]);
  });

  it('takes a hand-over back', async () => {
    const ns = await space();
    await play(ns, drift(2_000));
    await runOn(ns);
    expect(await inForce(ns)).not.toBe('solar');
    await runtime.admin.setPolicy(ns, JSON.stringify({ ghosts: 'off' }));
    expect(await inForce(ns)).toBe('solar');
    expect(await keysOf(plain, `rp:{${ns}}:ev`)).toEqual([]);
    expect(await keysOf(plain, `rp:{${ns}}:gh:*`)).toEqual([]);
    await clean(ns);
  });
});

describe('events', () => {
  /** Makes no draws, so that equal traces have equal outcomes. */
  const lru = { eviction: 'lru' };
  const losses = async (ns: string) => {
    const { ghost_loss_fifo, ghost_loss_lru, ghost_loss_live, ghost_steps } = await runtime.admin.stats(ns);
    return { ghost_loss_fifo, ghost_loss_lru, ghost_loss_live, ghost_steps };
  };

  it('are counted once by runs that break off, by runs beside each other and by workers that take over', async () => {
    const trace = drift(1_500);
    const [whole, batches, taken] = [await space(lru), await space(lru), await space(lru)];
    for (const ns of [whole, batches, taken]) await play(ns, trace);
    await runOn(whole);
    await runOn(batches, new GhostRuns(), runtime.ghosts, 400);

    // A process that ends between counting and writing.
    const dying: GhostStore = {
      read: (ns, after, count) => runtime.ghosts.read(ns, after, count),
      advance: () => Promise.reject(new Error('the process ended')),
    };
    const one = { namespaces: () => Promise.resolve([taken]) };
    const survivor = new GhostRuns();
    await survivor.run({ ...runtime, admin: one }, { ...limits, events: 400 });
    await expect(
      new GhostRuns().run({ ...runtime, admin: one, ghosts: dying }, { ...limits, events: 400 }),
    ).rejects.toThrow(/ghosts of none/);
    await expect(survivor.run({ ...runtime, admin: one, ghosts: dying }, { ...limits, events: 400 })).rejects.toThrow();
    expect((await losses(taken)).ghost_steps).toBe(400);
    // Two at a time, one of them without anything in memory: one of them is refused.
    const pairs = await Promise.all(
      [survivor, new GhostRuns()].map((runs) => runs.run({ ...runtime, admin: one }, { ...limits, events: 400 })),
    );
    expect(pairs.map(({ events }) => events).sort()).toEqual([0, 400]);
    await runOn(taken);

    expect(await losses(taken)).toEqual(await losses(whole));
    expect(await losses(batches)).toEqual(await losses(whole));
  });

  it('name representatives and outcomes only, and go with a purge of everything', async () => {
    const ns = await space();
    await play(ns, ['a', 'a', 'b']);
    await runtime.admin.quarantine(ns, `e-r${requests}`, 'test', Date.now());
    const { events } = await runtime.ghosts.read(ns, 'oldest', 10);
    expect(events.map(({ kind, representatives, loss }) => [kind, ...representatives, loss])).toEqual([
      ['miss', 'a', 1],
      ['hit', 'a', 0],
      ['miss', 'b', 1],
      ['gone', 'b', 0],
    ]);
    await runOn(ns);
    await runtime.admin.purge(ns, { all: true }, false, Date.now());
    expect(await keysOf(plain, `rp:{${ns}}:ev`)).toEqual([]);
    expect(await keysOf(plain, `rp:{${ns}}:gh:*`)).toEqual([]);
    await play(ns, ['a']);
    expect(await runOn(ns)).toBe(1);
  });

  it('are capped', async () => {
    const ns = await space();
    const pipeline = plain.pipeline();
    for (let n = 0; n < 21_000; n++) pipeline.xadd(`rp:{${ns}}:ev`, '*', 'hit', 'x');
    await pipeline.exec();
    await play(ns, drift(5));
    expect(await plain.xlen(`rp:{${ns}}:ev`)).toBeLessThan(20_200);
    // The oldest were lost before anyone read them: those that are left are counted.
    expect(await runOn(ns)).toBe(await plain.xlen(`rp:{${ns}}:ev`));
  });
});

describe('the configured policy', () => {
  const parameters = {
    shares: { planned: 0.1, protected: 0.3, recency: 0.6 },
    gate: {
      mode: 'adaptive',
      bootstrap: 'paper',
      lambda: 2,
      floor: 0.2,
      ceiling: 4,
      window: 40,
      tau0: 1.5,
      rate: 0.2,
    },
    posterior: { priorAlpha: 2, priorBeta: 3, cap: 150, agingEvery: 7, agingAmount: 0.1 },
    bonus: { weight: 0.4, scale: 30 },
    evictionCandidates: 128,
    corroboration: 3,
    doorkeeperRatio: 8,
  };
  const policyOf = (change: object) => parseNamespacePolicy(JSON.stringify(change), effectivePolicy(runtime.config));

  it('reaches the store with every parameter that the store goes by', async () => {
    const ns = await space();
    const policy = policyOf({ capacity: 77, eviction: 'gdsf', ghosts: 'off', ...parameters });
    if (!policy.ok) throw new Error(JSON.stringify(policy.error));
    await runtime.admin.remember(ns, storePolicy(policy.value));
    const lines = (await plain.call('FCALL', 'rp_policy', 1, `rp:{${ns}}`)) as string[];
    const found = lines.filter((line) => line.includes(' = '));
    expect(found.sort()).toEqual(
      [
        'aging_amount = 0.1',
        'aging_every = 7',
        'bonus_scale = 30',
        'bonus_weight = 0.4',
        'candidates = 128',
        'cap = 150',
        'capacity = 77',
        'corroboration = 3',
        'doorkeeper_ratio = 8',
        'eviction = gdsf',
        'gate.bootstrap = paper',
        'gate.ceiling = 4',
        'gate.floor = 0.2',
        'gate.lambda = 2',
        'gate.mode = adaptive',
        'gate.rate = 0.2',
        'gate.tau0 = 1.5',
        'gate.window = 40',
        'ghosts = off',
        'planned_share = 0.1',
        'prior_alpha = 2',
        'prior_beta = 3',
        'protected_share = 0.3',
      ].sort(),
    );
  });

  it.each([
    { eviction: 'arc' },
    { eviction: 'w-tinylfu' },
    { ghosts: 'maybe' },
    { gate: { mode: 'paper-literal' } },
    { gate: { mode: 'sometimes' } },
    { gate: { lambda: 0 } },
    { gate: { window: 1 } },
    { gate: { window: 1_000 } },
    { posterior: { priorAlpha: 0.5 } },
    { posterior: { cap: 0 } },
    { bonus: { scale: 0 } },
    { evictionCandidates: 0 },
    { evictionCandidates: 12 },
    { evictionCandidates: 256 },
    { evictionCandidates: 264 },
    { corroboration: 0 },
    { doorkeeperRatio: 1_025 },
    { capacity: 10_000_000 },
    { capacity: 10_000_001 },
  ])('is judged alike by gateway and store: %j', async (change) => {
    const ns = await space();
    const accepted = await runtime.admin.setPolicy(ns, JSON.stringify(change)).then(
      () => true,
      () => false,
    );
    expect(policyOf(change).ok).toBe(accepted);
  });
});
