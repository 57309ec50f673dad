import { availableParallelism } from 'node:os';
import { type Log, silentTelemetry, type Telemetry } from '@reprise/kernel';
import type { EmbedOutcome } from '@reprise/semantic-cache';
import { LocalVectorCache } from '../cache/local-vector-cache.js';
import type { EmbedderState, ManagedEmbedder } from '../embedder.types.js';
import { createUnavailableEmbedder } from '../unavailable-embedder.js';
import { findModelFiles, MODEL_NAME, type ModelDtype, type ModelFiles } from './model-files.js';
import { WorkerPool } from './worker-pool.js';

export interface TransformersEmbedderOptions {
  /** Folder that holds Xenova/all-MiniLM-L6-v2. */
  readonly modelDir: string;
  readonly dtype: ModelDtype;
  /** Default: cores − 1, at least 1. */
  readonly threads?: number;
  readonly queueLimit?: number;
  /** Longest wait of a caller for one vector. */
  readonly timeoutMs?: number;
  /** Vectors kept in process; 0 keeps none. */
  readonly cacheEntries?: number;
  readonly cacheBytes?: number;
  /** Longest text, in UTF-16 units, that is tokenised; beyond it `too-long` at once. */
  readonly maxChars?: number;
  /** Tokens of a text including the two special ones. */
  readonly windowTokens?: number;
  readonly log?: Log;
  readonly telemetry?: Telemetry;
  /** Silence of a busy thread after which it is replaced. */
  readonly hangMs?: number;
  /** Tests: the thread takes texts and never answers; a path: while that file exists. */
  readonly hang?: boolean | string;
  /** Tests: the thread ends at the next text while this file exists. */
  readonly crashWhile?: string;
}

/** The model card's `max_seq_length`. */
const WINDOW_TOKENS = 256;
/** No text of 254 ordinary words is longer; only rows of unknown long words are, and they are refused. */
const CHARS_PER_TOKEN = 16;
const DEFAULTS = { queueLimit: 256, timeoutMs: 40, cacheEntries: 5_000, cacheBytes: 33_554_432, hangMs: 3_000 };
const START_MS = 30_000;
const LEAST_STALL_MS = 250;
const STALL_TIMEOUTS = 4;

const quiet: Log = { write: () => undefined };
const empty = { ok: false, reason: 'empty' } as const;
const tooLong = { ok: false, reason: 'too-long' } as const;

/**
 * The local model in worker threads; resolves when the first thread is ready.
 * Without usable model files it resolves to an embedder that is unavailable and says why.
 */
export async function createTransformersEmbedder(options: TransformersEmbedderOptions): Promise<ManagedEmbedder> {
  const files = await findModelFiles(options.modelDir, options.dtype);
  if (!files.ok) {
    options.log?.write('warn', 'no embedding model: exact tier only', { reason: files.error });
    return createUnavailableEmbedder(files.error);
  }
  const embedder = new TransformersEmbedder(options, files.value);
  await embedder.started();
  return embedder;
}

class TransformersEmbedder implements ManagedEmbedder {
  readonly identity: string;
  readonly dimensions: number;
  private readonly pool: WorkerPool;
  private readonly cache: LocalVectorCache;
  private readonly telemetry: Telemetry;
  private readonly maxChars: number;

  constructor(options: TransformersEmbedderOptions, files: ModelFiles) {
    this.identity = files.identity;
    this.dimensions = files.dimensions;
    this.telemetry = options.telemetry ?? silentTelemetry;
    const windowTokens = options.windowTokens ?? WINDOW_TOKENS;
    this.maxChars = options.maxChars ?? windowTokens * CHARS_PER_TOKEN;
    const timeoutMs = options.timeoutMs ?? DEFAULTS.timeoutMs;
    this.pool = new WorkerPool({
      threads: Math.max(1, options.threads ?? availableParallelism() - 1),
      queueLimit: options.queueLimit ?? DEFAULTS.queueLimit,
      timeoutMs,
      stallMs: Math.max(LEAST_STALL_MS, STALL_TIMEOUTS * timeoutMs),
      hangMs: options.hangMs ?? DEFAULTS.hangMs,
      startMs: START_MS,
      workerData: {
        modelDir: files.root,
        model: MODEL_NAME,
        dtype: options.dtype,
        windowTokens,
        hang: options.hang ?? false,
        crashWhile: options.crashWhile ?? '',
      },
      log: options.log ?? quiet,
      telemetry: this.telemetry,
    });
    this.cache = new LocalVectorCache(
      { entries: options.cacheEntries ?? DEFAULTS.cacheEntries, bytes: options.cacheBytes ?? DEFAULTS.cacheBytes },
      this.telemetry,
      (text, _hash, onLate) => this.measured(text, onLate),
    );
  }

  /** Waits for the first thread, but not for ever: a model that does not load leaves the exact tier. */
  async started(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, START_MS)));
    await Promise.race([this.pool.firstOutcome, enough]);
    clearTimeout(timer);
  }

  embed(text: string): Promise<EmbedOutcome> {
    if (text.length > this.maxChars) return this.refused(tooLong);
    if (text.trim() === '') return this.refused(empty);
    return this.cache.embed(text);
  }

  healthy(): boolean {
    return this.pool.healthy();
  }

  state(): EmbedderState {
    return {
      ...(this.healthy() ? {} : { reason: 'no embedding thread answers' }),
      pending: this.pool.pending,
      workersReady: this.pool.workersReady,
      cacheEntries: this.cache.entries,
      cacheBytes: this.cache.bytes,
    };
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private refused(outcome: typeof empty | typeof tooLong): Promise<EmbedOutcome> {
    this.telemetry.count('reprise_embed_total', { outcome: outcome.reason });
    return Promise.resolve(outcome);
  }

  private measured(text: string, onLate: (vector: Float32Array) => void): Promise<EmbedOutcome> | EmbedOutcome {
    const startedMs = performance.now();
    const outcome = this.pool.embed(text, onLate);
    if (!(outcome instanceof Promise)) {
      if (!outcome.ok) this.telemetry.count('reprise_embed_total', { outcome: outcome.reason });
      return outcome;
    }
    return outcome.then((done) => {
      this.telemetry.count('reprise_embed_total', done.ok ? OK : { outcome: done.reason });
      this.telemetry.observeMs('reprise_embed_seconds', performance.now() - startedMs);
      return done;
    });
  }
}

const OK = { outcome: 'ok' };
