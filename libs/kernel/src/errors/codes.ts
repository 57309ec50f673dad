import type { LogLevel } from '../log.js';

export interface ErrorCode {
  /** HTTP status when it reaches a caller. */
  readonly status: number;
  /** OpenAI's `error.type`. */
  readonly type:
    'invalid_request_error' | 'authentication_error' | 'permission_error' | 'not_found_error' | 'api_error';
  readonly message: string;
  readonly level: LogLevel;
  readonly retryable: boolean;
}

const code = (
  status: number,
  type: ErrorCode['type'],
  message: string,
  level: LogLevel = 'info',
  retryable = false,
): ErrorCode => ({ status, type, message, level, retryable });

/** The one error table; docs/reference/errors.md is generated from it. */
export const errorCodes = {
  RP_ERR_BAD_JSON: code(400, 'invalid_request_error', 'The request body is not valid JSON.'),
  RP_ERR_BAD_REQUEST: code(400, 'invalid_request_error', 'The request is not valid.'),
  RP_ERR_BODY_TOO_LARGE: code(413, 'invalid_request_error', 'The request body is larger than server.bodyLimitBytes.'),
  RP_ERR_HEADERS_TOO_LARGE: code(431, 'invalid_request_error', 'The request headers are larger than 16 KiB.'),
  RP_ERR_REQUEST_TIMEOUT: code(408, 'invalid_request_error', 'The request was not sent in time.', 'info', true),
  RP_ERR_UNSUPPORTED_MEDIA: code(415, 'invalid_request_error', 'The content type must be application/json.'),
  RP_ERR_UNAUTHENTICATED: code(401, 'authentication_error', 'No valid API key was given.'),
  RP_ERR_KEY_REVOKED: code(401, 'authentication_error', 'This API key has been revoked.'),
  RP_ERR_FORBIDDEN: code(403, 'permission_error', 'This token may not do that.'),
  RP_ERR_NOT_FOUND: code(404, 'not_found_error', 'There is no such resource.'),
  RP_ERR_METHOD: code(405, 'invalid_request_error', 'This method is not supported here.'),
  RP_ERR_NOT_CACHED: code(504, 'api_error', 'only-if-cached was asked and no stored answer may be served.'),
  RP_ERR_UPSTREAM_UNREACHABLE: code(502, 'api_error', 'The upstream could not be reached.', 'warn', true),
  RP_ERR_UPSTREAM_TIMEOUT: code(504, 'api_error', 'The upstream did not answer in time.', 'warn', true),
  RP_ERR_UPSTREAM_BROKEN: code(502, 'api_error', 'The upstream broke off its answer.', 'warn', true),
  RP_ERR_STREAM_LOST: code(
    502,
    'api_error',
    'The call that this stream came from was lost, and the answer that was made in its place is another one.',
    'warn',
    true,
  ),
  RP_ERR_CACHE_UNAVAILABLE: code(503, 'api_error', 'The cache store cannot be reached.', 'warn', true),
  RP_ERR_SHUTTING_DOWN: code(503, 'api_error', 'The gateway is shutting down.', 'info', true),
  RP_ERR_INTERNAL: code(500, 'api_error', 'The gateway failed.', 'error'),
} as const satisfies Record<`RP_ERR_${string}`, ErrorCode>;

export type ErrorCodeName = keyof typeof errorCodes;

/** An unexpected or caller-caused failure with a code of the table. `detail` is safe to show to the caller. */
export class RepriseError extends Error {
  constructor(
    readonly code: ErrorCodeName,
    readonly detail?: string,
    readonly param: string | null = null,
    options?: ErrorOptions,
  ) {
    super(detail ? `${errorCodes[code].message} ${detail}` : errorCodes[code].message, options);
    this.name = 'RepriseError';
  }

  get status(): number {
    return errorCodes[this.code].status;
  }

  /** OpenAI's error body. */
  toBody(): { error: { message: string; type: string; code: string; param: string | null } } {
    return {
      error: { message: this.message, type: errorCodes[this.code].type, code: this.code, param: this.param },
    };
  }
}
