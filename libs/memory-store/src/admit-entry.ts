import { createHash } from 'node:crypto';
import { RepriseError } from '@reprise/kernel';
import type { AdmitReply, NewEntry } from '@reprise/semantic-cache';
import { checkVector } from './check-vector.js';
import type { MemoryEntry, NamespaceState } from './namespace-state.js';
import { nearest } from './nearest.js';

const mostExactKeys = 8;
const mostTags = 64;
/** As in the functions, whose index is quantised. */
const near = 0.998;

const sha1 = (bytes: string | Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

const noBytes = new Uint8Array(0);

/** Fields of the register of what was taken out of service. */
export const refusedId = (id: string): string => `id:${id}`;
export const refusedAnswer = (exactKey: string, answerHash: string): string => `answer:${exactKey}\u001f${answerHash}`;

interface Offer {
  readonly entry: MemoryEntry;
  readonly vector: Float32Array | undefined;
  readonly novelty: number;
  /** It takes the place of an entry that is gone already. */
  readonly replaces: boolean;
}

/** Offers an entry: stored, refreshed, or refused; the twin of the function `admit`. */
export function admitEntry(space: NamespaceState, given: NewEntry): AdmitReply {
  const seen = space.admissions.get(given.requestId);
  if (seen !== undefined) return { outcome: 'duplicate', entryId: seen, reason: 'request-seen', evicted: [] };
  if (space.paused) return { outcome: 'paused', entryId: '', reason: 'paused', evicted: [] };
  check(space, given);
  const finish = (
    outcome: 'stored' | 'refreshed' | 'rejected',
    entryId: string,
    reason: string,
    evicted: readonly string[] = [],
  ): AdmitReply => {
    space.admissions.set(given.requestId, entryId);
    if (outcome === 'rejected') space.count('rejected');
    return { outcome, entryId, reason, evicted };
  };
  const entry = entryOf(given);
  const refused = refusal(space, entry, given.purges);
  const { same, old, novelty } = refused === undefined ? sameState(space, entry, given) : none;
  for (const id of old) space.remove(id);
  if (given.loss !== 'counted') {
    space.policies.feedback({ requestId: `loss:${given.requestId}`, used: [], delta: given.loss ?? 1 });
  }
  if (refused !== undefined) return finish('rejected', '', refused);

  const reply = offer(space, given, { entry, vector: given.vector, novelty, replaces: old.length > 0 }, same);
  if (same !== undefined) {
    refresh(space, same, entry);
    return finish('refreshed', same, 'same-answer');
  }
  if (!reply.admitted) return finish('rejected', '', reply.reason);
  for (const id of reply.evicted) {
    const gone = space.entries.get(id);
    if (gone) space.detach(gone);
  }
  insert(space, entry, given.vector);
  return finish('stored', entry.id, old.length > 0 ? 'replaced' : reply.reason, reply.evicted);
}

const none: { same: string | undefined; old: readonly string[]; novelty: number } = {
  same: undefined,
  old: [],
  novelty: 1,
};

function check(space: NamespaceState, given: NewEntry): void {
  if ((given.stratum === undefined) !== (given.vector === undefined))
    throw new RepriseError('RP_ERR_INTERNAL', '(a stratum needs a vector, and a vector a stratum)');
  if (given.vector === undefined) return;
  checkVector(
    given.vector,
    space.strata
      .get(given.stratum ?? '')
      ?.values()
      .next().value?.length,
  );
}

function refusal(space: NamespaceState, entry: MemoryEntry, purges: number = space.purges): string | undefined {
  const [exactKey = ''] = entry.exactKeys;
  if (space.refused.has(refusedId(entry.id)) || space.refused.has(refusedAnswer(exactKey, entry.answerHash)))
    return 'quarantined';
  if (purges !== space.purges) return 'purged';
  return Math.max(entry.exactUntilMs, entry.semanticUntilMs) <= entry.createdMs ? 'no-lifetime' : undefined;
}

function entryOf(given: NewEntry): MemoryEntry {
  const end = (ttlMs: number): number => given.createdMs + Math.min(ttlMs, given.maxAgeMs);
  const { vector } = given;
  const vectorHash = vector
    ? sha1(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)).slice(0, 16)
    : '';
  const { id, answer, createdMs, firstTurn, historyKey, conversation, model, tags, user } = given;
  const { promptTokens, completionTokens, costMicroUsd } = given;
  return {
    ...{ id, answer, createdMs, firstTurn, historyKey, conversation, model, tags, user, vectorHash },
    ...{ promptTokens, completionTokens, costMicroUsd },
    fingerprint: given.fingerprint ?? '',
    dossier: given.dossier?.slice() ?? noBytes,
    exactUntilMs: end(given.exactTtlMs),
    semanticUntilMs: given.stratum === undefined ? createdMs : end(given.semanticTtlMs),
    exactKeys: [given.exactKey],
    stratum: given.stratum ?? '',
    answerHash: sha1(answer),
    representative: given.representative ?? (vectorHash === '' ? given.exactKey : vectorHash),
  };
}

