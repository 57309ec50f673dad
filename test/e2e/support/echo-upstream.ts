import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** What the upstream knows of one request that it was sent. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Bytes of the body so far, and their hash once it has ended. */
  bytes: number;
  sha256?: string;
  /** The connection was closed before the answer was finished. */
  closed: boolean;
}

export interface EchoUpstream {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Bytes of `/v1/endless` that its socket has taken. */
  readonly sent: () => number;
  close(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse, seen: Seen) => void;

async function echo(request: IncomingMessage, response: ServerResponse, seen: Seen): Promise<void> {
  const hash = createHash('sha256');
  for await (const piece of request as AsyncIterable<Buffer>) {
    hash.update(piece);
    seen.bytes += piece.length;
  }
  seen.sha256 = hash.digest('hex');
  response.writeHead(201, { 'content-type': 'application/json', 'x-own': 'yes' });
  response.end(JSON.stringify({ object: 'file', bytes: seen.bytes, sha256: seen.sha256 }));
}

/** Bytes of every value, so that nothing is taken for text on the way. */
export const binary = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7) % 256));

/** An upstream on loopback that shows what reached it, and has an answer of every kind. */
export async function startEcho(): Promise<EchoUpstream> {
  const all: Seen[] = [];
  let sent = 0;
  const json =
    (status: number, body: unknown, headers: Record<string, string | string[]> = {}): Handler =>
    (request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    };
  const routes: Readonly<Record<string, Handler>> = {
    '/v1/files': (request, response, seen) => void echo(request, response, seen).catch(() => response.destroy()),
    '/v1/gzip': (request, response) => {
      request.resume();
      const body = gzipSync(JSON.stringify({ packed: 'ja, да, はい' }));
      response
        .writeHead(200, {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          'content-length': body.length,
        })
        .end(body);
    },
    '/v1/binary': (request, response) => {
      request.resume();
      response
        .writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': binary.length, etag: '"x"' })
        .end(binary);
    },
    '/v1/chunked': (request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
      response.write('eins ');
      setTimeout(() => response.end('zwei'), 30);
    },
    '/v1/empty': (request, response) => {
      request.resume();
      response.writeHead(204).end();
    },
    '/v1/missing': json(404, {
      error: { message: 'No such thing.', type: 'invalid_request_error', param: null, code: null },
    }),
    '/v1/teapot': json(
      418,
      { error: { message: 'short and stout', type: 't', param: null, code: 'tea' } },
      { 'x-many': ['a', 'b'] },
    ),
    '/v1/slow-down': json(
      429,
      { error: { message: 'slow', type: 't', param: null, code: null } },
      { 'retry-after': '7' },
    ),
    '/v1/broken': json(500, { error: { message: 'oh', type: 'server_error', param: null, code: null } }),
    '/v1/moved': (request, response) => {
      request.resume();
      response.writeHead(307, { location: '/v1/elsewhere' }).end();
    },
    '/v1/cookies': json(200, {}, { 'set-cookie': ['a=1; Path=/', 'b=2'], 'x-ratelimit-remaining-requests': '41' }),
    '/v1/endless': (request, response, seen) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      const piece = Buffer.alloc(64 * 1024, 1);
      const more = (): void => {
        while (!seen.closed) {
          sent += piece.length;
          if (!response.write(piece)) {
            response.once('drain', more);
            return;
          }
        }
      };
      more();
    },
    '/v1/silent': (request) => void request.resume(),
  };
  const server = createServer((request, response) => {
    const seen: Seen = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      bytes: 0,
      closed: false,
    };
    all.push(seen);
    response.on('close', () => (seen.closed = !response.writableFinished));
    const path = seen.url.split('?')[0] ?? '';
    (routes[path] ?? json(404, { error: { message: `no ${path}`, type: 'x', param: null, code: null } }))(
      request,
      response,
      seen,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen: all,
    sent: () => sent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
