import type { Readable } from 'node:stream';

/** One HTTP request to a model provider: `path` is the gateway's own path (`/v1/…`, query included), headers are already cleaned. */
export interface UpstreamRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body?: Uint8Array | Readable;
  signal: AbortSignal;
}

/** The provider's answer as it came: the body is raw bytes and keeps back-pressure. */
export interface UpstreamReply {
  status: number;
  headers: Record<string, string | string[]>;
  body: Readable;
}

/** Port to a model provider; `send` rejects with an `UpstreamError` when there is no answer to pass on. */
export interface UpstreamModel {
  send(request: UpstreamRequest): Promise<UpstreamReply>;
}
