import type { IncomingMessage } from 'node:http';
import { RepriseError } from '@reprise/kernel';

/** A body past the limit is read on to this many times the limit, so that its sender gets to see the answer. */
const patience = 4;

/**
 * The bytes of a request's body. Rejects with RP_ERR_BODY_TOO_LARGE past `limitBytes`; the rest is then read and
 * dropped, because an answer to a client that is still sending is lost with its connection.
 */
export async function readBytes(payload: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of payload as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes <= limitBytes) pieces.push(piece);
      else pieces.length = 0;
      if (bytes > patience * limitBytes) break;
    }
  } catch (error) {
    // The client went away, or what it sent stopped being HTTP.
    throw new RepriseError('RP_ERR_BAD_REQUEST', 'The body broke off.', null, { cause: error });
  }
  if (bytes > limitBytes) throw new RepriseError('RP_ERR_BODY_TOO_LARGE');
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, bytes);
}
