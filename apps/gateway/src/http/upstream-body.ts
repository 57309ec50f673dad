import type { UpstreamReply } from '@reprise/semantic-cache';
import { stripHopByHop, toUpstreamError, UpstreamError } from '@reprise/upstream';
import type { ClientConnection } from './client-connection.js';

/** The pieces of a reply's body. A body that breaks off throws RP_ERR_UPSTREAM_BROKEN, one that stalls _TIMEOUT. */
export async function* piecesOf(reply: UpstreamReply): AsyncGenerator<Buffer> {
  try {
    yield* reply.body as AsyncIterable<Buffer>;
  } catch (error) {
    const known = toUpstreamError(error, undefined, true);
    if (known.code !== 'RP_ERR_UPSTREAM_UNREACHABLE') throw known;
    // It had been reached: its answer had begun.
    throw new UpstreamError('RP_ERR_UPSTREAM_BROKEN', '', { sent: true, aborted: known.aborted, cause: error });
  }
}

/**
 * Reads what follows the end of an answer, so that its connection can be used again. An upstream that keeps it open
 * for longer than `mostMs` loses it.
 */
export async function readOff(reply: UpstreamReply, pieces: AsyncGenerator<Buffer>, mostMs: number): Promise<void> {
  const late = setTimeout(() => reply.body.destroy(), mostMs);
  try {
    while ((await pieces.next()).done !== true);
  } catch {
    // The answer was whole before.
  } finally {
    clearTimeout(late);
  }
}

/**
 * A body of at most `limitBytes`, which the client has not been given yet; undefined: it was longer, and the client has
 * had all of it as it came. `onTooLarge` is called as soon as that is known.
 */
export async function heldBody(
  reply: UpstreamReply,
  client: ClientConnection,
  headers: Readonly<Record<string, string>>,
  limitBytes: number,
  onTooLarge: () => Promise<void> = () => Promise.resolve(),
): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of piecesOf(reply)) {
    const held = bytes <= limitBytes;
    bytes += piece.length;
    if (bytes <= limitBytes) {
      pieces.push(piece);
      continue;
    }
    if (held) {
      await onTooLarge();
      client.start(reply.status, { ...stripHopByHop(reply.headers), ...headers });
      for (const earlier of pieces.splice(0)) await client.write(earlier);
    }
    // Leaving the loop ends the upstream's answer, too.
    if (client.gone) return undefined;
    await client.write(piece);
  }
  if (bytes <= limitBytes) return Buffer.concat(pieces);
  client.end();
  return undefined;
}
