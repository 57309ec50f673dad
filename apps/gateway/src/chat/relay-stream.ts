import { ChatCompletionAssembler, SseParser, stripHopByHop } from '@reprise/upstream';
import { piecesOf, readOff } from '../http/upstream-body.js';
import { failStream } from './fail-stream.js';
import type { LeaderFlight } from './leader-flight.js';
import { type Relay, tooLarge } from './relay.js';
import { replayAnswer } from './replay-answer.js';
import type { StreamSplice } from './stream-splice.js';

interface StreamRelay extends Relay {
  readonly flight: LeaderFlight | undefined;
  readonly splice: StreamSplice | undefined;
}

/** How long an upstream may keep a connection open behind the end of its answer, ms. */
const AFTER_END_MS = 1_000;

/**
 * Passes a stream on event by event; the terminal event waits until the answer has been offered to the store. A stream
 * longer than `limits.captureBytes` goes on with back-pressure and is held no longer. `[DONE]` ends the answer, also
 * where the upstream keeps the connection open; without it the client's stream ends as the upstream's did.
 */
export async function relayStream(relay: StreamRelay): Promise<void> {
  const relayed = new RelayedStream(relay);
  const pieces = piecesOf(relay.reply);
  try {
    relayed.start();
    while (!relayed.terminated) {
      const next = await pieces.next();
      if (next.done === true) break;
      await relayed.take(next.value);
      // Nobody is left who could have it.
      if (!relayed.captures && relay.exchange.client.gone) return;
    }
    await relayed.end();
  } finally {
    if (relayed.terminated) void readOff(relay.reply, pieces, AFTER_END_MS);
    // Ends the upstream's answer, too.
    else await pieces.return(undefined);
  }
}

class RelayedStream {
  /** The upstream has said that its answer is over. */
  terminated = false;
  private readonly parser: SseParser;
  private readonly wanted: boolean;
  private readonly limitBytes: number;
  /** What this client got as a follower, when it got something. */
  private readonly begun: StreamSplice | undefined;
  /** Absent once the answer is too large. */
  private assembler: ChatCompletionAssembler | undefined = new ChatCompletionAssembler();
  /** For a client that did not ask for a stream: the bytes as they came, while they may still have to be passed on. */
  private held: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly relay: StreamRelay) {
    this.limitBytes = relay.services.config.limits.captureBytes;
    this.parser = new SseParser(this.limitBytes);
    this.wanted = relay.exchange.wantsStream;
    this.begun = relay.splice?.started === true ? relay.splice : undefined;
  }

  get captures(): boolean {
    return this.assembler !== undefined;
  }

  start(): void {
    if (this.wanted) this.startClient();
  }

  async take(piece: Buffer): Promise<void> {
    this.bytes += piece.length;
    if (this.assembler !== undefined && !this.terminated && this.bytes > this.limitBytes) await this.giveUp();
    if (this.wanted) return this.takeEvents(piece);
    if (this.assembler === undefined) return this.relay.exchange.client.write(piece);
    this.held.push(piece);
    return this.takeEvents(piece);
  }

  async end(): Promise<void> {
    const { client } = this.relay.exchange;
    for (const event of this.parser.end()) this.assembler?.push(event);
    if (this.assembler !== undefined) return this.endCaptured(this.assembler);
    if (!this.wanted || this.parser.overflow) client.end(this.parser.takeUnparsed());
    else this.endStream();
  }

  private startClient(): void {
    const { exchange, reply, headers } = this.relay;
    const { 'content-length': _length, ...rest } = stripHopByHop(reply.headers);
    if (!exchange.client.started) exchange.client.start(reply.status, { ...rest, ...headers });
  }

  private async takeEvents(piece: Buffer): Promise<void> {
    const { exchange, flight, services } = this.relay;
    const events = this.parser.push(piece);
    if (events.length === 0 && piece[0] === 0x3a && this.wanted) await exchange.client.write(': keep-alive\n\n');
    // What came at once goes on at once: each write costs more than all that is done with an event.
    let due: string | undefined = '';
    for (const event of events) {
      this.assembler?.push(event);
      this.terminated ||= event.data.trim() === '[DONE]';
      if (this.terminated) continue;
      const usageOnly = isUsageOnly(event.data);
      if (this.assembler !== undefined && !usageOnly) flight?.publish(event.data);
      if (!this.wanted || (usageOnly && !exchange.wantsUsage)) continue;
      const next: string | undefined =
        this.begun === undefined ? `data: ${event.data}\n\n` : this.begun.next(event.data);
      due = next === undefined || due === undefined ? undefined : due + next;
    }
    if (due === undefined) failStream(services, exchange.client, 'RP_ERR_STREAM_LOST');
    else if (due !== '') await exchange.client.write(due);
    // One event that is longer than anything that may be held.
    const unparsed = this.parser.takeUnparsed();
    if (unparsed === '' || this.terminated) return;
    if (this.begun !== undefined) failStream(services, exchange.client, 'RP_ERR_STREAM_LOST');
    else await exchange.client.write(unparsed);
  }

  /** Holds nothing of the answer from here on; followers of the flight ask for themselves. */
  private async giveUp(): Promise<void> {
    this.assembler = undefined;
    this.begun?.settle();
    await this.relay.store(tooLarge('sse'));
    if (this.wanted) return;
    this.startClient();
    for (const piece of this.held.splice(0)) await this.relay.exchange.client.write(piece);
  }

  private async endCaptured(assembler: ChatCompletionAssembler): Promise<void> {
    const { exchange, reply, headers, store } = this.relay;
    const captured = assembler.finish();
    await store(captured);
    if (exchange.client.gone) return;
    if (this.wanted) return this.endStream();
    if (captured.complete) {
      return replayAnswer(exchange, captured, { ...headers }, Date.parse(String(reply.headers['date'] ?? '')) || 0);
    }
    this.startClient();
    exchange.client.end(Buffer.concat(this.held));
  }

  private endStream(): void {
    const { client } = this.relay.exchange;
    if (this.terminated) client.end('data: [DONE]\n\n');
    else if (this.begun?.finished ?? true) client.end();
    else failStream(this.relay.services, client, 'RP_ERR_UPSTREAM_BROKEN');
  }
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
