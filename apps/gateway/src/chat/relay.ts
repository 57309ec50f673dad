import type { UpstreamReply } from '@reprise/semantic-cache';
import {
  type CapturedAnswer,
  ChatCompletionAssembler,
  fromJsonCompletion,
  SseParser,
  stripHopByHop,
} from '@reprise/upstream';
import { piecesOf } from '../http/upstream-body.js';
import type { Runtime } from '@reprise/nest';
import type { ChatExchange } from './chat-exchange.js';
import { failStream } from './fail-stream.js';
import type { LeaderFlight } from './leader-flight.js';
import { replayAnswer } from './replay-answer.js';
import type { StreamSplice } from './stream-splice.js';

/** Largest JSON answer that is held to be captured; a larger one is passed on and not stored. */
const maxCaptureBytes = 8 * 1024 * 1024;

interface Relay {
  readonly services: Runtime;
  readonly exchange: ChatExchange;
  readonly reply: UpstreamReply;
  readonly headers: Readonly<Record<string, string>>;
  /** Offers the captured answer to the store. */
  readonly store: (captured: CapturedAnswer) => Promise<void>;
}

/** Passes a JSON answer on, byte for byte, after it has been offered to the store: the next equal request is a hit. */
export async function relayJson({ services, exchange, reply, headers, store }: Relay): Promise<void> {
  const { client } = exchange;
  const { 'content-length': length, ...rest } = stripHopByHop(reply.headers);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of piecesOf(reply)) {
    bytes += piece.length;
    if (bytes <= maxCaptureBytes) {
      pieces.push(piece);
      continue;
    }
    client.start(reply.status, { ...rest, ...(length === undefined ? {} : { 'content-length': length }), ...headers });
    for (const held of pieces.splice(0)) await client.write(held);
    await client.write(piece);
  }
  if (bytes > maxCaptureBytes) {
    await store({
      message: { role: 'assistant', content: null },
      finishReason: null,
      choices: 0,
      complete: false,
      form: 'json',
    });
    client.end();
    return;
  }
  const body = Buffer.concat(pieces);
  const captured = capture(body);
  await store(captured);
  if (client.started) {
    // A stream that began as a follower's cannot go on as JSON.
    failStream(services, client, 'RP_ERR_STREAM_LOST');
    return;
  }
  client.start(reply.status, { ...rest, ...headers, 'content-length': body.length });
  client.end(body);
}

function capture(body: Buffer): CapturedAnswer {
  try {
    return fromJsonCompletion(JSON.parse(body.toString('utf8')));
  } catch {
    return {
      message: { role: 'assistant', content: null },
      finishReason: null,
      choices: 0,
      complete: false,
      form: 'json',
    };
  }
}

interface StreamRelay extends Relay {
  readonly flight: LeaderFlight | undefined;
  readonly splice: StreamSplice | undefined;
}

/** Passes a stream on event by event; the terminal event waits until the answer has been offered to the store. */
export async function relayStream(relay: StreamRelay): Promise<void> {
  const { services, exchange, reply, headers, store, flight, splice } = relay;
  const { client } = exchange;
  const { 'content-length': _length, ...rest } = stripHopByHop(reply.headers);
  if (!client.started && exchange.wantsStream) client.start(reply.status, { ...rest, ...headers });
  const parser = new SseParser();
  const assembler = new ChatCompletionAssembler();
  const spliced = splice?.started === true ? splice : undefined;
  for await (const piece of piecesOf(reply)) {
    const events = parser.push(piece);
    if (events.length === 0 && piece[0] === 0x3a && exchange.wantsStream) await client.write(': keep-alive\n\n');
    for (const event of events) {
      assembler.push(event);
      if (assembler.terminated) continue;
      if (!isUsageOnly(event.data)) flight?.publish(event.data);
      await forward(services, exchange, event.data, spliced);
    }
  }
  for (const event of parser.end()) assembler.push(event);
  const captured = assembler.finish();
  await store(captured);
  if (client.gone) return;
  if (!exchange.wantsStream) {
    await replayAnswer(exchange, captured, { ...headers }, Date.parse(String(rest['date'] ?? '')) || 0);
  } else if (captured.complete) client.end('data: [DONE]\n\n');
  else if (spliced === undefined) client.destroy();
  else failStream(services, client, 'RP_ERR_UPSTREAM_BROKEN');
}

async function forward(
  services: Runtime,
  exchange: ChatExchange,
  data: string,
  spliced: StreamSplice | undefined,
): Promise<void> {
  if (!exchange.wantsStream || (!exchange.wantsUsage && isUsageOnly(data))) return;
  if (spliced === undefined) return exchange.client.write(`data: ${data}\n\n`);
  const event = spliced.next(data);
  if (event === undefined) failStream(services, exchange.client, 'RP_ERR_STREAM_LOST');
  else if (event !== '') await exchange.client.write(event);
}

/** The chunk that only `stream_options.include_usage` brings. */
function isUsageOnly(data: string): boolean {
  if (!data.includes('"usage"')) return false;
  try {
    const chunk = JSON.parse(data) as { choices?: unknown[]; usage?: unknown };
    return (
      Array.isArray(chunk.choices) && chunk.choices.length === 0 && chunk.usage !== null && chunk.usage !== undefined
    );
  } catch {
    return false;
  }
}
