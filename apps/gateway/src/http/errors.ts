import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { type ErrorCodeName, type Log, RepriseError, type Telemetry, errorCodes } from '@reprise/kernel';
import type { FastifyReply } from 'fastify';

const byStatus: Readonly<Record<number, ErrorCodeName>> = {
  400: 'RP_ERR_BAD_REQUEST',
  401: 'RP_ERR_UNAUTHENTICATED',
  403: 'RP_ERR_FORBIDDEN',
  404: 'RP_ERR_NOT_FOUND',
  405: 'RP_ERR_METHOD',
  413: 'RP_ERR_BODY_TOO_LARGE',
  415: 'RP_ERR_UNSUPPORTED_MEDIA',
};

/** Any failure as an error of the table; what it does not know is RP_ERR_INTERNAL and says nothing of itself. */
export function toRepriseError(error: unknown): RepriseError {
  if (error instanceof RepriseError) return error;
  const status = error instanceof HttpException ? error.getStatus() : (error as { statusCode?: unknown }).statusCode;
  const code =
    typeof status === 'number' ? (byStatus[status] ?? (status < 500 ? 'RP_ERR_BAD_REQUEST' : undefined)) : undefined;
  return new RepriseError(code ?? 'RP_ERR_INTERNAL', undefined, null, { cause: error });
}

export interface ErrorSinks {
  readonly log: Log;
  readonly telemetry: Telemetry;
}

/** Answers with OpenAI's error body; the stack goes to the log, never to the caller. */
export function sendError(reply: FastifyReply, failure: unknown, { log, telemetry }: ErrorSinks): void {
  const error = toRepriseError(failure);
  const { level } = errorCodes[error.code];
  const cause = error.cause instanceof Error ? error.cause : error;
  telemetry.count('reprise_errors_total', { code: error.code });
  log.write(level, error.code, level === 'error' ? { stack: cause.stack } : { detail: error.detail });
  const body = JSON.stringify(error.toBody());
  if (reply.raw.headersSent) reply.raw.destroy();
  else if (reply.sent) reply.raw.writeHead(error.status, { ...plainHeaders(reply), ...jsonType }).end(body);
  else void reply.status(error.status).headers(jsonType).send(body);
}

const jsonType = { 'content-type': 'application/json; charset=utf-8' };

/** Headers set so far on a reply that was hijacked: the raw response does not know them. */
function plainHeaders(reply: FastifyReply): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value : String(value);
  }
  return headers;
}

@Catch()
export class RepriseErrorFilter implements ExceptionFilter {
  constructor(private readonly sinks: ErrorSinks) {}

  catch(failure: unknown, host: ArgumentsHost): void {
    sendError(host.switchToHttp().getResponse<FastifyReply>(), failure, this.sinks);
  }
}
