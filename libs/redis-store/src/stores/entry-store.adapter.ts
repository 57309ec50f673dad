import { createHash } from 'node:crypto';
import { RepriseError } from '@reprise/kernel';
import type {
  AdmitReply,
  Candidate,
  EntryStore,
  ExactQuery,
  ExactReply,
  LookupQuery,
  LookupReply,
  NewEntry,
  PolicyReply,
  NamespaceMoment,
  PolicyState,
  ServeQuery,
  ServeReply,
  StoredAnswer,
  StoredDossier,
} from '@reprise/semantic-cache';
import { admitScript } from '../generated/admit.gen.js';
import { dossiersScript } from '../generated/dossiers.gen.js';
import { exactScript } from '../generated/exact.gen.js';
import { lookupScript } from '../generated/lookup.gen.js';
import { policyReadScript } from '../generated/policy-read.gen.js';
import { serveScript } from '../generated/serve.gen.js';
import type { ScriptRunner } from '../scripts/script-runner.js';
import { vectorBytes } from './vector-bytes.js';

const noBytes = Buffer.alloc(0);

const bytesOf = (bytes: Uint8Array | undefined): Buffer =>
  bytes === undefined ? noBytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function checkVector(vector: Float32Array): void {
  // By place: an iterator makes an object of each of the 1,152 numbers.
  for (let at = 0; at < vector.length; at++) {
    if (!Number.isFinite(vector[at]))
      throw new RepriseError('RP_ERR_INTERNAL', '(A vector has a member that is not finite.)');
  }
}

/** The members of a reply that carry an answer; all are there on a hit. */
function answerOf(reply: Partial<StoredAnswer>): StoredAnswer {
  return {
    id: reply.id ?? '',
    createdMs: reply.createdMs ?? 0,
    model: reply.model ?? '',
    promptTokens: reply.promptTokens ?? 0,
    completionTokens: reply.completionTokens ?? 0,
    costMicroUsd: reply.costMicroUsd ?? 0,
    answer: reply.answer ?? '',
  };
}

function policyOf(reply: PolicyState): PolicyState {
  const { policyVersion, policy, snapshotVersion } = reply;
  return { policyVersion, snapshotVersion, ...(policy === undefined ? {} : { policy }) };
}

const momentOf = (reply: PolicyState & { readonly purges?: number }): NamespaceMoment => ({
  ...policyOf(reply),
  purges: reply.purges ?? 0,
});

/** The hot path on Redis: functions of one round trip each. Throws RepriseError when the store cannot answer. */
export class RedisEntryStore implements EntryStore {
  constructor(private readonly runner: ScriptRunner) {}

  async policy(ns: string, policyVersion: number): Promise<PolicyReply> {
    const reply = await this.runner.run(policyReadScript, ns, { policyVersion });
    return { ...momentOf(reply), paused: reply.paused === true };
  }

  async exact(ns: string, query: ExactQuery): Promise<ExactReply> {
    const reply = await this.runner.run(exactScript, ns, { ...query, loss: query.loss ?? 0 });
    if (reply.status !== 'hit') return { ...momentOf(reply), outcome: reply.status };
    return { ...momentOf(reply), outcome: 'hit', entry: answerOf(reply) };
  }

  async lookup(ns: string, query: LookupQuery): Promise<LookupReply> {
    checkVector(query.vector);
    const args = { ...query, answers: query.answers === true, vector: vectorBytes(query.vector) };
    const reply = await this.runner.run(lookupScript, ns, args, { lane: 'vector' });
    const candidates: readonly Candidate[] = reply.candidates ?? [];
    return { ...policyOf(reply), outcome: reply.status, candidates };
  }

  async dossiers(ns: string, ids: readonly string[], answers: boolean): Promise<readonly StoredDossier[]> {
    return (await this.runner.run(dossiersScript, ns, { ids, answers }, { lane: 'vector' })).entries;
  }

  async serve(ns: string, query: ServeQuery): Promise<ServeReply> {
    const { rule = '', snapshot = 0 } = query.decidedBy ?? {};
    const { record = '', conversation = '', user = '' } = query.told ?? {};
    const told = { record, conversation, user };
    const reply = await this.runner.run(serveScript, ns, { ...query, loss: query.loss ?? 0, rule, snapshot, ...told });
    if (reply.status !== 'served') return { outcome: reply.status };
    return { outcome: 'served', entry: answerOf(reply) };
  }

  async admit(ns: string, entry: NewEntry): Promise<AdmitReply> {
    const vector = entry.vector ?? new Float32Array(0);
    checkVector(vector);
    const bytes = vectorBytes(vector);
    const end = (ttlMs: number): number => entry.createdMs + Math.min(ttlMs, entry.maxAgeMs);
    const vectorHash = bytes.length === 0 ? '' : createHash('sha1').update(bytes).digest('hex').slice(0, 16);
    const args = {
      ...entry,
      stratum: entry.stratum ?? '',
      vector: bytes,
      vectorHash,
      fingerprint: entry.fingerprint ?? '',
      dossier: bytesOf(entry.dossier),
      exactUntilMs: end(entry.exactTtlMs),
      semanticUntilMs: entry.stratum === undefined ? entry.createdMs : end(entry.semanticTtlMs),
      representative: entry.representative ?? (vectorHash === '' ? entry.exactKey : vectorHash),
      loss: entry.loss === 'counted' ? -1 : (entry.loss ?? 1),
      source: entry.source ?? 0,
      size: entry.size ?? 1,
      novelty: entry.novelty ?? -1,
      explicit: entry.explicit ?? false,
      purges: entry.purges ?? -1,
    };
    const reply = await this.runner.run(admitScript, ns, args, { lane: 'vector' });
    return { outcome: reply.status, entryId: reply.id, evicted: reply.evicted, reason: reply.reason };
  }
}