/** Which entry the offered one repeats, which it replaces, and how new it is. */
function sameState(space: NamespaceState, entry: MemoryEntry, given: NewEntry): typeof none {
  const old: string[] = [];
  const ranked = given.vector ? nearest(space.strata.get(entry.stratum), given.vector) : [];
  const novelty = Math.min(1, Math.max(0, 1 - (ranked[0]?.similarity ?? 0)));
  const settle = (same: string | undefined): typeof none => {
    if (same !== entry.id && space.policies.has(entry.id) && !old.includes(entry.id)) old.push(entry.id);
    return { same, old, novelty };
  };
  const found = space.entries.get(space.exact.get(given.exactKey) ?? '');
  const keyed = found && found.exactUntilMs > given.createdMs ? found : undefined;
  if (keyed) {
    const equal = keyed.answerHash === entry.answerHash && keyed.stratum === entry.stratum;
    if (equal && keyed.vectorHash === entry.vectorHash) return settle(keyed.id);
    old.push(keyed.id);
  }
  for (const { id, similarity } of ranked.slice(0, 4)) {
    const other = space.entries.get(id);
    if (!other || id === keyed?.id || similarity < near || !sameRepresentative(other, entry)) continue;
    if (other.answerHash === entry.answerHash) return settle(id);
    if (other.vectorHash === entry.vectorHash) old.push(id);
  }
  return settle(undefined);
}

function sameRepresentative(a: MemoryEntry, b: MemoryEntry): boolean {
  return a.fingerprint === b.fingerprint && a.historyKey === b.historyKey && a.firstTurn === b.firstTurn;
}

function offer(space: NamespaceState, given: NewEntry, offered: Offer, same: string | undefined) {
  const { entry, novelty, replaces } = offered;
  return space.policies.admit({
    requestId: given.requestId,
    id: entry.id,
    representative: entry.representative,
    ...(same === undefined ? {} : { duplicateOf: same }),
    importance: given.importance,
    source: given.source ?? 0,
    size: given.size ?? 1,
    novelty: given.novelty ?? novelty,
    explicit: given.explicit ?? false,
    replaces,
    seed: given.seed,
  });
}

function insert(space: NamespaceState, entry: MemoryEntry, vector: Float32Array | undefined): void {
  space.entries.set(entry.id, entry);
  for (const key of entry.exactKeys) space.exact.set(key, entry.id);
  if (vector === undefined) return;
  const stratum = space.strata.get(entry.stratum) ?? new Map<string, Float32Array>();
  stratum.set(entry.id, vector);
  space.strata.set(entry.stratum, stratum);
}

/** The entry keeps its id, its place and its vector; its answer and its age are the new ones. */
function refresh(space: NamespaceState, id: string, fresh: MemoryEntry): void {
  const known = space.entries.get(id);
  if (!known) return;
  space.releaseExactKeys(known);
  const exactKeys = [...new Set([...fresh.exactKeys, ...known.exactKeys])].slice(0, mostExactKeys);
  const tags = [...new Set([...fresh.tags, ...known.tags])].slice(0, mostTags);
  const { vectorHash, representative } = known;
  space.entries.set(id, { ...fresh, id, exactKeys, tags, vectorHash, representative });
  for (const key of exactKeys) space.exact.set(key, id);
}
