// Cosines of the shared pairs with the real model; kept by pair id under .cache, no sentence with them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTransformersEmbedder } from '@reprise/embeddings';

const root = fileURLToPath(new URL('../../', import.meta.url));
const MODEL_DIR = process.env.REPRISE_MODEL_DIR ?? join(root, '.cache/model');

/** @typedef {import('./pairs.mjs').Pair} Pair */

/** @param {Float32Array} x @param {Float32Array} y */
const dot = (x, y) => x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);

/** @param {readonly Pair[]} pairs @param {'q8' | 'fp32'} dtype */
async function compute(pairs, dtype) {
  const embedder = await createTransformersEmbedder({ modelDir: MODEL_DIR, dtype, timeoutMs: 60_000, threads: 1 });
  const vectorOf = async (/** @type {string} */ text) => {
    const outcome = await embedder.embed(text);
    if (!outcome.ok) throw new Error(`no vector: ${outcome.reason}`);
    return outcome.vector;
  };
  /** @type {Record<string, number>} */
  const cosines = {};
  for (const { id, a, b } of pairs) cosines[id] = Number(dot(await vectorOf(a), await vectorOf(b)).toFixed(5));
  await embedder.close();
  return cosines;
}

/** Cosine by pair id. @param {string} name @param {readonly Pair[]} pairs @param {'q8' | 'fp32'} dtype */
export async function cosinesOf(name, pairs, dtype) {
  const folder = join(root, '.cache/guard-eval');
  const file = join(folder, `${name}.${dtype}.json`);
  if (existsSync(file)) return /** @type {Record<string, number>} */ (JSON.parse(readFileSync(file, 'utf8')));
  const cosines = await compute(pairs, dtype);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify(cosines));
  return cosines;
}
