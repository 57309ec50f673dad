// What else serves the same streams: fixed cosine thresholds, ContextCache, MeanCache, vCache, exact keys. Same orders, same
// judge, empty start, answers stored on a miss only, never from the own conversation. One JSON line a run under .cache/risk.
// usage: REPRISE_DATA_DIR=… node bench/risk/alternatives.mjs [A|D] [orders 0,1,2,3,4] [most conversations]
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { comparisonRule, decideComparison, labelCoin, VcacheEntry } from '@reprise/policy';
import { generallyAcceptable } from './judge.mjs';
import { eachBlock, largest } from './nearest.mjs';
import { numpyRng } from './numpy-random.mjs';
import { prepare } from './prepare.mjs';

const folder = new URL('../../.cache/risk/', import.meta.url).pathname;
const SIZE = 384;
const LISTED = 300;
const ORDER_SEED = 1000;
const GRID = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995, 0.999, 0.999999];
const TARGETS = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1];

export const alternativesFile = (set) => `${folder}alternatives-${set}.jsonl`;

export const readAlternatives = (set) =>
  existsSync(alternativesFile(set))
    ? readFileSync(alternativesFile(set), 'utf8').trimEnd().split('\n').map(JSON.parse)
    : [];

const unit = (values) => {
  const length = Math.hypot(...values);
  return length === 0 ? values : values.map((value) => value / length);
};
const scaled = (vector, weight) => vector.map((value) => value * Math.sqrt(weight));
/** The last coordinate of a state with history parts: two first turns have the same, empty, history. */
const emptiness = ({ turn }, weight) => [turn === 0 ? Math.sqrt(weight) : 0];

/** What each similarity compares; the dot product of two rows is the similarity, 1 at most. */
const SIMILARITIES = {
  'last message': { width: SIZE, row: ({ state }) => state.message.vector },
  'whole conversation': { width: SIZE, row: ({ whole }) => whole },
  'joint state (.7 message, .3 history)': {
    width: 2 * SIZE + 1,
    row: ({ state }) => [...scaled(state.message.vector, 0.7), ...scaled(state.history, 0.3), ...emptiness(state, 0.3)],
  },
  'state of the index (.5, .3, .2)': {
    width: 3 * SIZE + 1,
    row: ({ state }) => [
      ...scaled(state.message.vector, 0.5),
      ...scaled(state.previous.vector, 0.3),
      ...scaled(state.history, 0.2),
      ...emptiness(state, 0.5),
    ],
  },
};

/** Mean of all messages so far; mean of the last five user messages; the user's message before; the texts as keys. */
function addContexts({ conversations, requests }) {
  for (const { first, end } of conversations) {
    const sum = new Float64Array(SIZE);
    for (let r = first; r < end; r += 1) {
      const request = requests[r];
      const add = (vector) => vector.forEach((value, i) => (sum[i] += value));
      add(request.state.message.vector);
      request.whole = unit(Float64Array.from(sum));
      add(request.reply.vector);
      const recent = requests.slice(Math.max(first, r - 4), r + 1);
      request.recent = unit(
        Float64Array.from({ length: SIZE }, (_, i) =>
          recent.reduce((all, one) => all + one.state.message.vector[i], 0),
        ),
      );
      request.parent = r === first ? undefined : requests[r - 1].state.message.vector;
    }
  }
}

/** Entries by similarity to each request, nearest first; { ids, values } with LISTED of each. */
async function listNearest(requests, { width, row }) {
  const rows = new Float32Array(requests.length * width);
  requests.forEach((request, r) => rows.set(row(request), r * width));
  const listed = Math.min(LISTED, requests.length);
  const ids = new Int32Array(requests.length * listed).fill(-1);
  const values = new Float32Array(requests.length * listed);
  await eachBlock(rows, width, (from, height, data, count) => {
    for (let r = 0; r < height; r += 1) {
      const own = requests[from + r].conversation;
      const found = largest(data, r * count, count, listed, (j) => requests[j].conversation === own);
      ids.set(found, (from + r) * listed);
      found.forEach((j, k) => (values[(from + r) * listed + k] = data[r * count + j]));
    }
  });
  return { rows, width, listed, ids, values };
}

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** The `most` nearest live entries of a request; looks at all live ones when the list does not hold enough. */
function nearestLive({ near, requests, live, alive }, r, most) {
  const { rows, width, listed, ids, values } = near;
  const found = [];
  for (let k = r * listed; k < (r + 1) * listed && found.length < most && ids[k] !== -1; k += 1) {
    if (live[ids[k]] === 1) found.push({ entry: ids[k], similarity: values[k] });
  }
  if (found.length === most || found.length === alive.length) return found;
  const own = rows.subarray(r * width, (r + 1) * width);
  return alive
    .filter((entry) => requests[entry].conversation !== requests[r].conversation)
    .map((entry) => ({ entry, similarity: dot(own, rows.subarray(entry * width, (entry + 1) * width)) }))
    .sort((a, b) => b.similarity - a.similarity || a.entry - b.entry)
    .slice(0, most);
}

