// The LoCoMo conversations as a turn stream, and the model's vectors of every turn and question (cached under .cache/locomo).
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

export const repoRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const dataRoot = process.env.REPRISE_DATA_DIR ?? resolve(repoRoot, '../shared/data');
const modelDir = process.env.REPRISE_MODEL_DIR ?? join(repoRoot, '.cache/model');
const modelName = 'Xenova/all-MiniLM-L6-v2';
const dim = 384;

/**
 * @typedef {{ id: string, text: string }} Turn
 * @typedef {{ id: string, text: string, evidence: number[] }} Question evidence = indexes of turns
 * @typedef {{ id: string, turns: Turn[], questions: Question[], turnVectors: Float32Array, questionVectors: Float32Array }} Conversation
 */

/** @returns {string | undefined} the file, if this machine has it */
export function locomoFile() {
  const file = join(dataRoot, 'locomo10/conversations.jsonl.gz');
  return existsSync(file) ? file : undefined;
}

/** Questions without a resolvable evidence turn are left out. */
export function readConversations(file) {
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  return lines.map((line) => {
    const raw = JSON.parse(line);
    const turns = raw.sessions.flatMap((session) =>
      session.turns.map((turn) => ({ id: turn.id, text: turnText(turn) })),
    );
    const position = new Map(turns.map((turn, i) => [turn.id, i]));
    const questions = raw.qa
      .map((qa) => ({
        id: qa.id,
        text: qa.question,
        evidence: [...new Set(qa.evidence.map((id) => position.get(id)).filter((i) => i !== undefined))],
      }))
      .filter((question) => question.evidence.length > 0);
    return { id: raw.id, turns, questions };
  });
}

function turnText({ speaker, text, image_caption: caption }) {
  return caption ? `${speaker}: ${text} (${caption})` : `${speaker}: ${text}`;
}

/** Adds the vectors; embeds what the cache file does not hold, one text a call, and says how far it is. */
export async function withVectors(conversations, log) {
  const texts = conversations.flatMap((c) => [...c.turns, ...c.questions].map(({ text }) => text));
  const key = createHash('sha256').update(readFileSync(join(modelDir, modelName, 'onnx/model_quantized.onnx')));
  texts.forEach((text) => key.update(`${text.length}:${text}`));
  const file = join(repoRoot, '.cache/locomo', `${key.digest('hex').slice(0, 16)}.f32`);
  if (!existsSync(file)) await embedAll(texts, file, log);
  const bytes = readFileSync(file);
  const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  let at = 0;
  const take = (rows) => all.subarray(at * dim, (at += rows) * dim);
  return conversations.map((c) => ({
    ...c,
    turnVectors: take(c.turns.length),
    questionVectors: take(c.questions.length),
  }));
}

async function embedAll(texts, file, log) {
  const { env, pipeline } = await import('@xenova/transformers');
  env.localModelPath = `${modelDir}/`;
  env.allowRemoteModels = false;
  const embed = await pipeline('feature-extraction', modelName, {
    dtype: 'q8',
    session_options: { intraOpNumThreads: 1, logSeverityLevel: 3 },
  });
  const all = new Float32Array(texts.length * dim);
  for (const [i, text] of texts.entries()) {
    const { data } = await embed(text, { pooling: 'mean', normalize: true });
    all.set(data, i * dim);
    if (i % 1000 === 999) log(`embedded ${i + 1} of ${texts.length}`);
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, new Uint8Array(all.buffer));
  renameSync(`${file}.part`, file);
}
