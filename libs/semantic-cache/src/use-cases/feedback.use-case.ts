import { err, ok, type Result } from '@reprise/kernel';
import type { CacheDependencies } from '../dependencies.js';

export interface Feedback {
  readonly requestId?: string;
  readonly entryId?: string;
  readonly verdict: 'wrong' | 'right';
  readonly note: string;
}

/**
 * A person's verdict on one served answer. `wrong` takes the entry out of service on all replicas before it resolves
 * (acceptance case 43). Only entries of `ns` can be reached. Throws when the store cannot be reached.
 */
export async function feedback(
  deps: CacheDependencies,
  ns: string,
  given: Feedback,
): Promise<Result<{ readonly entryId: string; readonly quarantined: boolean }, 'unknown-request' | 'unknown-entry'>> {
  const entryId = given.entryId ?? (await servedEntry(deps, ns, given.requestId ?? ''));
  if (entryId === undefined || entryId === '') return err('unknown-request');
  deps.telemetry.count('reprise_feedback_total', { verdict: given.verdict });
  if (given.verdict === 'right') return ok({ entryId, quarantined: false });
  const known = await deps.admin.quarantine(
    ns,
    entryId,
    given.note === '' ? 'feedback' : given.note,
    deps.clock.nowMs(),
  );
  return known ? ok({ entryId, quarantined: true }) : err('unknown-entry');
}

async function servedEntry(deps: CacheDependencies, ns: string, requestId: string): Promise<string | undefined> {
  return (await deps.decisions.read(ns, requestId))?.served;
}