/** A rule of the product's comparison modes over the `most` nearest; no guards, as in the rest of the table. */
const compared = (rule, most, contextOf) => () => ({
  decide(r, stream) {
    const near = nearestLive(stream, r, most);
    const candidates = near.map(({ entry, similarity }) => ({
      similarity,
      contextSimilarity: cosineOf(contextOf(stream.requests[r]), contextOf(stream.requests[entry])),
      wall: undefined,
    }));
    const { serve, candidate } = decideComparison(rule, candidates);
    return serve ? near[candidate] : undefined;
  },
});

/** 1 when neither has a second vector, −1 when only one has. */
const cosineOf = (a, b) => (a === undefined || b === undefined ? (a === b ? 1 : -1) : dot(a, b));

const threshold = (least) => compared(comparisonRule('joint-state', { minCosine: least }), 1, () => undefined);

const contextCache = (message, context) =>
  compared(
    comparisonRule('context-cache', { minCosine: message, minContextCosine: context }),
    5,
    ({ recent }) => recent,
  );

const meanCache = (least) =>
  compared(comparisonRule('mean-cache', { minCosine: least, minContextCosine: least }), 5, ({ parent }) => parent);

/** Explores or exploits the nearest entry; a fresh answer is stored only if the nearest was wrong. */
const vcache = (delta) => () => {
  const entries = new Map();
  return {
    decide(r, stream) {
      const [nearest] = nearestLive(stream, r, 1);
      if (nearest === undefined) return undefined;
      const { entry, similarity } = nearest;
      if (!entries.has(entry)) entries.set(entry, new VcacheEntry());
      const chance = entries.get(entry).exploitProbability(similarity, delta);
      if (labelCoin('vcache', stream.requests[r].id) < chance) return nearest;
      const rejected = stream.rejected(r, entry);
      entries.get(entry).observe(similarity, 1 - rejected);
      return { explored: true, keep: rejected === 1 };
    },
  };
};

/** The latest live entry under the same key. */
const exact = (keyOf) => () => {
  const byKey = new Map();
  return {
    decide(r, { requests }) {
      const key = keyOf(requests[r]);
      const entry = byKey.get(key);
      if (entry !== undefined && requests[entry].conversation !== requests[r].conversation) return { entry };
      byKey.set(key, r);
      return undefined;
    },
  };
};

function familiesOf(similarity) {
  const all = [
    ...GRID.map((least) => [`cosine, ${similarity}`, { least }, threshold(least)]),
    ...TARGETS.map((delta) => [`vCache, ${similarity}`, { delta }, vcache(delta)]),
  ];
  if (similarity !== 'last message') return all;
  return [
    ...all,
    ...GRID.map((least) => ['MeanCache', { least }, meanCache(least)]),
    ...[0.5, 0.6, 0.75, 0.85, 0.95].flatMap((message) =>
      [0.6, 0.7, 0.8, 0.9, 0.95, 0.98].map((context) => [
        'ContextCache',
        { message, context },
        contextCache(message, context),
      ]),
    ),
    ['exact, last message', {}, exact(({ state }) => state.message)],
    ['exact, whole conversation', {}, exact(({ key }) => key)],
  ];
}

function play(stream, make, order) {
  const { conversations, requests, live } = stream;
  live.fill(0);
  stream.alive.length = 0;
  const policy = make();
  const result = { requests: requests.length, hits: 0, wrong: 0, firstServe: null, labels: 0, quarters: [0, 0, 0, 0] };
  let seen = 0;
  for (const c of numpyRng(ORDER_SEED + order).permutation(conversations.length)) {
    for (let r = conversations[c].first; r < conversations[c].end; r += 1) {
      const made = policy.decide(r, stream);
      seen += 1;
      if (made?.entry === undefined) {
        if (made?.explored) result.labels += 1;
        if (made?.keep === false) continue;
        live[r] = 1;
        stream.alive.push(r);
        continue;
      }
      result.hits += 1;
      result.wrong += stream.rejected(r, made.entry);
      result.firstServe ??= seen;
      result.quarters[Math.min(3, Math.floor((4 * (seen - 1)) / requests.length))] += 4 / requests.length;
    }
  }
  return result;
}

function streamOf(prepared) {
  const { requests } = prepared;
  const known = new Map();
  const rejected = (r, entry) => {
    const pair = r * requests.length + entry;
    if (!known.has(pair)) known.set(pair, generallyAcceptable(requests[entry].facts, requests[r].facts) ? 0 : 1);
    return known.get(pair);
  };
  return { ...prepared, rejected, live: new Uint8Array(requests.length), alive: [] };
}

const keyOf = ({ family, setting, order, most }) => JSON.stringify([family, setting, order, most]);

export async function runAlternatives(set, orders, most) {
  const prepared = await prepare(set, most);
  addContexts(prepared);
  const stream = streamOf(prepared);
  const done = new Set(readAlternatives(set).map(keyOf));
  for (const [similarity, how] of Object.entries(SIMILARITIES)) {
    stream.near = await listNearest(prepared.requests, how);
    for (const [family, setting, make] of familiesOf(similarity)) {
      for (const order of orders) {
        const run = { set, most, family, setting, order };
        if (done.has(keyOf(run))) continue;
        appendFileSync(alternativesFile(set), `${JSON.stringify({ ...run, ...play(stream, make, order) })}\n`);
      }
    }
    console.log(`${set}: ${similarity}`);
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [set = 'A', orders = '0,1,2,3,4', most = '2200'] = process.argv.slice(2);
  await runAlternatives(set, orders.split(',').map(Number), Number(most));
}
