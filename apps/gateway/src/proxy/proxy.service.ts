import { pipeline } from 'node:stream/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { UpstreamReply, UpstreamRequest } from '@reprise/semantic-cache';
import { stripHopByHop } from '@reprise/upstream';
import { RUNTIME, type Runtime } from '@reprise/nest';
import type { ClientConnection } from '../http/client-connection.js';

/** The caller's headers for the upstream; the upstream adapter drops what belongs to the connection or to us. */
export function upstreamHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const out: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) out[name] = value;
  return out;
}

/** Sends requests through unchanged: status, headers and bytes, streaming, with back-pressure and abort both ways. */
@Injectable()
export class ProxyService {
  private readonly services: Runtime;

  constructor(@Inject(RUNTIME) services: Runtime) {
    this.services = services;
  }

  async forward(
    client: ClientConnection,
    request: Omit<UpstreamRequest, 'signal'>,
    extra: Readonly<Record<string, string>>,
  ): Promise<void> {
    try {
      const reply = await this.services.upstream.send({ ...request, signal: client.signal });
      await this.passThrough(client, reply, extra);
    } catch (error) {
      if (client.gone) return;
      if (client.started) client.destroy();
      else throw error;
    }
  }

  /** The upstream's reply as it is, with our headers on it. */
  async passThrough(
    client: ClientConnection,
    reply: UpstreamReply,
    extra: Readonly<Record<string, string>>,
  ): Promise<void> {
    client.start(reply.status, { ...stripHopByHop(reply.headers), ...extra });
    await pipeline(reply.body, async (source: AsyncIterable<Buffer>) => {
      for await (const piece of source) await client.write(piece);
    });
    client.end();
  }
}
