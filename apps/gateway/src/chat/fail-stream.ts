import { type ErrorCodeName, RepriseError } from '@reprise/kernel';
import type { Runtime } from '@reprise/nest';
import type { ClientConnection } from '../http/client-connection.js';

/**
 * Ends a stream that has begun and cannot go on: OpenAI's error as the last event, then the connection breaks off, so
 * that neither a client that reads events nor one that reads bytes takes the part for the whole. Counted once.
 */
export function failStream(services: Runtime, client: ClientConnection, code: ErrorCodeName): void {
  if (client.gone) return;
  services.telemetry.count('reprise_errors_total', { code });
  client.fail(`data: ${JSON.stringify(new RepriseError(code).toBody())}\n\n`);
}
