import { err, ok, type Result } from '@reprise/kernel';
import type { CacheDependencies } from '../dependencies.js';
import { humanLabel } from './human-label.js';

export interface Feedback {
  readonly requestId?: string;
  readonly entryId?: string;
  readonly verdict: 'wrong' | 'right';
  readonly note: string;
}

/**
 * A person's verdict on one served answer. `wrong` takes the entry out of service on all replicas before it resolves
 * (acceptance case 43). By request id it is a label as well, the first verdict on a request being the one that counts;
 * only `wrong` is learned from, for no caller may loosen what is served. Only entries of `ns` can be reached. Throws when the store cannot be reached.
 */
export async function feedback(
  deps: CacheDependencies,
  ns: string,
  given: Feedback,
): Promise<Result<{ readonly entryId: string; readonly quarantined: boolean }, 'unknown-request' | 'unknown-entry'>> {
  const decision = given.requestId === undefined ? undefined : await deps.decisions.read(ns, given.requestId);
  const entryId = given.entryId ?? decision?.served;
  if (entryId === undefined || entryId === '') return err('unknown-request');
  deps.telemetry.count('reprise_feedback_total', { verdict: given.verdict });
  await keepLabel(deps, ns, given, entryId, decision);
  if (given.verdict === 'right') return ok({ entryId, quarantined: false });
  const known = await deps.admin.quarantine(
    ns,
    entryId,
    given.note === '' ? 'feedback' : given.note,
    deps.clock.nowMs(),
  );
  return known ? ok({ entryId, quarantined: true }) : err('unknown-entry');
}

/** Failure costs the label, not the feedback. */
async function keepLabel(
  deps: CacheDependencies,
  ns: string,
  { requestId, verdict }: Feedback,
  entryId: string,
  decision: { readonly record?: string; readonly served?: string } | undefined,
): Promise<void> {
  if (deps.risk === undefined || requestId === undefined || decision?.record === undefined) return;
  if (decision.served !== entryId) return;
  const wrong = verdict === 'wrong';
  try {
    const label = humanLabel(decision.record, requestId, entryId, wrong ? 1 : 0);
    if (label === undefined || !(await deps.risk.observe(ns, label, wrong))) return;
    deps.telemetry.count('reprise_judgements_total', { judge: 'human', outcome: wrong ? 'rejected' : 'accepted' });
  } catch {
    deps.telemetry.count('reprise_degraded_total', { mode: 'label-unavailable' });
  }
}
