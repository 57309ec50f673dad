import { type CacheMode, tightenMode } from '@reprise/policy';
import type { DecisionNotes } from '../cache-request.js';
import { Deadline } from '../deadline.js';
import { degradedReason } from '../degraded.js';
import type { ExactReply, StoredAnswer } from '../ports/entry-store.port.js';
import type { CacheControl } from '../request/cache-control.js';
import type { CacheDependencies } from '../dependencies.js';

/** A request that only the exact tier can answer (embeddings): its whole identity is one key. */
export interface PlainRequest {
  readonly requestId: string;
  readonly ns: string;
  readonly tenant: string;
  readonly model: string;
  readonly exactKey: string;
  readonly cacheControl: CacheControl;
  readonly askedMode?: CacheMode;
  readonly tags: readonly string[];
}

export type PlainOutcome =
  | { readonly kind: 'hit-exact'; readonly entry: StoredAnswer; readonly notes: DecisionNotes }
  | { readonly kind: 'miss'; readonly write: boolean; readonly purges: number; readonly notes: DecisionNotes }
  | { readonly kind: 'bypass'; readonly notes: DecisionNotes };

/** Never throws: a store that fails or is late ends in `bypass`. */
export async function checkPlain(deps: CacheDependencies, plain: PlainRequest): Promise<PlainOutcome> {
  if (plain.cacheControl.noStore) return { kind: 'bypass', notes: { reason: 'no-store', ignored: [] } };
  try {
    const reply = await new Deadline(deps.clock, deps.limits.addedLatencyMs).within(askPlain(deps, plain));
    const policy = deps.policies.resolve(plain.ns, plain.tenant, plain.model);
    const { capabilities, ignored: loosened } = tightenMode(policy.mode, plain.askedMode);
    const ignored = loosened ? ['x-reprise-mode'] : [];
    if (reply.outcome === 'paused') return { kind: 'bypass', notes: { reason: 'paused', ignored } };
    if (!capabilities.read && !capabilities.write) return { kind: 'bypass', notes: { reason: 'mode-off', ignored } };
    if (reply.outcome === 'hit' && capabilities.read && !plain.cacheControl.noCache) {
      return {
        kind: 'hit-exact',
        entry: reply.entry,
        notes: { reason: 'equal-request', entryId: reply.entry.id, ignored },
      };
    }
    const reason = plain.cacheControl.noCache ? 'no-cache' : 'exact-only';
    return { kind: 'miss', write: capabilities.write, purges: reply.purges, notes: { reason, ignored } };
  } catch (error) {
    return { kind: 'bypass', notes: { reason: degradedReason(deps, error), ignored: [] } };
  }
}

/** The exact tier; asked once more, by the policy that its reply brought, when that is a newer one. */
async function askPlain(deps: CacheDependencies, plain: PlainRequest): Promise<ExactReply> {
  const ask = (): Promise<ExactReply> =>
    deps.store.exact(plain.ns, {
      exactKey: plain.exactKey,
      nowMs: deps.clock.nowMs(),
      maxAgeMs: Math.min(
        deps.policies.resolve(plain.ns, plain.tenant, plain.model).maxAgeMs,
        plain.cacheControl.maxAgeMs ?? Infinity,
      ),
      requestId: plain.requestId,
      policyVersion: deps.policies.version(plain.ns),
    });
  const reply = await ask();
  deps.policies.learn(plain.ns, reply);
  return reply.policy === undefined ? reply : ask();
}

/** Offers the upstream's body to the exact tier; failure costs the entry only. */
export async function storePlain(
  deps: CacheDependencies,
  plain: PlainRequest,
  purges: number,
  answer: string,
  promptTokens: number,
  costMicroUsd: number,
): Promise<void> {
  const policy = deps.policies.resolve(plain.ns, plain.tenant, plain.model);
  deps.roll.touch(deps, plain.ns, policy);
  try {
    const reply = await deps.store.admit(plain.ns, {
      id: deps.newId(),
      requestId: plain.requestId,
      exactKey: plain.exactKey,
      firstTurn: false,
      historyKey: '',
      conversation: '',
      answer,
      model: plain.model,
      tags: plain.tags,
      user: '',
      createdMs: deps.clock.nowMs(),
      exactTtlMs: policy.exactTtlMs,
      semanticTtlMs: policy.semanticTtlMs,
      maxAgeMs: policy.maxAgeMs,
      promptTokens,
      completionTokens: 0,
      costMicroUsd,
      importance: 0,
      purges,
      seed: deps.seed(plain.ns, plain.requestId),
    });
    deps.telemetry.count('reprise_admissions_total', { outcome: reply.outcome, reason: reply.reason });
  } catch {
    deps.telemetry.count('reprise_degraded_total', { mode: 'admission-failed' });
  }
}
