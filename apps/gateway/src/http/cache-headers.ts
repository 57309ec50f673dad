import { type CacheOutcome, responseHeaders } from '@reprise/contracts';
import type { DecisionNotes, StoredAnswer } from '@reprise/semantic-cache';

/** The response headers of the contract (architecture.md §1.2) for one decision. */
export function cacheHeaders(
  outcome: CacheOutcome,
  requestId: string,
  notes: DecisionNotes,
  entry?: StoredAnswer,
  nowMs = 0,
): Record<string, string> {
  const ignored = notes.ignored.length === 0 ? '' : `; ignored=${notes.ignored.join(',')}`;
  const headers: Record<string, string> = {
    [responseHeaders.requestId]: requestId,
    [responseHeaders.cache]: outcome,
    [responseHeaders.reason]: notes.reason + ignored,
  };
  if (notes.entryId !== undefined && notes.entryId !== '') headers[responseHeaders.entry] = notes.entryId;
  if (notes.similarity !== undefined) headers[responseHeaders.similarity] = notes.similarity.toFixed(4);
  if (notes.risk !== undefined) headers[responseHeaders.risk] = notes.risk.toPrecision(4);
  if (notes.riskBound !== undefined) headers[responseHeaders.riskBound] = notes.riskBound.toPrecision(4);
  if (notes.snapshot !== undefined) headers[responseHeaders.snapshot] = String(notes.snapshot);
  if (notes.shadow !== undefined) headers[responseHeaders.shadow] = notes.shadow;
  if (entry !== undefined) {
    headers[responseHeaders.age] = String(Math.max(0, Math.floor((nowMs - entry.createdMs) / 1000)));
    headers[responseHeaders.savedUsd] = (entry.costMicroUsd / 1e6).toFixed(6);
  }
  return headers;
}
