// One stream twice, request by request: over HTTP through a gateway process, Redis and a worker, and by the simulator's replay
// in memory. usage: REPRISE_DATA_DIR=… REPRISE_MODEL_DIR=… node bench/risk/fidelity.mjs [conversations] [order] [budget] [redis url]
import { randomBytes } from 'node:crypto';
import { effectivePolicy } from '@reprise/config';
import { createTransformersEmbedder } from '@reprise/embeddings';
import { createMemoryStore } from '@reprise/memory-store';
import { seedSecret } from '@reprise/nest';
import { replayChat } from '@reprise/simulator';
import { createReferenceJudge } from '@reprise/testing';
import { conversationSets } from './dataset.mjs';
import { numpyRng } from './numpy-random.mjs';
import { configOf, openProduct, settings } from './product.mjs';
import { conversationName, recordOf, sgdStream } from './sgd-stream.mjs';

const NS = 'simulate';
const ORDER_SEED = 1000;
const COUNTED = /^(judged_|semantic_hit$|exact_hit$)/;

/** The first conversations of set A, in an order of the table; `longest`: only those of at most so many exchanges. */
export function conversationsOf(count, order, longest = Infinity) {
  const { A } = conversationSets();
  return numpyRng(ORDER_SEED + order)
    .permutation(A.length)
    .map((c) => A[c])
    .filter(({ turns }) => turns.length <= longest)
    .slice(0, count);
}

/** Where the embedding model lies. */
export const modelFolder = () =>
  process.env.REPRISE_MODEL_DIR ?? new URL('../../.cache/model', import.meta.url).pathname;

const counted = (stats) => Object.fromEntries(Object.entries(stats).filter(([name]) => COUNTED.test(name)));

/** Entries of the two runs stand for each other when each was always met where the other was. */
class Pairing {
  there = new Map();
  back = new Map();

  same(a, b) {
    if (!this.there.has(a) && !this.back.has(b)) {
      this.there.set(a, b);
      this.back.set(b, a);
    }
    return this.there.get(a) === b && this.back.get(b) === a;
  }
}

/**
 * Plays the conversations both ways. Resolves to the decisions of both, in order, and the labels of both:
 * { steps: [{ http, memory }], labels: { http, memory }, stats, sameEntry(step) }.
 */
export async function playBoth({
  redisUrl,
  modelDir = modelFolder(),
  conversations,
  newest,
  cache,
  onConversation = () => undefined,
}) {
  const stream = sgdStream(conversations, newest);
  const space = `fidelity-${randomBytes(6).toString('hex')}`;
  const { dtype } = configOf(settings(cache)).embedding;
  const sizes = { timeoutMs: 60_000, cacheEntries: 100_000, cacheBytes: 400_000_000, threads: 1 };
  const embedder = await createTransformersEmbedder({ modelDir, dtype, ...sizes });
  const product = await openProduct({ redisUrl, modelDir, stream, space, cache });
  const { config } = product;
  const store = createMemoryStore({ nowMs: () => 0 });
  const answers = [];

  async function* trace() {
    for (const [c, exchanges] of stream.exchanges.entries()) {
      const own = [];
      for (const exchange of exchanges) own.push(await product.ask(exchange));
      answers.push(...own);
      for (const [i, exchange] of exchanges.entries()) yield recordOf(exchange, own[i].requestId);
      await product.drain(conversationName(exchanges[0].conversation), counted(await store.admin.stats(NS)));
      onConversation(c);
    }
  }

  try {
    const steps = [];
    const replay = replayChat(trace(), {
      store,
      ns: NS,
      policy: effectivePolicy(config),
      embedder,
      limits: {
        jsonDepth: config.limits.jsonDepth,
        maxMessages: config.limits.maxMessages,
        semanticMaxChars: config.limits.semanticMaxChars,
        historyMessages: 32,
      },
      seed: 1,
      costOf: () => 0,
      learning: { risk: store.risk, judge: createReferenceJudge(stream.truth), labelSecret: seedSecret(config) },
    });
    for await (const memory of replay) steps.push({ http: answers[steps.length], memory });
    for (const step of steps)
      if (step.memory.kind !== 'hit-exact') step.explained = await product.explain(step.http.requestId);
    return {
      steps,
      stream,
      labels: { http: await labelsOf(product.runtime.risk, product.ns), memory: await labelsOf(store.risk, NS) },
      stats: { http: await product.runtime.admin.stats(product.ns), memory: await store.admin.stats(NS) },
    };
  } finally {
    await product.close();
    await embedder.close();
  }
}

