/** What can go wrong before or while a provider answers; HTTP error answers are replies, not errors. */
export type UpstreamErrorCode =
  'RP_ERR_UPSTREAM_UNREACHABLE' | 'RP_ERR_UPSTREAM_TIMEOUT' | 'RP_ERR_UPSTREAM_ABORTED' | 'RP_ERR_UPSTREAM_BROKEN';

/** A failed upstream exchange; `sent` says whether any byte of the request may have reached the provider. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';

  constructor(
    readonly code: UpstreamErrorCode,
    message: string,
    readonly sent: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
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

/**
 * Maps any error of the HTTP client, also one that a reply's body emitted, to an `UpstreamError`.
 * The message names the system code only: addresses and request contents stay in `cause`.
 */
export function toUpstreamError(error: unknown, signal: AbortSignal | undefined, sent: boolean): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const name = error instanceof Error ? error.name : '';
  if (signal?.aborted === true || name === 'AbortError') {
    return new UpstreamError('RP_ERR_UPSTREAM_ABORTED', 'The request was aborted.', sent, { cause: error });
  }
  const system = errorCode(error);
  const code = classify(system, sent);
  const label = system === '' ? 'unknown error' : system;
  const text = {
    RP_ERR_UPSTREAM_UNREACHABLE: `The upstream could not be reached (${label}).`,
    RP_ERR_UPSTREAM_TIMEOUT: `The upstream did not answer in time (${label}).`,
    RP_ERR_UPSTREAM_ABORTED: 'The request was aborted.',
    RP_ERR_UPSTREAM_BROKEN: `The upstream exchange failed (${label}).`,
  }[code];
  return new UpstreamError(code, text, sent, { cause: error });
}
