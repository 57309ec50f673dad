import type { CacheOutcome } from '@reprise/contracts';
import type { DecisionNotes } from '@reprise/semantic-cache';
import type { Runtime } from '@reprise/nest';

/** What became of one request, for the metrics. */
export interface Answered {
  readonly cache: CacheOutcome;
  readonly notes: DecisionNotes;
}

/** Counts one answer and its duration in the one place where it is known. */
export function recordAnswer(
  { telemetry }: Runtime,
  route: string,
  { cache, notes }: Answered,
  startedMs: number,
): void {
  telemetry.count('reprise_requests_total', { route, cache, reason: notes.reason });
  telemetry.observeMs('reprise_request_seconds', performance.now() - startedMs, { cache });
}
