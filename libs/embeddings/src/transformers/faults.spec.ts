import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Log } from '@reprise/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ManagedEmbedder } from '../embedder.types.js';
import { createTransformersEmbedder, type TransformersEmbedderOptions } from './create-transformers-embedder.js';
import { WorkerSlot, type WorkerReply } from './worker-slot.js';

const modelDir =
  process.env['REPRISE_MODEL_DIR'] ?? fileURLToPath(new URL('../../../../.cache/model', import.meta.url));
const MODEL = 'Xenova/all-MiniLM-L6-v2';

let dir = '';
let opened: ManagedEmbedder[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-embed-'));
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((embedder) => embedder.close()));
  rmSync(dir, { recursive: true, force: true });
});

/** Counts what the embedder reports, by name and label value. */
function counts() {
  const seen = new Map<string, number>();
  return {
    seen,
    telemetry: {
      count: (name: string, labels?: Readonly<Record<string, string>>, by = 1): void => {
        const key = [name.replace('reprise_embed_', ''), ...Object.values(labels ?? {})].join(' ');
        seen.set(key, (seen.get(key) ?? 0) + by);
      },
      observeMs: (): void => undefined,
    },
  };
}

async function open(options: Partial<TransformersEmbedderOptions>): Promise<ManagedEmbedder> {
  const embedder = await createTransformersEmbedder({
    modelDir,
    dtype: 'q8',
    threads: 1,
    cacheEntries: 100,
    ...options,
  });
  opened.push(embedder);
  return embedder;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(20);
}

const answers = async (embedder: ManagedEmbedder): Promise<boolean> =>
  (await embedder.embed(`hello ${Math.random()}`)).ok;

describe('a black-holed thread', () => {
  it('costs a caller its time-out at most, then nothing; the semantic tier is back when the thread is replaced', async () => {
    const hole = join(dir, 'hole');
    const { seen, telemetry } = counts();
    const embedder = await open({ hang: hole, timeoutMs: 60, hangMs: 1_000, telemetry });
    await until(() => answers(embedder));
    writeFileSync(hole, '');
    expect(await embedder.embed('is anybody there?')).toEqual({ ok: false, reason: 'timeout' });
    await until(() => !embedder.healthy());
    expect(embedder.state().reason).toBe('no embedding thread answers');
    expect(await embedder.embed('and now?')).toEqual({ ok: false, reason: 'unavailable' });
    // A replacement is as stuck as the first one, so more than one is tried.
    await until(async () => {
      await embedder.embed(`still? ${Math.random()}`);
      return (seen.get('restarts_total hung') ?? 0) >= 2;
    });
    rmSync(hole);
    await until(() => answers(embedder));
    expect(embedder.healthy()).toBe(true);
    expect(embedder.state().pending).toBe(0);
  });

  it('that was only slow is healthy again without a replacement', async () => {
    const hole = join(dir, 'hole');
    const { seen, telemetry } = counts();
    const embedder = await open({ timeoutMs: 1, telemetry, hang: hole });
    const long = Array.from({ length: 200 }, (_, i) => `word${i % 9}`).join(' ');
    expect(await embedder.embed(long)).toEqual({ ok: false, reason: 'timeout' });
    await until(() => embedder.state().pending === 0 && embedder.healthy());
    expect(seen.get('restarts_total hung')).toBeUndefined();
  });

  it('a vector that comes too late for its caller is there for the next one', async () => {
    // The longest text in the slowest weights takes more than the time-out, but starts within it.
    const embedder = await open({ dtype: 'fp32', timeoutMs: 12 });
    const long = 'word '.repeat(254);
    const first = await embedder.embed(long);
    await until(async () => (await embedder.embed(long)).ok);
    expect(first).toEqual({ ok: false, reason: 'timeout' });
    expect(embedder.state().cacheEntries).toBe(1);
  });

  it('is not waited for by close()', async () => {
    const embedder = await open({ hang: true, timeoutMs: 30 });
    const waiting = embedder.embed('never answered');
    await embedder.close();
    expect(await waiting).toMatchObject({ ok: false });
    expect(await embedder.embed('after the end')).toEqual({ ok: false, reason: 'unavailable' });
    expect(embedder.healthy()).toBe(false);
  });
});

describe('ending threads that are at work', () => {
  // Ending a thread inside the model aborts the process: this test then takes its whole test process along.
  it('close() in the middle of loading and of embedding leaves the process alive', async () => {
    for (let i = 0; i < 4; i += 1) {
      const embedder = await createTransformersEmbedder({ modelDir, dtype: 'q8', threads: 1, timeoutMs: 30_000 });
      const waiting = Array.from({ length: 20 }, (_, n) => embedder.embed(`${'word '.repeat(200)} ${n}`));
      await pause(i * 15);
      await embedder.close();
      for (const outcome of await Promise.all(waiting)) expect([true, false]).toContain(outcome.ok);
    }
  });

  it('before the process ends, a thread is waited for until it is out of the model', async () => {
    for (let i = 0; i < 4; i += 1) {
      const replies: string[] = [];
      let slot: WorkerSlot | undefined;
      await new Promise<void>((ready) => {
        const workerData = {
          modelDir: `${modelDir}/`,
          model: MODEL,
          dtype: 'q8',
          windowTokens: 256,
          hang: false,
          crashWhile: '',
        };
        slot = new WorkerSlot(workerData, { ready, idle: () => undefined, ended: (cause) => replies.push(cause) });
      });
      for (let n = 0; n < 20; n += 1) {
        const settle = (reply: WorkerReply): void => void replies.push(typeof reply === 'string' ? reply : 'vector');
        slot?.give({ text: `${'word '.repeat(200)} ${n}`, deadlineMs: Date.now() + 60_000, settle });
      }
      await pause(i * 20);
      slot?.waitOutside(20_000);
      await slot?.gone;
      expect(replies.at(-1)).toBe('crashed');
      expect(replies.filter((reply) => reply === 'lost').length).toBeGreaterThan(0);
    }
  });

  it('a slow thread that is replaced finishes its text and leaves', async () => {
    const { seen, telemetry } = counts();
    const embedder = await open({ dtype: 'fp32', timeoutMs: 1_500, hangMs: 1, telemetry });
    for (let i = 1; i <= 2; i += 1) {
      await until(async () => {
        // Enough work that some look of the watch falls into the middle of a text, however fast the machine.
        const texts = Array.from({ length: 30 }, () => `${'word '.repeat(200)}${Math.random()}`);
        await Promise.all(texts.map((text) => embedder.embed(text)));
        return (seen.get('restarts_total hung') ?? 0) >= i;
      });
    }
    expect(seen.get('restarts_total crashed')).toBeUndefined();
  });
});

