import { FEATURE_NAMES, FEATURE_VERSION } from '@reprise/policy';
import type { LabelRecord } from '../ports/risk-store.port.js';

interface Explained {
  readonly conversation?: unknown;
  readonly user?: unknown;
  readonly firstTurn?: unknown;
  readonly budget?: {
    readonly rule?: unknown;
    readonly snapshot?: unknown;
    readonly score?: unknown;
    readonly features?: Readonly<Record<string, unknown>>;
  };
}

/**
 * A person's verdict on a served reuse as a label, from the record of its decision; undefined when that does not tell
 * what it was decided by. Nobody drew it: it stands for itself only.
 */
export function humanLabel(
  record: string,
  requestId: string,
  entryId: string,
  rejected: 0 | 1,
): LabelRecord | undefined {
  const { conversation, user, budget } = JSON.parse(record) as Explained;
  if (budget === undefined || typeof conversation !== 'string') return undefined;
  const row = rowOf(budget.features);
  const { rule, score, snapshot } = budget;
  if (rule !== 'budget' || row === undefined || typeof score !== 'number') return undefined;
  return {
    requestId,
    conversation,
    ...(typeof user === 'string' && user !== '' ? { user } : {}),
    entryId,
    rule,
    served: true,
    rejected,
    judge: 'human',
    rate: 1,
    score,
    snapshot: typeof snapshot === 'number' ? snapshot : 0,
    featureVersion: FEATURE_VERSION,
    row,
  };
}

function rowOf(features: Readonly<Record<string, unknown>> | undefined): Float64Array | undefined {
  const values = FEATURE_NAMES.map((name) => features?.[name]);
  return values.every((value) => typeof value === 'number') ? Float64Array.from(values as number[]) : undefined;
}
