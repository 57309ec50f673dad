import { setTimeout } from 'node:timers/promises';
import type { FlightTicket } from '@reprise/semantic-cache';
import type { Runtime } from '@reprise/nest';

const retryMs = 200;

/**
 * Ends a flight that the store could not be told to end, or may have opened late: without it everybody who asks the
 * same when the store is back waits for the lease of a leader that is no more. Tried for one lease; never throws.
 */
export async function abandonLate(
  { clock, flights }: Runtime,
  ns: string,
  ticket: FlightTicket,
  leaseMs: number,
): Promise<void> {
  for (const untilMs = clock.nowMs() + leaseMs; clock.nowMs() < untilMs;) {
    await setTimeout(retryMs, undefined, { ref: false });
    const told = await flights.abandon(ns, ticket, 'late').then(
      () => true,
      () => false,
    );
    if (told) return;
  }
}