describe('a full queue', () => {
  it('refuses at once with busy, and only what is over the limit', async () => {
    const embedder = await open({ queueLimit: 5, timeoutMs: 30_000 });
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => embedder.embed(`text number ${i}`)));
    const served = outcomes.filter((outcome) => outcome.ok).length;
    const busy = outcomes.filter((outcome) => !outcome.ok && outcome.reason === 'busy').length;
    // Two texts are with the thread, five wait.
    expect([served, busy]).toEqual([7, 13]);
    expect(await embedder.embed('afterwards')).toMatchObject({ ok: true });
  });

  it('answers every caller once and in the right order of texts', async () => {
    const embedder = await open({ queueLimit: 1_000, timeoutMs: 30_000, threads: 2 });
    const texts = Array.from({ length: 60 }, (_, i) => `question ${i} about ${['cats', 'trains', 'tax'][i % 3] ?? ''}`);
    const together = await Promise.all(texts.map((text) => embedder.embed(text)));
    const alone = await open({ timeoutMs: 30_000 });
    for (const i of [0, 1, 29, 59]) expect(await alone.embed(texts[i] ?? '')).toEqual(together[i]);
  });
});

describe('a crashed thread', () => {
  it('loses only its own texts and is started again', async () => {
    const bomb = join(dir, 'bomb');
    const { seen, telemetry } = counts();
    const lines: string[] = [];
    const log: Log = { write: (_level, message, fields) => lines.push(JSON.stringify({ message, ...fields })) };
    const embedder = await open({ crashWhile: bomb, timeoutMs: 20_000, telemetry, log });
    expect(await answers(embedder)).toBe(true);
    writeFileSync(bomb, '');
    expect(await embedder.embed('the private text of a caller')).toEqual({ ok: false, reason: 'unavailable' });
    await until(() => (seen.get('restarts_total crashed') ?? 0) >= 1);
    rmSync(bomb);
    await until(() => embedder.healthy());
    expect(await answers(embedder)).toBe(true);
    expect(lines.join()).toContain('embedding thread is replaced');
    expect(lines.join()).not.toContain('private');
  });

  it('with a second thread the others go on', async () => {
    const bomb = join(dir, 'bomb');
    const embedder = await open({ crashWhile: bomb, timeoutMs: 20_000, threads: 2 });
    await until(() => embedder.state().workersReady === 2);
    writeFileSync(bomb, '');
    expect(await embedder.embed('one')).toMatchObject({ ok: false });
    rmSync(bomb);
    expect(await embedder.embed('two')).toMatchObject({ ok: true });
    await until(() => embedder.state().workersReady === 2);
  });
});

describe('model files', () => {
  function copyModel(): string {
    const folder = join(dir, 'model', MODEL);
    mkdirSync(join(folder, 'onnx'), { recursive: true });
    for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
      copyFileSync(join(modelDir, MODEL, file), join(folder, file));
    }
    return folder;
  }

  it.each(['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'])(
    'without %s there is an embedder that says so',
    async (file) => {
      const folder = copyModel();
      writeFileSync(join(folder, 'onnx', 'model_quantized.onnx'), 'x');
      rmSync(join(folder, file));
      const embedder = await open({ modelDir: join(dir, 'model') });
      expect(embedder.healthy()).toBe(false);
      expect(embedder.state().reason).toContain(`no ${MODEL}/${file}`);
      expect(await embedder.embed('anything')).toEqual({ ok: false, reason: 'unavailable' });
    },
  );

  it('weights that cannot be loaded do not stop the start', async () => {
    const folder = copyModel();
    cpSync(join(modelDir, MODEL, 'onnx', 'model_quantized.onnx'), join(folder, 'onnx', 'model_quantized.onnx'));
    truncateSync(join(folder, 'onnx', 'model_quantized.onnx'), 100_000);
    const embedder = await open({ modelDir: join(dir, 'model') });
    expect(embedder.healthy()).toBe(false);
    expect(await embedder.embed('anything')).toEqual({ ok: false, reason: 'unavailable' });
  });

  it('other weights have another identity, the same weights elsewhere the same', async () => {
    const folder = copyModel();
    const weights = join(folder, 'onnx', 'model_quantized.onnx');
    symlinkSync(join(modelDir, MODEL, 'onnx', 'model_quantized.onnx'), weights);
    const here = await open({});
    const elsewhere = await open({ modelDir: join(dir, 'model') });
    expect(elsewhere.identity).toBe(here.identity);
    rmSync(weights);
    writeFileSync(weights, 'other weights');
    const other = await open({ modelDir: join(dir, 'model') });
    expect(other.identity).not.toBe(here.identity);
  });
});
