import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UpstreamModel, UpstreamReply, UpstreamRequest } from '@reprise/semantic-cache';
import { Pool, type Dispatcher } from 'undici';
import { forwardRequestHeaders, stripHopByHop } from './header-policy.js';
import { joinUpstreamPath } from './join-path.js';
import { SendTracker } from './send-tracker.js';
import { toUpstreamError } from './upstream-error.js';

export interface OpenAiUpstreamOptions {
  /** Base URL as OpenAI clients take it, e.g. `https://api.example.com/v1`; credentials in it are refused. */
  baseUrl: string;
  /** Sent as `Bearer` in place of the caller's `authorization`. */
  apiKey?: string;
  /** Milliseconds to open a connection, TLS included. */
  connectTimeoutMs?: number;
  /** Milliseconds from the request sent to the reply's headers; 0 = none. */
  headersTimeoutMs?: number;
  /** Longest silence inside a body in milliseconds; 0 = none. */
  bodyTimeoutMs?: number;
  /** Most connections to this base URL; further requests wait. */
  maxConnections?: number;
  /** Milliseconds that an idle connection is kept. */
  keepAliveMs?: number;
  retry?: UpstreamRetryOptions;
}

export interface UpstreamRetryOptions {
  /** Further attempts after a connection that failed before any byte of the request was sent. */
  connectAttempts?: number;
  /** Statuses to try again (only bodies held in memory); empty = every status is passed on. */
  statuses?: readonly number[];
  statusAttempts?: number;
  /** Pause before each further attempt, doubled each time; a `retry-after` header overrules it. */
  backoffMs?: number;
  /** A longer `retry-after` than this ends the attempts and the reply is passed on. */
  maxRetryAfterMs?: number;
}

interface Settings {
  base: URL;
  apiKey: string | undefined;
  retry: Required<UpstreamRetryOptions>;
}

type Answer = Dispatcher.ResponseData;

function parseBase(baseUrl: string): URL {
  const base = new URL(baseUrl);
  if (base.protocol !== 'http:' && base.protocol !== 'https:') throw new TypeError('The base URL must be http(s).');
  if (base.username !== '' || base.password !== '') throw new TypeError('The base URL must not carry credentials.');
  return base;
}

/** What clients take that are no Node processes; Node's own limit of 16 KiB would make an error of a good answer. */
const MAX_HEADER_BYTES = 256 * 1024;

function createPool(base: URL, options: OpenAiUpstreamOptions): Pool {
  return new Pool(base.origin, {
    connections: options.maxConnections ?? 256,
    pipelining: 1,
    connect: { timeout: options.connectTimeoutMs ?? 5_000 },
    headersTimeout: options.headersTimeoutMs ?? 120_000,
    bodyTimeout: options.bodyTimeoutMs ?? 120_000,
    keepAliveTimeout: options.keepAliveMs ?? 15_000,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
}

/** Rejects as soon as the caller aborts: the client itself notices only once a connection is open. */
async function untilAbort(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([answer, aborted]);
  } catch (error) {
    answer.then(
      (late) => late.body.on('error', () => undefined).destroy(),
      () => undefined,
    );
    throw error;
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}

function retryDelayMs(answer: Answer, attempt: number, retry: Required<UpstreamRetryOptions>): number | undefined {
  const header = answer.headers['retry-after'];
  const seconds = typeof header === 'string' ? Number(header) : Number.NaN;
  const delay = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : retry.backoffMs * 2 ** attempt;
  return delay <= retry.maxRetryAfterMs ? delay : undefined;
}

/** A caller's stream of a GET is an empty one; passed on, it would become a chunked body. */
function hasBody(request: UpstreamRequest): boolean {
  return request.body !== undefined && request.method !== 'GET' && request.method !== 'HEAD';
}

class OpenAiUpstream implements UpstreamModel {
  constructor(
    private readonly pool: Pool,
    private readonly settings: Settings,
  ) {}

  async send(request: UpstreamRequest): Promise<UpstreamReply> {
    const inMemory = !hasBody(request) || request.body instanceof Uint8Array;
    const { retry } = this.settings;
    for (let statusAttempt = 0; ; statusAttempt += 1) {
      const answer = await this.connected(request, inMemory);
      const again = inMemory && statusAttempt < retry.statusAttempts && retry.statuses.includes(answer.statusCode);
      const delayMs = again ? retryDelayMs(answer, statusAttempt, retry) : undefined;
      if (delayMs === undefined) return toReply(answer);
      await answer.body.dump();
      await this.pause(delayMs, request.signal);
    }
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  /** One exchange; begins again only while it is certain that no byte of the request was sent. */
  private async connected(request: UpstreamRequest, inMemory: boolean): Promise<Answer> {
    const { retry } = this.settings;
    for (let attempt = 0; ; attempt += 1) {
      const tracker = new SendTracker();
      try {
        return await untilAbort(this.exchange(request, tracker, inMemory), request.signal);
      } catch (error) {
        const known = toUpstreamError(error, request.signal, tracker.sent);
        const safe = !tracker.sent && inMemory && known.code === 'RP_ERR_UPSTREAM_UNREACHABLE';
        if (!safe || attempt >= retry.connectAttempts) throw known;
        await this.pause(retry.backoffMs * 2 ** attempt, request.signal);
      }
    }
  }

  private async exchange(request: UpstreamRequest, tracker: SendTracker, inMemory: boolean): Promise<Answer> {
    const { base, apiKey } = this.settings;
    const headers = forwardRequestHeaders(request.headers, {
      capture: false,
      bufferedBody: inMemory,
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    return this.pool.compose(tracker.interceptor).request({
      method: request.method as Dispatcher.HttpMethod,
      path: joinUpstreamPath(base, request.path),
      headers,
      body: hasBody(request) ? (request.body ?? null) : null,
      signal: request.signal,
    });
  }

  private async pause(delayMs: number, signal: AbortSignal): Promise<void> {
    try {
      await sleep(delayMs, undefined, { signal });
    } catch (error) {
      throw toUpstreamError(error, signal, false);
    }
  }
}

function toReply(answer: Answer): UpstreamReply {
  const body: Readable = answer.body;
  return { status: answer.statusCode, headers: stripHopByHop(answer.headers), body };
}

/**
 * An OpenAI-compatible provider over a pool of kept connections to one base URL.
 * Statuses, 429 and 503 included, are passed on unless `retry.statuses` names them; rejects with `UpstreamError`.
 */
export function createOpenAiUpstream(options: OpenAiUpstreamOptions): UpstreamModel {
  const base = parseBase(options.baseUrl);
  return new OpenAiUpstream(createPool(base, options), {
    base,
    apiKey: options.apiKey,
    retry: {
      connectAttempts: 1,
      statuses: [],
      statusAttempts: 2,
      backoffMs: 50,
      maxRetryAfterMs: 5_000,
      ...options.retry,
    },
  });
}
