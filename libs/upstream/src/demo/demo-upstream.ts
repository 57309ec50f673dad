import { Readable } from 'node:stream';
import type { UpstreamModel, UpstreamReply, UpstreamRequest } from '@reprise/semantic-cache';
import type { CapturedAnswer, JsonObject } from '../capture/captured-answer.js';
import { toUpstreamError, UpstreamError } from '../openai/upstream-error.js';
import { encodeSseData, replayAsChunks, replayAsJson, SSE_DONE, type ReplayIdentity } from '../replay/replay.js';
import { demoAnswer } from './demo-answer.js';
import { systemDemoClock, type DemoClock } from './demo-clock.js';
import { demoEmbeddings } from './demo-embeddings.js';
import { DEMO_FAULTS, faultOf, spoilAnswer, type DemoFault } from './demo-faults.js';
import { DemoBadRequest, readChatRequest, type DemoChatRequest } from './demo-request.js';
import { hash32 } from './help-desk/seeded-random.js';

export interface DemoLatency {
  /** Milliseconds to the first token. */
  firstTokenMs: number;
  /** Speed from then on; 0 = all at once. */
  tokensPerSecond: number;
}

export interface DemoUpstreamOptions {
  /** Makes response ids of two demos differ. */
  seed?: number;
  latency?: Partial<DemoLatency>;
  clock?: DemoClock;
  /** Obey model names `demo-fault-…`. */
  faults?: boolean;
}

export interface DemoStats {
  requests: number;
  chat: number;
  embeddings: number;
  aborted: number;
  completionTokens: number;
}

export interface DemoUpstream extends UpstreamModel {
  stats(): DemoStats;
}

const DEMO_MODELS = ['reprise-demo', 'reprise-demo-large'];
const STREAM_CODE_POINTS = 10;
const CODE_POINTS_PER_TOKEN = 4;
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const SSE_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

async function readBody(body: UpstreamRequest['body']): Promise<string> {
  if (body === undefined) return '';
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DemoBadRequest('The body is not valid JSON.', null);
  }
}

function errorBody(message: string, code: string | null, param: string | null): JsonObject {
  return { error: { message, type: code === null ? 'invalid_request_error' : 'server_error', param, code } };
}

class DemoUpstreamModel implements DemoUpstream {
  private served = 0;
  private readonly counts: DemoStats = { requests: 0, chat: 0, embeddings: 0, aborted: 0, completionTokens: 0 };

  constructor(
    private readonly seed: number,
    private readonly latency: DemoLatency,
    private readonly clock: DemoClock,
    private readonly faults: boolean,
  ) {}

  stats(): DemoStats {
    return { ...this.counts };
  }

  async close(): Promise<void> {}

  async send(request: UpstreamRequest): Promise<UpstreamReply> {
    this.counts.requests += 1;
    try {
      request.signal.throwIfAborted();
      return await this.route(request);
    } catch (error) {
      if (error instanceof DemoBadRequest) return this.json(400, errorBody(error.message, null, error.param));
      const known = toUpstreamError(error, request.signal, true);
      if (known.aborted) this.counts.aborted += 1;
      throw known;
    }
  }

  private async route(request: UpstreamRequest): Promise<UpstreamReply> {
    const path = (request.path.split('?')[0] ?? '').replace(/^\/v1(?=\/)/, '');
    if (path === '/models' && request.method === 'GET') return this.models();
    if (path === '/chat/completions' && request.method === 'POST') return this.chat(request);
    if (path === '/embeddings' && request.method === 'POST') {
      this.counts.embeddings += 1;
      return this.json(200, demoEmbeddings(parseJson(await readBody(request.body))));
    }
    return this.json(404, errorBody(`The demo has no ${request.method} ${path}.`, 'not_found', null));
  }

  private models(): UpstreamReply {
    const names = this.faults ? [...DEMO_MODELS, ...DEMO_FAULTS.map((fault) => `demo-fault-${fault}`)] : DEMO_MODELS;
    const data = names.map((id) => ({ id, object: 'model', created: 1_760_000_000, owned_by: 'reprise-demo' }));
    return this.json(200, { object: 'list', data });
  }

  private async chat(request: UpstreamRequest): Promise<UpstreamReply> {
    this.counts.chat += 1;
    const chat = readChatRequest(parseJson(await readBody(request.body)));
    const fault = this.faults ? faultOf(chat.model) : undefined;
    await this.clock.sleep(fault === 'hang' ? 86_400_000 : this.latency.firstTokenMs, request.signal);
    const refused = this.faultReply(fault);
    if (refused !== undefined) return refused;
    const answer = spoilAnswer(demoAnswer(chat), fault);
    this.counts.completionTokens += answer.usage?.completion_tokens ?? 0;
    return chat.stream ? this.stream(chat, answer, fault, request.signal) : this.whole(chat, answer, request.signal);
  }

