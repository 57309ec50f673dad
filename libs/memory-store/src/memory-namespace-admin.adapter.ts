import { RepriseError } from '@reprise/kernel';
import { flightKey, type NamespaceAdmin, type PurgeFilter, type PurgeReply } from '@reprise/semantic-cache';
import { refusedAnswer, refusedId } from './admit-entry.js';
import { checkNamespace } from './check-namespace.js';
import { checkNamespaceName } from './check-namespace-name.js';
import { describeEntry } from './describe-entry.js';
import { closeConversation } from './memory-conversation-store.adapter.js';
import type { MemoryFlightStore } from './memory-flight-store.adapter.js';
import type { MemoryEntry, MemoryState, NamespaceState } from './namespace-state.js';
import { defaultPolicyConfig, overlayPolicy } from './policy-overlay.js';

const sampleSize = 20;
const trimStep = 8;

/** Administration of namespaces in one process. */
export class MemoryNamespaceAdmin implements NamespaceAdmin {
  private readonly names = new Set<string>();

  constructor(
    private readonly state: MemoryState,
    private readonly flights: MemoryFlightStore,
  ) {}

  async purge(ns: string, filter: PurgeFilter, dryRun: boolean, nowMs: number): Promise<PurgeReply> {
    if (Object.values(filter).every((value) => value === undefined || value === false))
      throw new RepriseError('RP_ERR_BAD_REQUEST', 'A purge needs at least one filter.');
    const space = this.open(ns);
    const matched = [...space.entries.values()].filter((entry) => matches(entry, filter, nowMs)).map(({ id }) => id);
    const reply = { dryRun, matched: matched.length, sample: matched.slice(0, sampleSize) };
    if (dryRun) return Promise.resolve({ ...reply, removed: 0 });
    space.purges += 1;
    for (const id of matched) space.remove(id);
    if (matched.length > 0) space.count('purged', matched.length);
    this.purgeTraces(ns, space, filter, new Set(matched));
    return Promise.resolve({ ...reply, removed: matched.length });
  }

  async forget(ns: string, entryId: string, nowMs: number): Promise<boolean> {
    return (await this.purge(ns, { entryId }, false, nowMs)).removed > 0;
  }

  async quarantine(ns: string, entryId: string, _reason: string, _nowMs: number): Promise<boolean> {
    const space = this.open(ns);
    const entry = space.entries.get(entryId);
    if (!entry) return Promise.resolve(space.refused.has(refusedId(entryId)));
    space.refused.add(refusedId(entryId));
    for (const key of entry.exactKeys) space.refused.add(refusedAnswer(key, entry.answerHash));
    this.flights.forget(
      ns,
      (key, id) => id === entryId && entry.exactKeys.some((exactKey) => key === flightKey(exactKey, space.purges)),
    );
    space.remove(entryId);
    space.count('quarantined');
    return true;
  }

  async pause(ns: string, paused: boolean): Promise<void> {
    this.open(ns).paused = paused;
    return Promise.resolve();
  }

  async setPolicy(ns: string, policy: string): Promise<number> {
    const space = this.open(ns);
    overlayPolicy(configured(space), policy);
    space.policyText = policy;
    space.version += 1;
    apply(space);
    return Promise.resolve(space.version);
  }

  async stats(ns: string): Promise<Readonly<Record<string, number>>> {
    return Promise.resolve(this.open(ns).stats());
  }

  async check(ns: string, nowMs: number): Promise<readonly string[]> {
    return Promise.resolve(checkNamespace(this.open(ns), nowMs));
  }

  async sweep(
    ns: string,
    nowMs: number,
    limit: number,
  ): Promise<{ readonly scanned: number; readonly removed: number }> {
    const space = this.open(ns);
    const expired = [...space.entries.values()].filter((e) => Math.max(e.exactUntilMs, e.semanticUntilMs) <= nowMs);
    const removed = expired.slice(0, limit);
    for (const entry of removed) space.remove(entry.id);
    for (const entry of space.entries.values()) if (entry.semanticUntilMs <= nowMs) space.leaveStratum(entry);
    if (removed.length > 0) space.count('swept', removed.length);
    return Promise.resolve({ scanned: Math.min(limit, space.entries.size + removed.length), removed: removed.length });
  }

