import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCodeName, RepriseError } from '@reprise/kernel';

/** How long a refused client may go on sending before its connection is cut. */
const lingerMs = 1_000;

const codes: Readonly<Record<string, ErrorCodeName>> = {
  HPE_HEADER_OVERFLOW: 'RP_ERR_HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'RP_ERR_REQUEST_TIMEOUT',
};

interface HttpSocket extends Socket {
  readonly _httpMessage?: { readonly headersSent?: boolean } | null;
}

/**
 * Answers what is no HTTP request in the shape of the API, then closes. What the client still sends is dropped for a
 * moment: a connection that is cut at once takes the answer with it.
 */
export function refuseBroken(error: Error & { code?: string }, socket: HttpSocket): void {
  // An answer under way on this connection must not get another one into its middle.
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent === true) {
    socket.destroy();
    return;
  }
  const known = new RepriseError(codes[error.code ?? ''] ?? 'RP_ERR_BAD_REQUEST');
  const body = JSON.stringify(known.toBody());
  socket.removeAllListeners('data').on('data', () => undefined);
  const cut = setTimeout(() => socket.destroy(), lingerMs);
  socket.on('close', () => clearTimeout(cut));
  socket.end(
    `HTTP/1.1 ${known.status} ${known.status === 400 ? 'Bad Request' : 'Refused'}\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Expectations that we do not know are no reason to refuse a request (RFC 9110 §10.1.1 allows both). */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
