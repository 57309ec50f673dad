import type { Readable } from 'node:stream';

export interface UpstreamRequest {
  readonly method: string;
  /** Path and query below the upstream's base, e.g. `/v1/chat/completions`. */
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
  readonly body?: Uint8Array | Readable;
  /** Aborting it aborts the upstream call. */
  readonly signal: AbortSignal;
}

export interface UpstreamReply {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  /** Raw bytes; back-pressure is the reader's. */
  readonly body: Readable;
}

/** An OpenAI-compatible upstream. Throws RepriseError with an RP_ERR_UPSTREAM_* code. */
export interface UpstreamModel {
  send(request: UpstreamRequest): Promise<UpstreamReply>;
  close(): Promise<void>;
}
