// Redis benchmark: each function beside PING and GET in one run, arms alternating, several rounds, medians with spread.
import { writeFileSync } from 'node:fs';
import { arch, cpus, release } from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { createRedisStore } from '@reprise/redis-store';
import { Redis } from 'ioredis';
import { entry, exactKeyOf, idOf, stratum, vector } from './entries.mjs';
import { memoryPerEntry } from './memory.mjs';
import { startServer } from './server.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const query = { nowMs: Date.now(), maxAgeMs: 86_400_000, requestId: 'bench' };

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;

/** Fills a namespace up to its capacity of `size`; the admissions go eight at a time. */
async function fill(store, ns, size, withVectors, policyName) {
  await store.admin.setPolicy(
    ns,
    JSON.stringify({ capacity: size, eviction: policyName, shares: { planned: 0.5, protected: 0.2 } }),
  );
  for (let n = 0; n < size; n += 8) {
    const batch = Array.from({ length: Math.min(8, size - n) }, (_, i) => entry(n + i, withVectors));
    await Promise.all(batch.map((one) => store.entries.admit(ns, one)));
  }
}

/**
 * The arms of one namespace: name → makes the input of one call (not timed) and returns the call (timed).
 * PING and GET go through a client with the options of the store's.
 */
function armsOf(store, client, ns, vectors, size) {
  let next = size;
  const number = () => (next += 1);
  const some = () => Math.floor(Math.random() * size * 0.9);
  const lookup = () => ({ ...query, stratum, vector: vector(some()), count: 16, policyVersion: 1 });
  const admit = (space, n, withVector) => {
    const offered = entry(n, withVector);
    return () => store.entries.admit(space, offered);
  };
  return {
    ping: () => () => client.ping(),
    get: () => {
      const key = `bench:${some() % 1000}`;
      return () => client.get(key);
    },
    exact_hit: () => () => store.entries.exact(ns, { ...query, exactKey: exactKeyOf(size - 1), policyVersion: 1 }),
    exact_miss: () => () => store.entries.exact(ns, { ...query, exactKey: 'nothing', policyVersion: 1 }),
    lookup_16: () => {
      const asked = lookup();
      return () => store.entries.lookup(vectors, asked);
    },
    serve: () => () => store.entries.serve(vectors, { ...query, entryId: idOf(size - 1), policyVersion: 1 }),
    feedback: () => {
      const call = { requestId: `f${number()}`, used: [idOf(some())], delta: 0.5 };
      return () => store.policies.feedback(ns, call);
    },
    label: () => {
      const call = { requestId: `l${number()}`, id: idOf(some()), verdict: 'correct' };
      return () => store.policies.label(ns, call);
    },
    admit: () => admit(`${ns}-roomy`, number(), false),
    admit_evict: () => admit(ns, number(), false),
    admit_refresh: () => admit(ns, size - 1, false),
    admit_evict_vector: () => admit(vectors, number(), true),
    decision: () => {
      const requestId = `d${number()}`;
      return () => store.decisions.record(ns, requestId, '', '', '{}', 60_000, Date.now());
    },
    stats: () => () => store.admin.stats(ns),
  };
}

/** Medians of each arm by round, in microseconds; the arms alternate within a round. */
async function measure(arms, rounds, calls) {
  const times = Object.fromEntries(Object.keys(arms).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, prepare] of Object.entries(arms)) {
      const own = [];
      for (let i = 0; i < calls; i += 1) {
        const call = prepare();
        const startedMs = performance.now();
        await call();
        own.push((performance.now() - startedMs) * 1000);
      }
      times[name].push(quantile(own, 0.5));
    }
  }
  return times;
}

function report(times) {
  const ping = quantile(times.ping, 0.5);
  const get = quantile(times.get, 0.5);
  const rows = {};
  for (const [name, medians] of Object.entries(times)) {
    const us = quantile(medians, 0.5);
    rows[name] = {
      us: Number(us.toFixed(1)),
      lowUs: Number(Math.min(...medians).toFixed(1)),
      highUs: Number(Math.max(...medians).toFixed(1)),
      overPingUs: Number((us - ping).toFixed(1)),
      perPing: Number((us / ping).toFixed(2)),
      perGet: Number((us / get).toFixed(2)),
    };
  }
  return rows;
}

