// What a fault adds to a request, from the first one on: the gateway with its default limits beside the upstream itself.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, startNode } from '../http/processes.mjs';
import { unseen } from '../http/questions.mjs';
import { writePage } from './page.mjs';
import { startFaultyRedis } from './servers.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const upstreamScript = fileURLToPath(new URL('../http/upstream.mjs', import.meta.url));

/** `before` the gateway starts, `strike` once it is warm; `cold`: the first request is the first of the process. */
const scenarios = [
  { name: 'nothing is wrong' },
  { name: 'nothing is wrong, cold process', cold: true },
  { name: 'Redis killed', strike: ({ redis }) => redis.kill() },
  { name: 'Redis paused (SIGSTOP)', strike: ({ redis }) => redis.pause() },
  { name: 'Redis restarted empty', strike: ({ redis }) => redis.restart() },
  { name: 'Redis not there at the start', before: ({ redis }) => redis.kill(), cold: true },
  { name: 'Redis out of memory', strike: ({ redis }) => redis.starve() },
  { name: 'embedder hung', strike: ({ flag }) => writeFileSync(flag, '') },
  { name: 'embedder hung from the start', before: ({ flag }) => writeFileSync(flag, ''), cold: true },
  {
    name: 'Redis paused and embedder hung',
    strike: ({ redis, flag }) => {
      writeFileSync(flag, '');
      redis.pause();
    },
  },
];

let asked = 0;
const first = (n) => [{ role: 'user', content: unseen(n) }];
/** Kinds of request; each is new to the cache. */
const kinds = {
  json: (n) => ({ messages: first(n) }),
  stream: (n) => ({ messages: first(n), stream: true }),
  'follow-up': (n) => ({
    messages: [
      ...first(n),
      { role: 'assistant', content: 'On the left.' },
      ...Array.from({ length: 6 }, (_, at) => [
        { role: 'user', content: `And part ${n + at}?` },
        { role: 'assistant', content: `Beside it, place ${at}.` },
      ]).flat(),
      { role: 'user', content: `And the last of ${n}?` },
    ],
  }),
};

/** Milliseconds to the first byte of the body, and what the cache said. */
async function time(base, kind) {
  const body = JSON.stringify({ model: 'reprise-demo', ...kinds[kind](asked++) });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer bench-key' };
  const started = performance.now();
  const reply = await fetch(`${base}/chat/completions`, { method: 'POST', headers, body });
  const reader = reply.body.getReader();
  await reader.read();
  const ms = performance.now() - started;
  while (!(await reader.read()).done);
  const word = reply.headers.get('x-cache');
  return { ms, status: reply.status, said: word && `${word} ${reply.headers.get('x-cache-reason')}` };
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, q) => sorted(values)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? NaN;
const round = (value) => Math.round(value * 10) / 10;

async function play(scenario, upstream, rounds, count) {
  const added = { first: [], rest: [] };
  const said = {};
  const names = Object.keys(kinds);
  for (let turn = 0; turn < rounds; turn++) {
    const parts = {
      redis: await startFaultyRedis(),
      flag: join(mkdtempSync(join(tmpdir(), 'reprise-fault-')), 'hang'),
    };
    await scenario.before?.(parts);
    const port = await freePort();
    const env = {
      PORT: String(port),
      REDIS_URL: parts.redis.url,
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      LOG_LEVEL: 'fatal',
      REPRISE_TEST_EMBEDDER_HANG: parts.flag,
    };
    const url = `http://127.0.0.1:${port}`;
    const up = (base) => fetch(`${base}/healthz`).then((reply) => reply.ok);
    const gateway = await startNode([`${root}apps/gateway/dist/main.js`], env, url, up);
    try {
      if (!scenario.cold) for (let at = 0; at < 12; at++) await time(`${url}/v1`, names[at % names.length]);
      for (let at = 0; at < 6; at++) await time(`${upstream.url}/v1`, names[at % names.length]);
      await scenario.strike?.(parts);
      const direct = Object.fromEntries(names.map((name) => [name, []]));
      const through = [];
      for (let at = 0; at < count; at++) {
        const kind = names[(at + turn) % names.length];
        const one = await time(`${url}/v1`, kind);
        if (one.status !== 200) throw new Error(`${scenario.name}: status ${one.status}`);
        through.push({ kind, ms: one.ms });
        said[one.said] = (said[one.said] ?? 0) + 1;
        direct[kind].push((await time(`${upstream.url}/v1`, kind)).ms);
      }
      const extra = through.map(({ kind, ms }) => ms - quantile(direct[kind], 0.5));
      added.first.push(extra[0]);
      added.rest.push(...extra.slice(1));
    } finally {
      await gateway.stop();
      await parts.redis.stop();
    }
  }
  return {
    scenario: scenario.name,
    requests: added.first.length + added.rest.length,
    firstMs: { median: round(quantile(added.first, 0.5)), max: round(Math.max(...added.first)) },
    laterMs: {
      p50: round(quantile(added.rest, 0.5)),
      p99: round(quantile(added.rest, 0.99)),
      max: round(Math.max(...added.rest)),
    },
    over50: added.first.filter((ms) => ms > 50).length + added.rest.filter((ms) => ms > 50).length,
    said,
  };
}

export async function run({ smoke }) {
  const port = await freePort();
  const upstream = await startNode([upstreamScript, String(port)], {}, `http://127.0.0.1:${port}`, (url) =>
    fetch(`${url}/v1/models`).then((reply) => reply.ok),
  );
  const load = loadavg();
  const results = [];
  try {
    for (const scenario of scenarios) {
      const result = await play(scenario, upstream, smoke ? 1 : 6, smoke ? 6 : 42);
      results.push(result);
      const { firstMs, laterMs, over50, requests } = result;
      console.log(
        `${result.scenario.padEnd(32)} first +${firstMs.median} ms (max ${firstMs.max})  later p50 +${laterMs.p50}, p99 +${laterMs.p99}, max +${laterMs.max} ms  over 50 ms: ${over50}/${requests}`,
      );
      console.log(
        `${''.padEnd(32)} ${Object.entries(result.said)
          .map(([word, n]) => `${word} ×${n}`)
          .join(', ')}`,
      );
    }
  } finally {
    await upstream.stop();
  }
  if (smoke) return;
  const environment = {
    node: process.version,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    os: `${release()} ${arch()}`,
    loadBefore: load.map(round),
  };
  const file = `${root}bench/results/faults.json`;
  writeFileSync(file, `${JSON.stringify({ date: new Date().toISOString(), environment, results }, null, 2)}\n`);
  writePage();
  console.log('written to bench/results/faults.json and docs/benchmarks/faults.md');
}