  private faultReply(fault: DemoFault | undefined): UpstreamReply | undefined {
    if (fault?.startsWith('status-') === true) {
      const status = Number(fault.slice('status-'.length));
      const retry = status === 429 || status === 503 ? { 'retry-after': '1' } : {};
      return this.json(status, errorBody(`The demo was asked to fail with ${status}.`, `demo_${status}`, null), retry);
    }
    if (fault === 'error-200') return this.json(200, errorBody('The demo was asked to fail.', 'demo_error', null));
    if (fault === 'no-choices') {
      return this.json(200, {
        id: this.identity().id,
        object: 'chat.completion',
        created: 0,
        model: 'demo',
        choices: [],
      });
    }
    return undefined;
  }

  private async whole(chat: DemoChatRequest, answer: CapturedAnswer, signal: AbortSignal): Promise<UpstreamReply> {
    await this.clock.sleep(this.tokensMs(answer.usage?.completion_tokens ?? 0), signal);
    const body = replayAsJson(answer, this.identity());
    const [first] = body['choices'] as JsonObject[];
    const choices = Array.from({ length: chat.choices }, (_, index) => ({ ...first, index }));
    return this.json(200, { ...body, choices });
  }

  private stream(
    chat: DemoChatRequest,
    answer: CapturedAnswer,
    fault: DemoFault | undefined,
    signal: AbortSignal,
  ): UpstreamReply {
    const events = this.events(chat, answer, fault, signal);
    return { status: 200, headers: { ...SSE_HEADERS }, body: Readable.from(events, { objectMode: false }) };
  }

  private async *events(
    chat: DemoChatRequest,
    answer: CapturedAnswer,
    fault: DemoFault | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    const options = { includeUsage: chat.includeUsage, fragmentCodePoints: STREAM_CODE_POINTS };
    const perChunkMs = this.tokensMs(STREAM_CODE_POINTS / CODE_POINTS_PER_TOKEN);
    const chunks = [...replayAsChunks(answer, this.identity(), options)];
    for (const [place, chunk] of chunks.entries()) {
      if (place > 0) await this.pause(perChunkMs, signal);
      if (fault === 'broken-stream' && place === Math.floor(chunks.length / 2)) {
        throw new UpstreamError('RP_ERR_UPSTREAM_BROKEN', '(demo)', { sent: true, aborted: false, cause: undefined });
      }
      if (fault === 'error-event' && place === Math.floor(chunks.length / 2)) {
        yield Buffer.from(encodeSseData(errorBody('The demo was asked to fail.', 'demo_error', null)));
        return;
      }
      for (const event of eachChoice(chunk, chat.choices)) yield Buffer.from(encodeSseData(event));
    }
    if (fault !== 'no-done') yield Buffer.from(SSE_DONE);
  }

  /** A pause inside a stream; an abort ends the stream with the error that a connection would give. */
  private async pause(ms: number, signal: AbortSignal): Promise<void> {
    try {
      signal.throwIfAborted();
      if (ms > 0) await this.clock.sleep(ms, signal);
    } catch (error) {
      this.counts.aborted += 1;
      throw toUpstreamError(error, signal, true);
    }
  }

  private tokensMs(tokens: number): number {
    return this.latency.tokensPerSecond > 0 ? (tokens * 1_000) / this.latency.tokensPerSecond : 0;
  }

  private identity(): ReplayIdentity {
    this.served += 1;
    const mark = `${hash32(`${this.seed}:${this.served}`).toString(36)}${this.served.toString(36)}`;
    return {
      id: `chatcmpl-demo${mark}`,
      createdSeconds: Math.floor(this.clock.nowMs() / 1_000),
      toolCallId: (index) => `call_demo${mark}${index}`,
    };
  }

  private json(status: number, body: JsonObject, headers: Record<string, string> = {}): UpstreamReply {
    const bytes = Buffer.from(JSON.stringify(body));
    const length = String(bytes.byteLength);
    return {
      status,
      headers: { ...JSON_HEADERS, 'content-length': length, ...headers },
      body: Readable.from([bytes], { objectMode: false }),
    };
  }
}

function* eachChoice(chunk: JsonObject, choices: number): Generator<JsonObject> {
  const [first] = chunk['choices'] as JsonObject[];
  if (first === undefined || choices === 1) yield chunk;
  else for (let index = 0; index < choices; index += 1) yield { ...chunk, choices: [{ ...first, index }] };
}

/** The built-in provider: offline, deterministic, a help desk of an invented shop; says `reprise-demo` in every answer. */
export function createDemoUpstream(options: DemoUpstreamOptions = {}): DemoUpstream {
  const latency = { firstTokenMs: 350, tokensPerSecond: 80, ...options.latency };
  return new DemoUpstreamModel(options.seed ?? 1, latency, options.clock ?? systemDemoClock, options.faults ?? false);
}