async function labelsOf(risk, ns) {
  const labels = [];
  let position = '';
  for (;;) {
    const { events } = await risk.read(ns, position, 500);
    labels.push(...events.flatMap((event) => (event.kind === 'label' ? [event.label] : [])));
    if (events.length < 500) return labels.sort((a, b) => (a.requestId < b.requestId ? -1 : 1));
    position = events.at(-1).id;
  }
}

/** What differs, in words; empty when the two agree request by request, scores and rows to the last bit. */
export function differences({ steps, labels }) {
  const found = [];
  const pairing = new Pairing();
  steps.forEach(({ http, memory, explained }, i) => {
    const differ = (what, a, b) => {
      if (a !== b) found.push(`request ${i} (${memory.record.id}), ${what}: HTTP ${a}, memory ${b}`);
    };
    differ('outcome', http.kind, memory.kind);
    differ('reason', http.reason, memory.reason);
    if (memory.kind === 'hit-exact') differ('entry', pairing.same(http.entryId, memory.entryId), true);
    if (memory.kind === 'hit-semantic') differ('entry', pairing.same(http.entryId, memory.entryId), true);
    if (memory.kind === 'hit-exact') return;
    differ('risk', explained.risk, memory.risk);
    differ('snapshot', explained.snapshot, memory.snapshot);
    differ('similarity', explained.similarity, memory.similarity);
  });
  const text = ({ conversation, turn, rule, served, rejected, rate, score, snapshot, row, texts }) =>
    JSON.stringify([conversation, turn, rule, served, rejected, rate, score, snapshot, [...row], [...(texts ?? [])]]);
  const known = new Map(labels.memory.map((label) => [label.requestId, label]));
  for (const label of labels.http) {
    const other = known.get(label.requestId);
    if (other === undefined) found.push(`label ${label.requestId}: not in memory`);
    else if (text(label) !== text(other))
      found.push(`label ${label.requestId} of turn ${label.turn}: another one in memory`);
  }
  if (labels.http.length !== labels.memory.length)
    found.push(`labels: HTTP ${labels.http.length}, memory ${labels.memory.length}`);
  return found;
}

export function summary({ steps, labels, stream }) {
  const count = (kind) => steps.filter(({ memory }) => memory.kind === kind).length;
  const wrong = steps.filter(({ http, memory }) => {
    if (memory.kind !== 'hit-semantic') return false;
    const messages = memory.record.request.messages;
    const history = messages
      .slice(0, -1)
      .slice(-16)
      .map(({ content }) => ({ text: content }));
    return stream.truth({ history, message: messages.at(-1).content, candidate: http.content }) === 1;
  });
  return {
    requests: steps.length,
    exact: count('hit-exact'),
    semantic: count('hit-semantic'),
    withinBudget: steps.filter(({ memory }) => memory.reason === 'within-budget').length,
    wrong: wrong.length,
    labels: labels.http.length,
    snapshots: Math.max(0, ...steps.map(({ memory }) => memory.snapshot ?? 0)),
  };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [count = '300', order = '0', budget = '0.05', redisUrl = 'redis://127.0.0.1:6379'] = process.argv.slice(2);
  const startedMs = performance.now();
  const both = await playBoth({
    redisUrl,
    modelDir: modelFolder(),
    conversations: conversationsOf(Number(count), Number(order)),
    cache: { REPRISE_CACHE__ERROR_BUDGET: budget },
    onConversation: (c) =>
      c % 50 === 49 && console.log(`${c + 1} conversations, ${Math.round((performance.now() - startedMs) / 1000)} s`),
  });
  const found = differences(both);
  console.log({ ...summary(both), differences: found.length });
  for (const line of found.slice(0, 20)) console.log(line);
}
