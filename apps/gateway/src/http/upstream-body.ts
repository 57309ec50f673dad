import type { UpstreamReply } from '@reprise/semantic-cache';
import { toUpstreamError, UpstreamError } from '@reprise/upstream';

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