/** The longest single call that the server has seen since the log was reset, by command. */
async function longest(client) {
  const log = await client.call('SLOWLOG', 'GET', 64);
  return log
    .map(([, , us, args]) => ({ ms: us / 1000, call: args.slice(0, 2).join(' ').slice(0, 40) }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 5);
}

/** Walks, purges and trims of a large namespace: each call must be short. Returns the longest calls by the server's clock. */
async function longestAt(server, size) {
  const store = createRedisStore({ url: server.url, commandTimeoutMs: 10_000, adminTimeoutMs: 60_000 });
  await store.connect(10_000);
  const ns = `bench-large-${size}`;
  await fill(store, ns, size, false, 'solar-e');
  await server.client.call('SLOWLOG', 'RESET');
  await store.admin.check(ns, Date.now());
  await store.admin.entries(ns, 0, 50);
  await store.admin.purge(ns, { tag: 'nothing' }, true, Date.now());
  for (let i = 0; i < 300; i += 1) await store.admin.sweep(ns, Date.now(), 100);
  for (let n = size; n < size + 500; n += 1) await store.entries.admit(ns, entry(n, false));
  for (const op of ['rp_stats', 'rp_top', 'rp_victims', 'rp_check'])
    await server.client.call('FCALL', op, 1, `rp:{${ns}}`);
  await store.admin.setPolicy(ns, JSON.stringify({ capacity: Math.floor(size * 0.98), eviction: 'lru' }));
  await store.admin.purge(ns, { all: true }, false, Date.now());
  const calls = await longest(server.client);
  await store.close();
  return { size, longestCalls: calls };
}

async function benchSize(server, size, form, smoke) {
  const store = createRedisStore({ url: server.url, form, commandTimeoutMs: 10_000, adminTimeoutMs: 60_000 });
  await store.connect(10_000);
  // As long as names of tenants are: each byte of it is in the name of every answer's key.
  const ns = `bench-${size}`;
  const vectors = `${ns}-v`;
  await fill(store, ns, size, false, 'solar-e');
  await fill(store, vectors, size, true, 'solar-e');
  await store.admin.setPolicy(`${ns}-roomy`, JSON.stringify({ capacity: 10_000_000, eviction: 'solar-e' }));
  for (let i = 0; i < 1000; i += 1) await server.client.set(`bench:${i}`, 'x'.repeat(800));
  const floor = new Redis(server.url, { enableAutoPipelining: true });
  await floor.ping();
  await server.client.call('SLOWLOG', 'RESET');
  const times = await measure(armsOf(store, floor, ns, vectors, size), smoke ? 2 : 7, smoke ? 20 : 200);
  const rows = report(times);
  const memory = await memoryPerEntry(server.client, vectors, size);
  const slow = await longest(server.client);
  for (const space of [ns, vectors, `${ns}-roomy`]) await store.admin.purge(space, { all: true }, false, Date.now());
  await store.close();
  floor.disconnect();
  return { form, size, rows, memory, longestCalls: slow };
}

export async function run({ smoke }) {
  const server = await startServer();
  try {
    await server.client.config('SET', 'slowlog-log-slower-than', '1000');
    const runs = process.env.BENCH_1K
      ? [[1000, 'fcall']]
      : smoke
        ? [
            [100, 'fcall'],
            [100, 'evalsha'],
          ]
        : [
            [1000, 'fcall'],
            [1000, 'evalsha'],
            [50_000, 'fcall'],
          ];
    const results = [];
    for (const [size, form] of runs) {
      const result = await benchSize(server, size, form, smoke);
      results.push(result);
      console.log(`\nK = ${size}, ${form}`);
      console.table(result.rows);
      console.log(result.memory);
      console.log('longest calls:', result.longestCalls);
    }
    const large = await longestAt(server, smoke ? 2000 : 100_000);
    console.log(`\nlongest calls at K = ${large.size}:`, large.longestCalls);
    if (smoke) return;
    const environment = {
      cpu: cpus()[0]?.model,
      cores: cpus().length,
      arch: arch(),
      kernel: release(),
      node: process.version,
    };
    const file = `${root}bench/results/redis.json`;
    writeFileSync(
      file,
      `${JSON.stringify({ at: new Date().toISOString(), environment, results, large }, undefined, 2)}\n`,
    );
    console.log(`\nwritten: bench/results/redis.json`);
  } finally {
    await server.stop();
  }
}
