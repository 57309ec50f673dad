import type { UpstreamReply } from '@reprise/semantic-cache';
import { type CapturedAnswer, emptyCapture, fromJsonCompletion, stripHopByHop } from '@reprise/upstream';
import { heldBody } from '../http/upstream-body.js';
import type { Runtime } from '@reprise/nest';
import type { ChatExchange } from './chat-exchange.js';
import { failStream } from './fail-stream.js';

export interface Relay {
  readonly services: Runtime;
  readonly exchange: ChatExchange;
  readonly reply: UpstreamReply;
  readonly headers: Readonly<Record<string, string>>;
  /** Offers the captured answer to the store. */
  readonly store: (captured: CapturedAnswer) => Promise<void>;
}

/** An answer longer than `limits.captureBytes`: it goes to the client as it comes, and nothing of it is kept. */
export const tooLarge = (form: CapturedAnswer['form']): CapturedAnswer => ({ ...emptyCapture(form), tooLarge: true });

/** Passes a JSON answer on, byte for byte, after it has been offered to the store: the next equal request is a hit. */
export async function relayJson({ services, exchange, reply, headers, store }: Relay): Promise<void> {
  const { client } = exchange;
  // A stream that began as a follower's cannot go on as JSON.
  const begun = client.started;
  const limitBytes = services.config.limits.captureBytes;
  const onTooLarge = async (): Promise<void> => {
    await store(tooLarge('json'));
    if (begun) failStream(services, client, 'RP_ERR_STREAM_LOST');
  };
  const body = await heldBody(reply, client, headers, limitBytes, onTooLarge);
  if (body === undefined) return;
  await store(capture(body));
  if (begun) {
    failStream(services, client, 'RP_ERR_STREAM_LOST');
    return;
  }
  const { 'content-length': _length, ...rest } = stripHopByHop(reply.headers);
  client.start(reply.status, { ...rest, ...headers, 'content-length': body.length });
  client.end(body);
}

function capture(body: Buffer): CapturedAnswer {
  try {
    return fromJsonCompletion(JSON.parse(body.toString('utf8')));
  } catch {
    return emptyCapture('json');
  }
}
