// One recompute of a planned tier as a worker does it: 5,000 entries and 1,000 labels in a real Redis, 32 candidates a row,
// the choice in the planner's thread (bars: 10 s, no gap of the worker's event loop above 50 ms). The server's own longest
// step is told beside it: gateways wait for that.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { createRng, silentTelemetry } from '@reprise/kernel';
import {
  ConversationFollower,
  encodeDossier,
  FEATURE_NAMES,
  FEATURE_VERSION,
  FEATURES,
  textMarks,
} from '@reprise/policy';
import { createRedisStore } from '@reprise/redis-store';
import { PlanRuns } from '@reprise/semantic-cache';
import { ThreadPlanner } from '@reprise/worker';
import { vector } from '../redis/entries.mjs';
import { startServer } from '../redis/server.mjs';

const dimensions = 384;
const ns = 'recompute';

/** The state and the answer of a follow-up, as the gateway stores them. */
function dossier(message, before, reply) {
  const facts = (text, place) => ({ vector: place, marks: textMarks(text) });
  const follower = new ConversationFollower(facts('', new Float32Array(dimensions)));
  follower.tell(facts('Where is the parcel with my 2 lamps?', before));
  follower.answer(facts('It comes on Friday.', before));
  return encodeDossier({ state: follower.ask(facts('Can I still change the address?', message)), reply });
}

function stateVector(message, before) {
  const all = new Float32Array(3 * dimensions);
  [message, before, before].forEach((part, at) => {
    const weight = Math.sqrt([0.5, 0.3, 0.2][at]);
    part.forEach((value, i) => (all[at * dimensions + i] = weight * value));
  });
  return all;
}

function entry(n) {
  const [message, before] = [vector(n), vector(1_000_000 + (n % 97))];
  const reply = { vector: vector(n % 500), marks: textMarks('Yes, until it has left our house on Thursday.') };
  return {
    ...{ id: `e${n}`, requestId: `r${n}`, exactKey: `x${n}`, stratum: 's', fingerprint: 'f', firstTurn: false },
    ...{ historyKey: 'h', conversation: `c${n}`, answer: 'x'.repeat(800), model: 'm', tags: [], user: '' },
    ...{ createdMs: Date.now(), exactTtlMs: 3_600_000, semanticTtlMs: 3_600_000, maxAgeMs: 3_600_000 },
    ...{ promptTokens: 100, completionTokens: 50 + (n % 400), costMicroUsd: 100 + (n % 900), importance: 0, seed: n },
    ...{ vector: stateVector(message, before), dossier: dossier(message, before, reply) },
  };
}

function label(n, rng) {
  const row = Float64Array.from({ length: FEATURES }, () => rng.next());
  const rejected = row[FEATURE_NAMES.indexOf('similarity')] > 0.5 ? 0 : 1;
  return {
    ...{
      requestId: `l${n}`,
      conversation: `k${n}`,
      entryId: `e${n}`,
      turn: 1,
      rule: 'budget',
      served: false,
      rejected,
    },
    ...{ judge: 'reference', rate: 1, snapshot: 0, featureVersion: FEATURE_VERSION, row },
  };
}

async function fill(store, entries, labels) {
  await store.admin.remember(ns, JSON.stringify({ capacity: entries, shares: { planned: 0.2, protected: 0.2 } }));
  for (let n = 0; n < entries; n += 8) {
    const batch = Array.from({ length: Math.min(8, entries - n) }, (_, i) => entry(n + i));
    await Promise.all(batch.map((one) => store.entries.admit(ns, one)));
  }
  const rng = createRng(3);
  for (let n = 0; n < labels; n += 1) await store.risk.observe(ns, label(n, rng));
}

/** CPU time that the server has used, s. */
async function serverCpu(client) {
  const info = await client.info('cpu');
  return ['user', 'sys'].reduce((sum, kind) => sum + Number(new RegExp(`used_cpu_${kind}:(\\S+)`).exec(info)[1]), 0);
}

/** The server's longest call of each function so far, ms. */
async function longestCalls(client) {
  const longest = {};
  for (const [, , micros, [name, fn]] of await client.call('SLOWLOG', 'GET', 4_000)) {
    if (!/fcall/i.test(name)) continue;
    const short = fn.replace(/^rp_|_\d+_\d+_.*$/g, '');
    longest[short] = Math.max(longest[short] ?? 0, micros / 1_000);
  }
  return Object.entries(longest)
    .map(([name, ms]) => `${name} ${ms.toFixed(1)}`)
    .join(', ');
}

export async function run({ smoke }) {
  const entries = smoke ? 300 : 5_000;
  const server = await startServer();
  const store = createRedisStore({ url: server.url, commandTimeoutMs: 10_000 });
  const planner = new ThreadPlanner();
  try {
    if (!(await store.connect(10_000))) throw new Error('no store');
    await fill(store, entries, smoke ? 100 : 1_000);
    await server.client.config('SET', 'slowlog-log-slower-than', 1_000, 'slowlog-max-len', 4_000);
    await server.client.call('SLOWLOG', 'RESET');
    const lines = [];
    const { plans, policies, risk, admin } = store;
    const log = { write: (_level, text, fields) => lines.push({ text, ...fields }) };
    const clock = { nowMs: () => Date.now() };
    const deps = { plans, policies, risk, admin, planner, clock, telemetry: silentTelemetry, log };
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const serverBefore = await serverCpu(server.client);
    const before = process.cpuUsage();
    const startedMs = performance.now();
    const { installed } = await new PlanRuns().run(deps, { everyMs: 30_000 });
    const took = (performance.now() - startedMs) / 1_000;
    const used = process.cpuUsage(before);
    delay.disable();
    if (installed !== 1) throw new Error(`nothing was installed: ${JSON.stringify(lines)}`);
    const { representatives, pairs, size, loss, lossWithout } = lines.at(-1);
    console.log(
      `recompute: ${entries} entries, ${representatives} representatives, ${pairs} pairs, ${size} planned, expected loss ${loss.toFixed(3)} of ${lossWithout.toFixed(3)}: ` +
        `${took.toFixed(1)} s, ${((used.user + used.system) / 1e6).toFixed(1)} s of CPU over all threads, ${((await serverCpu(server.client)) - serverBefore).toFixed(1)} s of the server; longest gap of the event loop ${(delay.max / 1e6).toFixed(1)} ms, ` +
        `longest calls of the server, ms: ${await longestCalls(server.client)}`,
    );
  } finally {
    await planner.close();
    await store.close();
    await server.stop();
  }
}
