import type { MissContext } from '../cache-request.js';
import type { CacheDependencies } from '../dependencies.js';

/** Keeps the inputs of a decision for `explain`; not awaited, a failure costs only the explanation. */
export function writeDecision(deps: CacheDependencies, context: MissContext, entryId: string, record: string): void {
  const { cache, conversation } = context;
  deps.decisions
    .record(
      cache.ns,
      cache.requestId,
      entryId,
      conversation,
      record,
      deps.limits.decisionKeepMs,
      deps.clock.nowMs(),
      cache.user,
    )
    .catch(() => deps.telemetry.count('reprise_degraded_total', { mode: 'decision-log-unavailable' }));
}
