import { RepriseError } from '@reprise/kernel';

/** What can go wrong before or while a provider answers; HTTP error answers are replies, not errors. */
export type UpstreamErrorCode = 'RP_ERR_UPSTREAM_UNREACHABLE' | 'RP_ERR_UPSTREAM_TIMEOUT' | 'RP_ERR_UPSTREAM_BROKEN';

export interface UpstreamFailure {
  /** A byte of the request may have reached the provider. */
  sent: boolean;
  /** The caller's own signal ended the exchange. */
  aborted: boolean;
  cause: unknown;
}

/** A failed upstream exchange; the message names a system code only, addresses and contents stay in `cause`. */
export class UpstreamError extends RepriseError {
  readonly sent: boolean;
  readonly aborted: boolean;

  constructor(
    override readonly code: UpstreamErrorCode,
    detail: string,
    failure: UpstreamFailure,
  ) {
    super(code, detail, null, { cause: failure.cause });
    this.name = 'UpstreamError';
    this.sent = failure.sent;
    this.aborted = failure.aborted;
  }
}

const TIMEOUTS = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
]);

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') return code;
  const parts = (error as { errors?: unknown }).errors;
  return Array.isArray(parts) && parts.length > 0 ? errorCode(parts[0]) : '';
}

/** Whatever fails before the request was sent, certificates included, means that the provider was not reached. */
function classify(code: string, sent: boolean): UpstreamErrorCode {
  if (TIMEOUTS.has(code)) return 'RP_ERR_UPSTREAM_TIMEOUT';
  if (UNREACHABLE.has(code)) return 'RP_ERR_UPSTREAM_UNREACHABLE';
  const local = code === '' || code.startsWith('UND_ERR_INVALID') || code.startsWith('ERR_INVALID');
  return sent || local ? 'RP_ERR_UPSTREAM_BROKEN' : 'RP_ERR_UPSTREAM_UNREACHABLE';
}

/** Maps any error of the HTTP client, also one that a reply's body emitted, to an `UpstreamError`. */
export function toUpstreamError(error: unknown, signal: AbortSignal | undefined, sent: boolean): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const name = error instanceof Error ? error.name : '';
  if (signal?.aborted === true || name === 'AbortError') {
    return new UpstreamError('RP_ERR_UPSTREAM_BROKEN', '(aborted)', { sent, aborted: true, cause: error });
  }
  const system = errorCode(error);
  const detail = `(${system === '' ? 'unknown error' : system})`;
  return new UpstreamError(classify(system, sent), detail, { sent, aborted: false, cause: error });
}
