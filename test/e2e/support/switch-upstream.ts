import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What is done with one request in place of passing it on. */
export type Trick = (request: IncomingMessage, response: ServerResponse) => void;

export interface SwitchUpstream {
  /** Base URL with /v1. */
  readonly url: string;
  /** Requests that arrived. */
  readonly seen: () => number;
  /** The next requests are played these tricks, one each; then all pass on. */
  readonly next: (...tricks: readonly Trick[]) => void;
  /** No more tricks. */
  readonly forget: () => void;
  close(): Promise<void>;
}

/** Passes a request on to `target`, byte for byte. */
export function passOn(target: URL, from: IncomingMessage, to: ServerResponse): void {
  const { hostname, port } = target;
  const onward = request({ hostname, port, method: from.method, path: from.url, headers: from.headers }, (reply) => {
    to.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(to);
  });
  onward.on('error', () => to.destroy());
  to.on('close', () => onward.destroy());
  from.pipe(onward);
}

/** An upstream on loopback before another one, which fails as it is told. */
export async function startSwitch(target: string): Promise<SwitchUpstream> {
  const tricks: Trick[] = [];
  let seen = 0;
  const server = createServer((from, to) => {
    seen += 1;
    const trick = tricks.shift();
    if (trick === undefined) passOn(new URL(target), from, to);
    else trick(from, to);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen: () => seen,
    next: (...more) => tricks.push(...more),
    forget: () => void tricks.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
