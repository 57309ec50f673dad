import type { UpstreamReply } from '@reprise/semantic-cache';
import type { Runtime } from '@reprise/nest';
import { upstreamHeaders } from '../proxy/proxy.service.js';
import type { ChatExchange } from './chat-exchange.js';

/** Models that are remembered; when there are more the oldest is asked anew. */
const mostModels = 1_000;
/** How an upstream says that it does not take a request. */
const refusals: ReadonlySet<number> = new Set([400, 422]);

/**
 * Makes the upstream calls of misses. Streams are asked for their usage chunk, too (`upstream.askUsage`), so that stored
 * answers carry the provider's own token counts. An upstream that refuses a request so extended is asked once more with
 * the caller's own bytes; when it takes those, no later request for that model is extended.
 */
export class AskUpstream {
  private readonly plainModels = new Set<string>();

  constructor(private readonly services: Runtime) {}

  async send(exchange: ChatExchange, signal: AbortSignal): Promise<UpstreamReply> {
    const extended = this.withUsage(exchange);
    const reply = await this.call(exchange, extended ?? exchange.body, signal);
    if (extended === undefined || !refusals.has(reply.status)) return reply;
    // Nobody reads what it said to words that were not the caller's.
    reply.body.on('error', () => undefined).destroy();
    this.services.telemetry.count('reprise_usage_refused_total');
    const again = await this.call(exchange, exchange.body, signal);
    if (!refusals.has(again.status)) this.remember(exchange.request.model);
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
    if (this.plainModels.has(request.model)) return undefined;
    const end = body.lastIndexOf('}');
    return Buffer.concat([body.subarray(0, end), Buffer.from(',"stream_options":{"include_usage":true}}')]);
  }

  private remember(model: string): void {
    if (this.plainModels.size >= mostModels) {
      const [oldest = ''] = this.plainModels;
      this.plainModels.delete(oldest);
    }
    this.plainModels.add(model);
    this.services.log.write('warn', 'the upstream does not take stream_options; it is no longer asked for usage', {
      model,
    });
  }
}