  async entries(ns: string, offset: number, limit: number): Promise<readonly Readonly<Record<string, string>>[]> {
    const space = this.open(ns);
    const seqOf = (entry: MemoryEntry): number => space.policies.entry(entry.id)?.record.insertedSeq ?? 0;
    const newest = [...space.entries.values()].sort((a, b) => seqOf(b) - seqOf(a));
    return Promise.resolve(newest.slice(offset, offset + limit).map((entry) => describeEntry(space, entry)));
  }

  async namespaces(): Promise<readonly string[]> {
    return Promise.resolve([...this.names].sort());
  }

  async remember(ns: string, defaults?: string): Promise<void> {
    this.names.add(ns);
    if (defaults === undefined) return;
    const space = this.open(ns);
    overlayPolicy(defaultPolicyConfig(), defaults);
    if (space.defaultsText === defaults) return;
    space.defaultsText = defaults;
    apply(space);
    return Promise.resolve();
  }

  private open(ns: string): NamespaceState {
    checkNamespaceName(ns);
    return this.state.namespace(ns);
  }

  /** Decisions, flights and conversations that name what was purged. */
  private purgeTraces(ns: string, space: NamespaceState, filter: PurgeFilter, purged: ReadonlySet<string>): void {
    const given = (Object.keys(filter) as (keyof PurgeFilter)[]).filter((name) => filter[name] !== undefined);
    const alone = given.length === 1 ? given[0] : undefined;
    const all = alone === 'all';
    const conversation = alone === 'conversation' ? filter.conversation : undefined;
    const user = alone === 'user' ? filter.user : undefined;
    for (const [requestId, decision] of space.decisions) {
      const own = decision.conversation === conversation || decision.user === user;
      if (all || own || purged.has(decision.entryId)) space.decisions.delete(requestId);
    }
    if (all) space.admissions.clear();
    this.flights.forget(ns, (_key, id) => all || purged.has(id));
    if (conversation !== undefined) closeConversation(space, conversation);
    if (!all) return purgeLabels(space, conversation, user, purged);
    space.risk.clear();
    space.conversations.clear();
    space.waiting.clear();
    space.refused.clear();
  }
}

/** What was learned from an entry that is only outdated stays, unless its text can be guessed from a vector. */
function purgeLabels(
  space: NamespaceState,
  conversation: string | undefined,
  user: string | undefined,
  purged: ReadonlySet<string>,
): void {
  const personal = conversation !== undefined || user !== undefined;
  space.risk.purge(
    (label) =>
      (conversation !== undefined && label.conversation === conversation) ||
      (user !== undefined && label.user === user) ||
      ((personal || label.texts !== undefined) && purged.has(label.entryId)),
  );
}

function matches(entry: MemoryEntry, filter: PurgeFilter, nowMs: number): boolean {
  const age = Math.max(0, nowMs - entry.createdMs);
  return (
    (filter.entryId === undefined || filter.entryId === entry.id) &&
    (filter.exactKey === undefined || entry.exactKeys.includes(filter.exactKey)) &&
    (filter.tag === undefined || entry.tags.includes(filter.tag)) &&
    (filter.model === undefined || filter.model === entry.model) &&
    (filter.conversation === undefined || filter.conversation === entry.conversation) &&
    (filter.user === undefined || filter.user === entry.user) &&
    (filter.olderThanMs === undefined || age >= filter.olderThanMs)
  );
}

/** Built-in defaults with what the configuration says. */
function configured(space: NamespaceState) {
  return space.defaultsText === '' ? defaultPolicyConfig() : overlayPolicy(defaultPolicyConfig(), space.defaultsText);
}

/** Takes over what the texts say, and comes down to a smaller capacity at once. */
function apply(space: NamespaceState): void {
  const base = configured(space);
  space.policies.switchPolicy(space.policyText === '' ? base : overlayPolicy(base, space.policyText));
  const { policies } = space;
  for (let seed = 1; policies.excess > 0; seed += 1) {
    for (const id of policies.shrink(trimStep, seed)) {
      const gone = space.entries.get(id);
      if (gone) space.detach(gone);
    }
  }
}
