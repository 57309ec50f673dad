// Embeds every text of sets A and D with the real model in fp32, one text a call; keeps them under .cache/risk, resumable.
// usage: REPRISE_DATA_DIR=… REPRISE_MODEL_DIR=… node bench/risk/embed.mjs [A|D|AD]
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { AutoModel, AutoTokenizer, env, LogLevel } from '@xenova/transformers';
import { conversationSets } from './dataset.mjs';

const folder = new URL('../../.cache/risk/', import.meta.url).pathname;
const SIZE = 384;
const WINDOW = 256;
const CHUNK = 256;

/** Texts in the order of their first appearance, and their unit vectors one after another. */
export function readVectors() {
  const texts = readFileSync(`${folder}texts.jsonl`, 'utf8').trimEnd().split('\n').map(JSON.parse);
  const bytes = readFileSync(`${folder}vectors.f32`);
  return { texts, vectors: new Float32Array(bytes.buffer, bytes.byteOffset, texts.length * SIZE) };
}

function known() {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(`${folder}texts.jsonl`)) return new Set();
  const { texts } = readVectors();
  truncateSync(`${folder}vectors.f32`, texts.length * SIZE * 4);
  return new Set(texts);
}

async function createModel() {
  env.allowRemoteModels = false;
  env.localModelPath = process.env.REPRISE_MODEL_DIR;
  env.logLevel = LogLevel.NONE;
  const name = 'Xenova/all-MiniLM-L6-v2';
  const tokenizer = await AutoTokenizer.from_pretrained(name);
  const model = await AutoModel.from_pretrained(name, {
    dtype: 'fp32',
    device: 'cpu',
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' },
  });
  return async (text) => {
    const { last_hidden_state: states } = await model(tokenizer(text, { truncation: true, max_length: WINDOW }));
    const vector = new Float32Array(SIZE);
    for (let at = 0; at < states.data.length; at += SIZE) {
      for (let i = 0; i < SIZE; i += 1) vector[i] += states.data[at + i];
    }
    const scale = 1 / Math.hypot(...vector);
    return vector.map((value) => value * scale);
  };
}

async function embedAll(which) {
  const done = known();
  const sets = conversationSets();
  const wanted = [];
  for (const name of which) {
    for (const { turns } of sets[name]) {
      for (const text of turns.flatMap((turn) => [turn.user, turn.assistant])) {
        if (done.has(text)) continue;
        done.add(text);
        wanted.push(text);
      }
    }
  }
  console.log(`${wanted.length} texts to embed, ${done.size - wanted.length} kept`);
  const embed = await createModel();
  const startedMs = performance.now();
  for (let from = 0; from < wanted.length; from += CHUNK) {
    const texts = wanted.slice(from, from + CHUNK);
    const rows = new Float32Array(texts.length * SIZE);
    for (const [i, text] of texts.entries()) rows.set(await embed(text), i * SIZE);
    appendFileSync(`${folder}vectors.f32`, Buffer.from(rows.buffer));
    appendFileSync(`${folder}texts.jsonl`, texts.map((text) => `${JSON.stringify(text)}\n`).join(''));
    if (from % (CHUNK * 8) === 0) {
      console.log(
        `${from + texts.length} of ${wanted.length}, ${Math.round((performance.now() - startedMs) / 1000)} s`,
      );
    }
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) await embedAll(process.argv[2] ?? 'AD');
