import { Agent, request } from 'node:http';
import { connect } from 'node:net';

export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: Uint8Array | string;
}

/** Keep-alive connections, at most this many. */
export const pooled = (connections: number): Agent => new Agent({ keepAlive: true, maxSockets: connections });

/** One exchange without anything that a client of comfort adds; rejects when no answer comes within `timeoutMs`. */
export function exchange(
  url: string,
  { method, path, headers = {}, body }: RawRequest,
  agent: Agent,
  timeoutMs = 30_000,
): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  const length = bytes === undefined ? {} : { 'content-length': String(bytes.length) };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, agent, headers: { ...length, ...headers } }, (reply) => {
      const pieces: Buffer[] = [];
      reply.on('data', (piece: Buffer) => pieces.push(piece));
      reply.on('error', reject);
      reply.on('end', () => {
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(pieces) });
      });
    });
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no answer to ${method} ${path} in ${timeoutMs} ms`)));
    sent.on('error', reject);
    sent.end(bytes);
  });
}

/** Writes bytes on a connection of their own, closes its own side, and gives everything that came back. */
export function sendBytes(url: string, bytes: Uint8Array, timeoutMs = 30_000): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    const late = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(
          `the connection stayed open for ${timeoutMs} ms after ${JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, 400))}`,
        ),
      );
    }, timeoutMs);
    socket.on('data', (piece: Buffer) => pieces.push(piece));
    // A server that refuses may close before everything is sent.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(late);
      resolve(Buffer.concat(pieces));
    });
    socket.end(bytes);
  });
}
