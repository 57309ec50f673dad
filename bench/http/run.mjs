// HTTP benchmark: the gateway beside its floors, arms alternating, several rounds, medians. Load stays on loopback.
import { writeFileSync } from 'node:fs';
import { arch, cpus, release } from 'node:os';
import { fileURLToPath } from 'node:url';
import { gatewayNodeArgs, withGatewayMalloc } from '../../tools/bootstrap/gateway-node.mjs';
import { chatBody, question, unseen, variant } from './questions.mjs';
import { load } from './load.mjs';
import { freePort, startNode } from './processes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const entries = 1000;

const posts = (url) => fetch(url, { method: 'POST', body: '{}' }).then((r) => r.status < 500);
const healthy = (url) => fetch(`${url}/healthz`).then((r) => r.ok);

async function ask(url, text, headers = {}) {
  const reply = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench-key', ...headers },
    body: chatBody(text),
  });
  await reply.arrayBuffer();
  return reply.headers.get('x-cache');
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function startAll(env) {
  const port = () => freePort();
  const upstreamPort = await port();
  const upstream = await startNode(
    [here('./upstream.mjs'), String(upstreamPort)],
    {},
    `http://127.0.0.1:${upstreamPort}`,
    posts,
  );
  const floor = async (kind) => {
    const own = await port();
    return startNode(
      [here('./floors.mjs'), kind, String(own), env.redis, env.model],
      {},
      `http://127.0.0.1:${own}`,
      posts,
    );
  };
  const gatewayPort = await port();
  const gateway = await startNode(
    [...gatewayNodeArgs, '--import', here('./loop-monitor.mjs'), `${root}apps/gateway/dist/main.js`],
    withGatewayMalloc({
      PORT: String(gatewayPort),
      REDIS_URL: env.redis,
      REPRISE_MODEL_DIR: env.model,
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      LOG_LEVEL: 'warn',
      REPRISE_EMBEDDING__TIMEOUTMS: '2000',
      REPRISE_REDIS__COMMANDTIMEOUTMS: '2000',
      REPRISE_LIMITS__ADDEDLATENCYMS: '3000',
    }),
    `http://127.0.0.1:${gatewayPort}`,
    healthy,
  );
  return { upstream, gateway, echo: await floor('echo'), get: await floor('get'), embed: await floor('embed') };
}

async function fill(parts) {
  const texts = Array.from({ length: entries }, (_, n) => question(n));
  for (let at = 0; at < entries; at += 100) {
    await fetch(`${parts.embed.url}/fill`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ texts: texts.slice(at, at + 100) }),
    });
  }
  for (const text of texts) await ask(parts.gateway.url, text);
}

function armsOf(parts) {
  let turn = 0;
  const next = () => turn++;
  const exact = () => chatBody(question(next() % entries));
  const semantic = () => chatBody(variant(1000 + (next() % 49_000)));
  const miss = () => chatBody(unseen(next()), true);
  const dry = { 'x-reprise-mode': 'read_only' };
  return {
    'floor: echo': { url: parts.echo.url, body: exact },
    'floor: redis get': { url: parts.get.url, body: exact },
    'exact hit': { url: parts.gateway.url, body: exact, expect: 'hit-exact' },
    'floor: embed + vsim': { url: parts.embed.url, body: semantic },
    'semantic hit': { url: parts.gateway.url, body: semantic, expect: 'hit-semantic' },
    'direct upstream': { url: parts.upstream.url, body: miss },
    miss: { url: parts.gateway.url, body: miss, expect: 'miss', headers: dry },
  };
}

function summary(rounds) {
  const out = {};
  for (const [name, runs] of Object.entries(rounds)) {
    const of = (field) => runs.map((run) => run[field]);
    out[name] = {
      p50Ms: median(of('p50Ms')),
      p50Spread: [Math.min(...of('p50Ms')), Math.max(...of('p50Ms'))],
      p99Ms: median(of('p99Ms')),
      firstByteP50Ms: median(of('firstByteP50Ms')),
      perSecond: median(of('perSecond')),
      strange: runs.map((run) => run.strange).filter((s) => Object.keys(s).length > 0),
    };
  }
  return out;
}

/** The bars of the issue, as ratios within this run. */
function bars(one, many, extra) {
  return {
    'exact hit p50 / redis get p50 (1 connection), bar 3': one['exact hit'].p50Ms / one['floor: redis get'].p50Ms,
    'exact hit requests/s (16), bar 2000 or half of the floor': many['exact hit'].perSecond,
    'redis get floor requests/s (16)': many['floor: redis get'].perSecond,
    'semantic hit p50 / floor p50 (1), bar 1.15': one['semantic hit'].p50Ms / one['floor: embed + vsim'].p50Ms,
    'semantic hit throughput / floor (16), bar .9':
      many['semantic hit'].perSecond / many['floor: embed + vsim'].perSecond,
    'miss: first byte added in ms (1), bar 5': one.miss.firstByteP50Ms - one['direct upstream'].firstByteP50Ms,
    'gateway memory in MB (peak), bar 300': extra.memory.peakMb,
    'largest event-loop gap in ms while embedding, bar 20': extra.gapMs,
  };
}

export async function run({ smoke }) {
  const env = { redis: process.env.TEST_REDIS_URL, model: process.env.REPRISE_MODEL_DIR };
  const parts = await startAll(env);
  try {
    await fill(parts);
    const arms = armsOf(parts);
    const seconds = smoke ? 0.5 : 4;
    const results = {};
    let gapMs = 0;
    for (const connections of [1, 16]) {
      const rounds = Object.fromEntries(Object.keys(arms).map((name) => [name, []]));
      for (let round = 0; round < (smoke ? 1 : 5); round++) {
        for (const [name, arm] of Object.entries(arms)) {
          await parts.gateway.loopGapMs();
          rounds[name].push(await load({ ...arm, connections, seconds }));
          if (name === 'semantic hit') gapMs = Math.max(gapMs, await parts.gateway.loopGapMs());
        }
      }
      results[connections] = summary(rounds);
      console.log(`\n${connections} connection(s)`);
      console.table(
        Object.fromEntries(
          Object.entries(results[connections]).map(([name, r]) => [
            name,
            {
              'p50 ms': +r.p50Ms.toFixed(3),
              'p99 ms': +r.p99Ms.toFixed(3),
              'first byte ms': +r.firstByteP50Ms.toFixed(3),
              'req/s': Math.round(r.perSecond),
              strange: JSON.stringify(r.strange),
            },
          ]),
        ),
      );
    }
    const ratios = bars(results[1], results[16], { memory: parts.gateway.memory(), gapMs });
    console.table(Object.fromEntries(Object.entries(ratios).map(([name, value]) => [name, +value.toFixed(3)])));
    const strange = Object.values(results).flatMap((r) => Object.values(r).flatMap((arm) => arm.strange));
    if (!smoke) {
      const environment = {
        node: process.version,
        cpu: cpus()[0]?.model,
        cores: cpus().length,
        arch: arch(),
        kernel: release(),
        entries,
      };
      writeFileSync(
        `${root}bench/results/http.json`,
        `${JSON.stringify({ date: new Date().toISOString(), environment, results, ratios }, null, 2)}\n`,
      );
    }
    if (strange.length > 0) throw new Error(`answers of another kind than the arm expects: ${JSON.stringify(strange)}`);
  } finally {
    await Promise.all(Object.values(parts).map((part) => part.stop()));
  }
}
