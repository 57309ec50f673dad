import type {
  AdmitReply,
  Candidate,
  EntryStore,
  ExactQuery,
  ExactReply,
  LookupQuery,
  LookupReply,
  NewEntry,
  NamespaceMoment,
  PolicyReply,
  PolicyState,
  ServeQuery,
  ServeReply,
  StoredAnswer,
  StoredDossier,
} from '@reprise/semantic-cache';
import { admitEntry } from './admit-entry.js';
import { checkNamespaceName } from './check-namespace-name.js';
import { checkVector } from './check-vector.js';
import type { MemoryEntry, MemoryState, NamespaceState } from './namespace-state.js';
import { nearest } from './nearest.js';

/** As long as the Redis adapter keeps the bare note of what was served. */
const servedKeepMs = 3_600_000;

const ageOf = (entry: MemoryEntry, nowMs: number): number => Math.max(0, nowMs - entry.createdMs);

function answerOf(entry: MemoryEntry): StoredAnswer {
  const { id, createdMs, model, promptTokens, completionTokens, costMicroUsd, answer } = entry;
  return { id, createdMs, model, promptTokens, completionTokens, costMicroUsd, answer };
}

/** The in-process twin of the Redis entry store: the same outcomes, by exact search. */
export class MemoryEntryStore implements EntryStore {
  constructor(private readonly state: MemoryState) {}

  async policy(ns: string, policyVersion: number): Promise<PolicyReply> {
    const space = this.open(ns);
    return Promise.resolve({ ...momentOf(space, policyVersion), paused: space.paused });
  }

  async exact(ns: string, query: ExactQuery): Promise<ExactReply> {
    const space = this.open(ns);
    const policy = momentOf(space, query.policyVersion);
    if (space.paused) return { ...policy, outcome: 'paused' };
    const entry = space.entries.get(space.exact.get(query.exactKey) ?? '');
    if (!entry || entry.exactUntilMs <= query.nowMs) return this.none(space, policy, 'miss', 'exact_miss');
    if (ageOf(entry, query.nowMs) >= query.maxAgeMs) return this.none(space, policy, 'too-old', 'exact_too_old');
    space.count('exact_hit');
    await this.hit(space, entry, query);
    return { ...policy, outcome: 'hit', entry: answerOf(entry) };
  }

  async lookup(ns: string, query: LookupQuery): Promise<LookupReply> {
    const space = this.open(ns);
    const stratum = space.strata.get(query.stratum);
    checkVector(query.vector, stratum?.values().next().value?.length);
    const policy = policyOf(space, query.policyVersion);
    if (space.paused) return { ...policy, outcome: 'paused', candidates: [] };
    space.count('lookup');
    const candidates: Candidate[] = [];
    for (const { id, similarity } of nearest(stratum, query.vector)) {
      const entry = space.entries.get(id);
      if (!entry || entry.semanticUntilMs <= query.nowMs || ageOf(entry, query.nowMs) >= query.maxAgeMs) continue;
      const { createdMs, fingerprint, firstTurn, historyKey, conversation } = entry;
      const answer = query.answers === true ? entry.answer : '';
      candidates.push({ id, similarity, createdMs, firstTurn, historyKey, conversation, fingerprint, answer });
      if (candidates.length === query.count) break;
    }
    return Promise.resolve({ ...policy, outcome: 'ok', candidates });
  }

  async dossiers(ns: string, ids: readonly string[], answers: boolean): Promise<readonly StoredDossier[]> {
    const { entries } = this.open(ns);
    const live = ids.flatMap((id) => entries.get(id) ?? []);
    return Promise.resolve(live.map(({ id, dossier, answer }) => ({ id, dossier, answer: answers ? answer : '' })));
  }

  async serve(ns: string, query: ServeQuery): Promise<ServeReply> {
    const space = this.open(ns);
    if (space.paused) return { outcome: 'paused' };
    if (space.version !== query.policyVersion) return { outcome: 'policy-changed' };
    const refusal = notPermitted(space, query);
    if (refusal !== undefined) return { outcome: refusal };
    const entry = space.entries.get(query.entryId);
    if (!entry || entry.stratum === '' || entry.semanticUntilMs <= query.nowMs) {
      space.count('serve_gone');
      return { outcome: 'gone' };
    }
    if (ageOf(entry, query.nowMs) >= query.maxAgeMs) return { outcome: 'too-old' };
    space.count('semantic_hit');
    await this.hit(space, entry, query, query.told);
    return { outcome: 'served', entry: answerOf(entry) };
  }

  async admit(ns: string, entry: NewEntry): Promise<AdmitReply> {
    return Promise.resolve(admitEntry(this.open(ns), entry));
  }

  private open(ns: string): NamespaceState {
    checkNamespaceName(ns);
    return this.state.namespace(ns);
  }

  private none(
    space: NamespaceState,
    policy: NamespaceMoment,
    outcome: 'miss' | 'too-old',
    counter: string,
  ): ExactReply {
    space.count(counter);
    return { ...policy, outcome };
  }

  /** A served entry is one `feedback` of the specification, and a note for feedback by request id. */
  private async hit(
    space: NamespaceState,
    entry: MemoryEntry,
    query: ExactQuery | ServeQuery,
    told?: ServeQuery['told'],
  ): Promise<void> {
    // Every hit is an outcome of its own, whatever its request id: a served request calls once.
    const requestId = `\u001fhit:${space.policies.moment.step}`;
    space.policies.feedback({ requestId, used: [entry.id], delta: query.loss ?? 0 });
    const saved = Math.floor(entry.costMicroUsd * 1000 + 0.5);
    if (saved > 0) space.count('saved_nano_usd', saved);
    const known = space.decisions.get(query.requestId);
    const untilMs = query.nowMs + servedKeepMs;
    const empty = { conversation: '', user: '' };
    space.decisions.set(query.requestId, { ...empty, ...known, ...told, served: entry.id, entryId: entry.id, untilMs });
    return Promise.resolve();
  }
}

function momentOf(space: NamespaceState, known: number): NamespaceMoment {
  return { ...policyOf(space, known), purges: space.purges };
}

function policyOf(space: NamespaceState, known: number): PolicyState {
  const versions = { policyVersion: space.version, snapshotVersion: space.risk.snapshot?.version ?? 0 };
  return space.version === known ? versions : { ...versions, policy: space.policyText };
}

/** Whether what was learned, as it is now, still allows a decision that was made by it. */
function notPermitted(
  { risk }: NamespaceState,
  { decidedBy }: ServeQuery,
): 'snapshot-changed' | 'breaker-open' | undefined {
  const now = risk.snapshot;
  if (decidedBy === undefined || now === undefined || now.version === decidedBy.snapshot) return undefined;
  if (now.breakerOpen) return 'breaker-open';
  const closed = decidedBy.rule === 'budget' ? now.threshold === undefined : now.coldStartClosed;
  return closed ? 'snapshot-changed' : undefined;
}
