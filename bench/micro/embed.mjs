// The embedder beside a bare worker thread that runs the library's pipeline: time per text, alone and 16 at a time, and
// the longest gap of the main thread's event loop meanwhile.
import { availableParallelism, cpus } from 'node:os';
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { createTransformersEmbedder } from '@reprise/embeddings';

const words = 'how do i reset my card order price when where account change open close late parcel'.split(' ');

/** A text of n tokens, another one for each i. */
const textOf = (n, i) =>
  Array.from({ length: n - 2 }, (_, j) => words[(i * 7 + j * (3 + (i % 5))) % words.length]).join(' ');

async function bareWorker(modelDir, dtype) {
  const worker = new Worker(new URL('./embed-floor-worker.mjs', import.meta.url), {
    workerData: { modelDir: `${modelDir}/`, dtype },
  });
  await new Promise((resolve) => worker.once('message', resolve));
  const waiting = new Map();
  worker.on('message', ({ id, vector }) => {
    waiting.get(id)?.(vector);
    waiting.delete(id);
  });
  let next = 0;
  return {
    embed: (text) =>
      new Promise((resolve) => {
        waiting.set((next += 1), resolve);
        worker.postMessage({ id: next, text });
      }),
    close: () => worker.terminate(),
  };
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const percentile = (values, share) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)];

/** Milliseconds per text of `count` texts, `at` of them open at a time. */
async function measure(arm, tokens, count, at, offset) {
  const times = [];
  let next = 0;
  const one = async () => {
    while (next < count) {
      const text = textOf(tokens, offset + (next += 1));
      const startMs = performance.now();
      const outcome = await arm.embed(text);
      if (outcome.ok === false) throw new Error(`${tokens} tokens: ${outcome.reason}`);
      times.push(performance.now() - startMs);
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: at }, one));
  return { p50: median(times), p99: percentile(times, 0.99), each: (performance.now() - startMs) / count };
}

export async function run({ smoke }) {
  const modelDir = process.env['REPRISE_MODEL_DIR'] ?? '.cache/model';
  const dtype = 'q8';
  const options = { modelDir, dtype, threads: 1, timeoutMs: 10_000, queueLimit: 4_096 };
  const arms = {
    floor: await bareWorker(modelDir, dtype),
    embedder: await createTransformersEmbedder({ ...options, cacheEntries: 0 }),
  };
  const cached = await createTransformersEmbedder(options);
  if (!arms.embedder.healthy()) throw new Error(arms.embedder.state().reason);

  const rounds = smoke ? 1 : 7;
  const rows = [];
  for (const [tokens, count] of [
    [8, 200],
    [32, 100],
    [128, 40],
    [256, 20],
  ]) {
    for (const at of [1, 16]) {
      const seen = { floor: [], embedder: [] };
      for (let round = 0; round < rounds; round += 1) {
        const order = round % 2 === 0 ? ['floor', 'embedder'] : ['embedder', 'floor'];
        for (const name of order) {
          const n = smoke ? 5 : count;
          seen[name].push(await measure(arms[name], tokens, n, at, round * 1_000));
        }
      }
      const row = { tokens, open: at };
      for (const [name, all] of Object.entries(seen)) {
        row[`${name} p50 ms`] = Number(median(all.map((m) => m.p50)).toFixed(3));
        row[`${name} ms/text`] = Number(median(all.map((m) => m.each)).toFixed(3));
      }
      row['p50 ratio'] = Number((row['embedder p50 ms'] / row['floor p50 ms']).toFixed(3));
      row['ms/text ratio'] = Number((row['embedder ms/text'] / row['floor ms/text']).toFixed(3));
      rows.push(row);
    }
  }
  console.table(rows);

  const gap = monitorEventLoopDelay({ resolution: 1 });
  const gaps = {};
  for (const [name, work] of [
    ['idle', () => new Promise((resolve) => setTimeout(resolve, smoke ? 200 : 3_000))],
    ['embedding, 16 open, 128 tokens', () => measure(arms.embedder, 128, smoke ? 16 : 300, 16, 9_000)],
  ]) {
    gap.reset();
    gap.enable();
    await work();
    gap.disable();
    gaps[name] = { p50: gap.percentile(50) / 1e6, p99: gap.percentile(99) / 1e6, max: gap.max / 1e6 };
  }
  await cached.embed('a text that is kept');
  const hitStart = performance.now();
  const hits = smoke ? 100 : 20_000;
  for (let i = 0; i < hits; i += 1) await cached.embed('a text that is kept');
  const hitUs = ((performance.now() - hitStart) / hits) * 1_000;
  console.log('event loop gap in ms (resolution 1 ms):', JSON.stringify(gaps));
  console.log(`a vector found in process: ${hitUs.toFixed(2)} µs`);
  const result = {
    what: 'embedder beside a bare worker with the pipeline of transformers.js, alternating, medians over rounds',
    machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version },
    dtype,
    rounds,
    rows,
    eventLoopGapMs: gaps,
    cachedVectorUs: Number(hitUs.toFixed(2)),
  };
  if (!smoke)
    writeFileSync(new URL('../results/micro-embed.json', import.meta.url), `${JSON.stringify(result, null, 2)}\n`);
  await Promise.all([...Object.values(arms), cached].map((arm) => arm.close()));
}
