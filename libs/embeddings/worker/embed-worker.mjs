// @ts-check
/**
 * One embedding thread. Plain JavaScript outside src and dist, so that the same file serves the built package and
 * tests that run from sources. Protocol (one text a call, answers in the order of the questions):
 *   in   [text, deadlineEpochMs]
 *   out  Float32Array (unit vector, transferred) | 'too-long' | 'empty' | 'late' | 'failed'
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * @typedef {{ modelDir: string, model: string, dtype: 'q8' | 'fp32' | 'int8', windowTokens: number,
 *   port: import('node:worker_threads').MessagePort, control: Int32Array, hang: boolean | string,
 *   crashWhile: string }} EmbedWorkerData
 */
const options = /** @type {EmbedWorkerData} */ (workerData);

const require = createRequire(import.meta.url);

// Ending a thread from outside while it is in the model's native code aborts the whole process (the addon's C++
// exception finds no JavaScript to go to). So the pool asks with STOP, and ends only a thread that is not inside.
const INSIDE = 0;
const STOP = 1;
const { control } = options;

/** Out of native code, or not into it when the pool has asked for the end. */
function outside() {
  Atomics.store(control, INSIDE, 0);
  Atomics.notify(control, INSIDE);
  if (Atomics.load(control, STOP) === 1) process.exit(0);
}

/** Runs work that enters native code. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
async function inside(work) {
  Atomics.store(control, INSIDE, 1);
  if (Atomics.load(control, STOP) === 1) outside();
  try {
    return await work();
  } finally {
    outside();
  }
}

/** Puts an empty module in the place of one that the library imports but that texts never reach. @param {string} name */
function leaveOut(name) {
  const id = createRequire(require.resolve('@xenova/transformers')).resolve(name);
  const exports = () => {
    throw new Error(`${name} is left out`);
  };
  require.cache[id] = Object.assign(new (require('node:module').Module)(id), { filename: id, loaded: true, exports });
}

// Image decoding: 10 MB and a native library in every gateway process.
leaveOut('sharp');
const { AutoModel, AutoTokenizer, env, LogLevel } = /** @type {typeof import('@xenova/transformers')} */ (
  require('@xenova/transformers')
);

env.allowRemoteModels = false;
env.allowLocalModels = true;
env.localModelPath = options.modelDir;
// At any other level a failing model prints the token ids, that is the caller's text.
env.logLevel = LogLevel.NONE;

const tokenizer = await AutoTokenizer.from_pretrained(options.model);
const model = await AutoModel.from_pretrained(options.model, {
  dtype: options.dtype,
  device: 'cpu',
  // Every length of text is another shape, and a memory pattern would be kept for each.
  session_options: { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential', enableMemPattern: false },
});

const unknownId = BigInt(tokenizer.unk_token_id ?? -1);
const SPECIAL_TOKENS = 2;
const POLL_MS = 20;

/**
 * Mean over all tokens, then to unit length: the pooling that the model was trained with.
 * @param {Float32Array} states @param {number} tokens @param {number} size
 */
function pool(states, tokens, size) {
  const vector = new Float32Array(size);
  for (let at = 0; at < tokens * size; at += size) {
    for (let i = 0; i < size; i += 1)
      vector[i] = /** @type {number} */ (vector[i]) + /** @type {number} */ (states[at + i]);
  }
  let square = 0;
  for (const value of vector) square += value * value;
  const scale = 1 / Math.sqrt(square);
  for (let i = 0; i < size; i += 1) vector[i] = /** @type {number} */ (vector[i]) * scale;
  return vector;
}

/** True when nothing but special and unknown tokens is left: such a vector says nothing about the text.
 * @param {BigInt64Array} ids */
const saysNothing = (ids) => ids.length <= SPECIAL_TOKENS || ids.subarray(1, -1).every((id) => id === unknownId);

/** @param {string} text @returns {Promise<Float32Array | string>} */
async function embed(text) {
  const inputs = tokenizer(text, { truncation: false, padding: false });
  const ids = /** @type {BigInt64Array} */ (inputs.input_ids.data);
  if (ids.length > options.windowTokens) return 'too-long';
  if (saysNothing(ids)) return 'empty';
  const { last_hidden_state: states } = await inside(() => model(inputs));
  const vector = pool(states.data, ids.length, states.dims[2]);
  return Number.isFinite(vector[0]) ? vector : 'failed';
}

const hangs = () => options.hang === true || (typeof options.hang === 'string' && existsSync(options.hang));

/** Fault tests only: from outside, this looks like a thread that is stuck in native code. */
async function misbehave() {
  if (options.crashWhile !== '' && existsSync(options.crashWhile)) process.exit(70);
  if (!hangs()) return;
  await inside(async () => {
    while (hangs()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  });
}
const faulty = options.hang !== false || options.crashWhile !== '';

/** @param {readonly [string, number]} question */
async function answer([text, deadlineMs]) {
  if (faulty) await misbehave();
  if (Date.now() > deadlineMs) return options.port.postMessage('late');
  const reply = await embed(text).catch(() => 'failed');
  if (typeof reply === 'string') return options.port.postMessage(reply);
  return options.port.postMessage(reply, [/** @type {ArrayBuffer} */ (reply.buffer)]);
}

await embed('warm up');
// Loading was inside too: the pool sets INSIDE before the thread starts, and the warm-up has just cleared it.

// One at a time: the model must not run two texts at once, and answers keep the order of the questions.
let last = Promise.resolve();
options.port.on('message', (question) => {
  last = last.then(() => answer(question));
});
parentPort?.postMessage('ready');
