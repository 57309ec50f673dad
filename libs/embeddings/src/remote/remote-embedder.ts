import { silentTelemetry, stableHash, type Telemetry } from '@reprise/kernel';
import type { EmbedOutcome } from '@reprise/semantic-cache';
import { LocalVectorCache } from '../cache/local-vector-cache.js';
import type { ManagedEmbedder } from '../embedder.types.js';

export interface RemoteEmbedderOptions {
  /** Base URL with its /v1. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly model: string;
  /** Length of the vectors; other lengths are refused. */
  readonly dimensions: number;
  readonly timeoutMs: number;
  /** Calls that may be open at a time. */
  readonly queueLimit?: number;
  readonly maxChars?: number;
  readonly cacheEntries?: number;
  readonly cacheBytes?: number;
  readonly telemetry?: Telemetry;
}

const DEFAULTS = { queueLimit: 64, maxChars: 8_192, cacheEntries: 10_000, cacheBytes: 67_108_864 };
/** So many failures in a row, and calls are refused at once until the pause is over. */
const FAILURES = 3;
const PAUSE_MS = 2_000;

type Refusal = (EmbedOutcome & { ok: false })['reason'];
const refuse = (reason: Refusal): EmbedOutcome => ({ ok: false, reason });

/** Vectors of an OpenAI-compatible `/v1/embeddings`, normalised; one text a call. */
export function createRemoteEmbedder(options: RemoteEmbedderOptions): ManagedEmbedder {
  const telemetry = options.telemetry ?? silentTelemetry;
  const url = `${options.baseUrl.replace(/\/+$/, '')}/embeddings`;
  const closing = new AbortController();
  let open = 0;
  let failures = 0;
  let retryAtMs = 0;

  const healthy = (): boolean => !closing.signal.aborted && (failures < FAILURES || performance.now() >= retryAtMs);
  const settled = (outcome: EmbedOutcome): EmbedOutcome => {
    failures = outcome.ok ? 0 : failures + 1;
    if (!outcome.ok) retryAtMs = performance.now() + PAUSE_MS;
    return outcome;
  };
  const call = async (text: string): Promise<EmbedOutcome> => {
    if (!healthy()) return refuse('unavailable');
    if (open >= (options.queueLimit ?? DEFAULTS.queueLimit)) return refuse('busy');
    open += 1;
    try {
      return settled(await ask(url, options, text, closing.signal));
    } finally {
      open -= 1;
    }
  };
  const cache = new LocalVectorCache(
    { entries: options.cacheEntries ?? DEFAULTS.cacheEntries, bytes: options.cacheBytes ?? DEFAULTS.cacheBytes },
    telemetry,
    async (text) => {
      const startedMs = performance.now();
      const outcome = await call(text);
      telemetry.count('reprise_embed_total', { outcome: outcome.ok ? 'ok' : outcome.reason });
      telemetry.observeMs('reprise_embed_seconds', performance.now() - startedMs);
      return outcome;
    },
  );
  return {
    identity: `remote:${options.model}@${options.dimensions}:${stableHash([url], 12)}`,
    dimensions: options.dimensions,
    healthy,
    embed: (text) => {
      if (text.length > (options.maxChars ?? DEFAULTS.maxChars)) return Promise.resolve(refuse('too-long'));
      return text.trim() === '' ? Promise.resolve(refuse('empty')) : cache.embed(text);
    },
    state: () => ({
      ...(healthy() ? {} : { reason: 'the embeddings API does not answer' }),
      pending: open,
      workersReady: 0,
      cacheEntries: cache.entries,
      cacheBytes: cache.bytes,
    }),
    close: () => Promise.resolve(closing.abort()),
  };
}

async function ask(
  url: string,
  options: RemoteEmbedderOptions,
  text: string,
  closing: AbortSignal,
): Promise<EmbedOutcome> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
      },
      body: JSON.stringify({ model: options.model, input: text, encoding_format: 'float' }),
      signal: AbortSignal.any([timeout, closing]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return refuse('unavailable');
    }
    const vector = unitVector(await response.json(), options.dimensions);
    return vector ? { ok: true, vector } : refuse('unavailable');
  } catch {
    return refuse(timeout.aborted ? 'timeout' : 'unavailable');
  }
}

function unitVector(reply: unknown, dimensions: number): Float32Array | undefined {
  const numbers = (reply as { data?: { embedding?: unknown }[] } | null)?.data?.[0]?.embedding;
  if (!Array.isArray(numbers) || numbers.length !== dimensions) return undefined;
  const vector = Float32Array.from(numbers as number[]);
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length === 0) return undefined;
  return vector.map((value) => value / length);
}
