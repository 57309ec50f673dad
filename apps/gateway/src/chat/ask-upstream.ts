import type { UpstreamReply } from '@reprise/semantic-cache';
import type { Runtime } from '@reprise/nest';
import { upstreamHeaders } from '../proxy/proxy.service.js';
import type { ChatExchange } from './chat-exchange.js';

/** Models that are remembered; when there are more the oldest is learned anew. */
const mostModels = 1_000;
/** How an upstream says that it does not take a request. */
const refusals: ReadonlySet<number> = new Set([400, 422]);

/**
 * Makes the upstream calls of misses. Streams are asked for their usage chunk, too (`upstream.askUsage`), so that stored
 * answers carry the provider's own token counts. An upstream that refuses a request so extended is asked once more with
 * the caller's own bytes; when it takes those, no later request for that model is extended. Where it has taken an
 * extended one, a refusal is the request's own fault, and nothing is asked twice.
 */
export class AskUpstream {
  /** Whether the upstream takes extended requests, by model. */
  private readonly takes = new Map<string, boolean>();

  constructor(private readonly services: Runtime) {}

  async send(exchange: ChatExchange, signal: AbortSignal): Promise<UpstreamReply> {
    const { model } = exchange.request;
    const extended = this.withUsage(exchange);
    const reply = await this.call(exchange, extended ?? exchange.body, signal);
    if (extended === undefined || this.takes.get(model) === true) return reply;
    if (!refusals.has(reply.status)) {
      if (reply.status === 200) this.remember(model, true);
      return reply;
    }
    // Nobody reads what it said to words that were not the caller's.
    reply.body.on('error', () => undefined).destroy();
    this.services.telemetry.count('reprise_usage_refused_total');
    const again = await this.call(exchange, exchange.body, signal);
    if (again.status === 200) {
      this.remember(model, false);
      this.services.log.write('warn', 'the upstream does not take stream_options and is no longer asked for usage', {
        model,
      });
    }
    return again;
  }

  private call(exchange: ChatExchange, body: Buffer, signal: AbortSignal): Promise<UpstreamReply> {
    return this.services.upstream.send({
      method: 'POST',
      path: exchange.path,
      headers: { ...upstreamHeaders(exchange.headers), 'accept-encoding': 'identity' },
      body,
      signal,
    });
  }

  /** The caller's bytes, only extended and never rewritten; undefined where they go as they are. */
  private withUsage({ wantsStream, request, body }: ChatExchange): Buffer | undefined {
    if (!this.services.config.upstream.askUsage || !wantsStream || 'stream_options' in request) return undefined;
    if (this.takes.get(request.model) === false) return undefined;
    const end = body.lastIndexOf('}');
    return Buffer.concat([body.subarray(0, end), Buffer.from(',"stream_options":{"include_usage":true}}')]);
  }

  private remember(model: string, takes: boolean): void {
    const [oldest] = this.takes.keys();
    if (this.takes.size >= mostModels && oldest !== undefined) this.takes.delete(oldest);
    this.takes.set(model, takes);
  }
}
