import { fileURLToPath } from 'node:url';
import { Worker, MessageChannel } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ManagedEmbedder } from '../embedder.types.js';
import { createTransformersEmbedder } from './create-transformers-embedder.js';
import type { ModelDtype } from './model-files.js';

const modelDir =
  process.env['REPRISE_MODEL_DIR'] ?? fileURLToPath(new URL('../../../../.cache/model', import.meta.url));
/** Long enough for a machine that does other things too: these tests ask what comes, not when. */
const timeoutMs = 30_000;

const open = (dtype: ModelDtype): Promise<ManagedEmbedder> =>
  createTransformersEmbedder({ modelDir, dtype, timeoutMs, cacheEntries: 0, threads: 1 });

async function vectorOf(embedder: ManagedEmbedder, text: string): Promise<Float32Array> {
  const outcome = await embedder.embed(text);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.vector;
}

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

describe.each([
  // Of these three sentences; fp32 is exact, 8-bit weights move a cosine by some hundredths.
  ['fp32', 0.809, 0.032],
  ['q8', 0.808, 0.02],
] as const)('all-MiniLM-L6-v2 in %s', (dtype, near, far) => {
  let embedder: ManagedEmbedder;
  beforeAll(async () => (embedder = await open(dtype)));
  afterAll(() => embedder.close());

  it('is loaded, and its identity names the model, the dtype and the file', () => {
    expect(embedder.state().reason).toBeUndefined();
    expect(embedder.healthy()).toBe(true);
    expect(embedder.identity).toMatch(new RegExp(`^all-MiniLM-L6-v2@${dtype}:[0-9a-f]{12}$`));
    expect(embedder.dimensions).toBe(384);
  });

  it('has the known cosines', async () => {
    const reset = await vectorOf(embedder, 'How do I reset my password?');
    const change = await vectorOf(embedder, 'What is the way to change a forgotten password?');
    const paris = await vectorOf(embedder, 'Paris is the capital of France.');
    expect(cosine(reset, change)).toBeCloseTo(near, 2);
    expect(cosine(reset, paris)).toBeCloseTo(far, 1);
  });

  it.each([
    'Hello',
    'Как сбросить пароль?',
    'パスワード',
    'كلمة المرور',
    'SELECT * FROM t WHERE a = 1;',
    'naïve café ☕ ok',
  ])('%s gives a unit vector, the same each time', async (text) => {
    const vector = await vectorOf(embedder, text);
    expect(vector).toHaveLength(384);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(await vectorOf(embedder, text)).toEqual(vector);
  });

  it('a text has the same vector alone and among others at the same time', async () => {
    const texts = Array.from({ length: 24 }, (_, i) => `Where is order ${i} ${'and its parcel '.repeat(i % 7)}?`);
    const together = await Promise.all(texts.map((text) => vectorOf(embedder, text)));
    for (const i of [0, 6, 13, 23]) expect(await vectorOf(embedder, texts[i] ?? '')).toEqual(together[i]);
  });
});

describe('fp32', () => {
  it('has the first values of the independent implementation', async () => {
    const embedder = await open('fp32');
    const vector = await vectorOf(embedder, 'This is an example sentence');
    [0.0677, 0.0635, 0.0487, 0.0793, 0.0374].forEach((value, i) => expect(vector[i]).toBeCloseTo(value, 4));
    await embedder.close();
  });
});

describe('what is refused', () => {
  let embedder: ManagedEmbedder;
  beforeAll(async () => (embedder = await open('q8')));
  afterAll(() => embedder.close());

  it.each([
    [254, { ok: true }],
    [255, { ok: false, reason: 'too-long' }],
    [700, { ok: false, reason: 'too-long' }],
  ])('%i one-token words beside the two special tokens', async (words, outcome) => {
    expect(await embedder.embed('word '.repeat(words))).toMatchObject(outcome);
  });

  it('two texts that agree in the first 254 tokens are not given one vector', async () => {
    const same = 'word '.repeat(254);
    for (const tail of ['yes', 'no']) expect(await embedder.embed(same + tail)).toMatchObject({ ok: false });
  });

  it.each([
    ['a megabyte of words', 'word '.repeat(200_000)],
    ['a megabyte without a blank', 'x'.repeat(1_000_000)],
    ['4,097 characters', 'y'.repeat(4_097)],
    ['many characters of one grapheme', `e${'\u0301'.repeat(10_000)}`],
  ])('%s is too long before it is tokenised', async (_name, text) => {
    expect(await embedder.embed(text)).toEqual({ ok: false, reason: 'too-long' });
  });

  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['line ends', '\n\r\n\t'],
    ['no-break and ideographic blanks', '\u00a0\u3000'],
    ['zero-width characters', '\u200b\u200d\ufeff'],
    ['a lone surrogate', '\ud800'],
    ['another lone surrogate', '\udc00\ud800'],
    ['control characters', '\u0000\u0007'],
    ['emoji only', '😀'],
    ['other emoji only', '🎉🎉'],
    ['a word that no vocabulary has', 'z'.repeat(4_000)],
  ])('%s is empty: its vector would say nothing', async (_name, text) => {
    expect(await embedder.embed(text)).toEqual({ ok: false, reason: 'empty' });
  });

  it.each(['\u202eright to left', '؟ كلمة', 'a\u0000b', '\ud800 with words', '[CLS] [SEP] [MASK]', '<|endoftext|> hi'])(
    '%j is embedded without harm',
    async (text) => {
      expect(await embedder.embed(text)).toMatchObject({ ok: true });
    },
  );
});

describe('a model error', () => {
  it("is an outcome and prints nothing: the library's own message holds the caller's tokens", async () => {
    const { port1, port2 } = new MessageChannel();
    const workerData = {
      modelDir: `${modelDir}/`,
      model: 'Xenova/all-MiniLM-L6-v2',
      dtype: 'q8',
      // More tokens than the model has positions for make the session itself fail.
      windowTokens: 2_000,
      hang: false,
      crashWhile: '',
      port: port2,
      control: new Int32Array(new SharedArrayBuffer(8)),
    };
    const worker = new Worker(new URL('../../worker/embed-worker.mjs', import.meta.url), {
      workerData,
      transferList: [port2],
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    let printed = '';
    for (const stream of [worker.stdout, worker.stderr])
      stream.on('data', (data: Buffer) => (printed += data.toString()));
    const replies: unknown[] = [];
    const done = new Promise<void>((resolve) => {
      port1.on('message', (reply) => {
        replies.push(reply);
        if (replies.length === 2) resolve();
      });
    });
    port1.postMessage(['word '.repeat(600), Date.now() + timeoutMs]);
    port1.postMessage(['short', Date.now() + timeoutMs]);
    await done;
    port1.close();
    await worker.terminate();
    expect(replies[0]).toBe('failed');
    expect(replies[1]).toBeInstanceOf(Float32Array);
    expect(printed).toBe('');
  });
});
