import { randomUUID } from 'node:crypto';
import { RepriseError } from '@reprise/kernel';
import type { NamespaceAdmin, PurgeFilter, PurgeReply } from '@reprise/semantic-cache';
import type { Client } from '../connection/connections.js';
import { checkScript } from '../generated/check.gen.js';
import { compactScript } from '../generated/compact.gen.js';
import { describeScript } from '../generated/describe.gen.js';
import { listScript } from '../generated/list.gen.js';
import { pauseScript } from '../generated/pause.gen.js';
import { policyDefaultsScript } from '../generated/policy-defaults.gen.js';
import { policyWriteScript } from '../generated/policy-write.gen.js';
import { purgeEntriesScript } from '../generated/purge-entries.gen.js';
import { purgeKeysScript } from '../generated/purge-keys.gen.js';
import { quarantineScript } from '../generated/quarantine.gen.js';
import { statsScript } from '../generated/stats.gen.js';
import { sweepScript } from '../generated/sweep.gen.js';
import { trimScript } from '../generated/trim.gen.js';
import { namespacesKey } from '../keys.js';
import type { ScriptSpec } from '../scripts/script-spec.js';
import type { ScriptRunner } from '../scripts/script-runner.js';

const sampleSize = 20;
const pageSize = 100;
/** Removals of one call: each takes an entry out of its vector set, which costs most. */
const removalPage = 16;
/** Evictions of one call: each may score 64 candidates. */
const trimStep = 8;
/** Steps of the compaction that the removal of one entry goes on with: enough for about a thousand entries. */
const forgetSteps = 16;
/** Ids of one step of a list. */
const listPage = 250;
/** Keys of the whole server that one step of a purge's second pass looks at. */
const scanSize = 1000;

/** Namespaces whose defaults are known to be stored; callers may name as many as they like. */
const mostRemembered = 10_000;

/** Administration of namespaces: walks are many short calls, so that none blocks the server. */
export class RedisNamespaceAdmin implements NamespaceAdmin {
  /** Namespaces that were told to the store by this process, with their configured policy. */
  private readonly remembered = new Map<string, string | undefined>();

  constructor(
    private readonly runner: ScriptRunner,
    private readonly client: Client,
    private readonly timeoutMs: number,
  ) {}

  async purge(ns: string, filter: PurgeFilter, dryRun: boolean, nowMs: number): Promise<PurgeReply> {
    if (Object.values(filter).every((value) => value === undefined || value === false)) {
      throw new RepriseError('RP_ERR_BAD_REQUEST', 'A purge needs at least one filter.');
    }
    const token = randomUUID();
    const sample: string[] = [];
    let matched = 0;
    const members = {
      entryId: filter.entryId ?? '',
      exactKey: filter.exactKey ?? '',
      tag: filter.tag ?? '',
      model: filter.model ?? '',
      conversation: filter.conversation ?? '',
      user: filter.user ?? '',
      olderThanMs: filter.olderThanMs ?? -1,
    };
    let cursor = '0';
    do {
      const step = await this.run(purgeEntriesScript, ns, {
        ...members,
        cursor,
        dryRun,
        nowMs,
        token,
        limit: dryRun ? pageSize : removalPage,
      });
      cursor = step.cursor;
      matched += step.matched.length;
      sample.push(...step.matched.slice(0, sampleSize - sample.length));
    } while (cursor !== '0');
    if (!dryRun) {
      await this.compact(ns);
      await this.purgeKeys(ns, filter, token);
    }
    return { dryRun, matched, removed: dryRun ? 0 : matched, sample };
  }

  async forget(ns: string, entryId: string, nowMs: number): Promise<boolean> {
    const none = { exactKey: '', tag: '', model: '', conversation: '', user: '', olderThanMs: -1 };
    const call = { ...none, entryId, cursor: '0', dryRun: false, nowMs, token: randomUUID(), limit: 1 };
    const { matched } = await this.run(purgeEntriesScript, ns, call);
    if (matched.length > 0) await this.compact(ns, forgetSteps);
    return matched.length > 0;
  }

  async quarantine(ns: string, entryId: string, reason: string, nowMs: number): Promise<boolean> {
    return (await this.run(quarantineScript, ns, { entryId, reason, nowMs })).status === 'ok';
  }

  async pause(ns: string, paused: boolean): Promise<void> {
    await this.run(pauseScript, ns, { paused });
  }

  async setPolicy(ns: string, policy: string): Promise<number> {
    const reply = await this.run(policyWriteScript, ns, { policy });
    if (reply.excess > 0) await this.trim(ns);
    return reply.policyVersion;
  }

  async stats(ns: string): Promise<Readonly<Record<string, number>>> {
    const { stats } = await this.run(statsScript, ns, {});
    return Object.fromEntries(Object.entries(stats).map(([name, value]) => [name, Number(value)]));
  }

  async check(ns: string, nowMs: number): Promise<readonly string[]> {
    const problems: string[] = [];
    let cursor = 'start';
    do {
      const step = await this.run(checkScript, ns, { cursor, nowMs, limit: pageSize });
      cursor = step.cursor;
      problems.push(...step.problems);
    } while (cursor !== 'end');
    return problems;
  }

  async sweep(
    ns: string,
    nowMs: number,
    limit: number,
  ): Promise<{ readonly scanned: number; readonly removed: number }> {
    let scanned = 0;
    let removed = 0;
    for (;;) {
      const step = await this.run(sweepScript, ns, { nowMs, limit: Math.min(Math.max(limit - scanned, 1), pageSize) });
      scanned += step.scanned;
      removed += step.removed;
      if (step.status === 'ok' || scanned >= limit) return { scanned, removed };
    }
  }

  async entries(ns: string, offset: number, limit: number): Promise<readonly Readonly<Record<string, string>>[]> {
    const inserted = new Map<string, number>();
    let cursor = '0';
    do {
      const step = await this.run(listScript, ns, { cursor, limit: listPage });
      cursor = step.cursor;
      for (const entry of step.entries) inserted.set(entry.id, entry.inserted);
    } while (cursor !== '0');
    const newest = [...inserted].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    const ids = newest.slice(offset, offset + limit).map(([id]) => id);
    const page: Readonly<Record<string, string>>[] = [];
    for (let i = 0; i < ids.length; i += pageSize) {
      const reply = await this.run(describeScript, ns, { ids: ids.slice(i, i + pageSize) });
      page.push(...reply.entries.map((entry) => entry.fields));
    }
    return page;
  }

  async namespaces(): Promise<readonly string[]> {
    const names = await this.runner.guarded(namespacesKey, this.timeoutMs, () => this.client.smembers(namespacesKey));
    return names.sort();
  }

  async remember(ns: string, defaults?: string): Promise<void> {
    if (this.remembered.has(ns) && (defaults === undefined || this.remembered.get(ns) === defaults)) return;
    await this.runner.guarded(namespacesKey, undefined, () => this.client.sadd(namespacesKey, ns));
    if (defaults !== undefined) {
      const { excess } = await this.run(policyDefaultsScript, ns, { policy: defaults });
      if (excess > 0) await this.trim(ns);
    }
    if (this.remembered.size >= mostRemembered) this.remembered.clear();
    this.remembered.set(ns, defaults);
  }

  /** The set may have been lost with a server that came back empty. */
  forgetRemembered(): void {
    this.remembered.clear();
  }

  /** Clears the vectors of removed entries away; with a bound on the steps, the sweep does what is left. */
  private async compact(ns: string, most = Infinity): Promise<void> {
    for (let step = 0; step < most; step += 1) {
      const { status } = await this.run(compactScript, ns, { looks: 64, copies: removalPage });
      if (status !== 'more') return;
    }
  }

  private async trim(ns: string): Promise<void> {
    let status: string;
    let seed = 0;
    do ({ status } = await this.run(trimScript, ns, { most: trimStep, seed: (seed += 1) }));
    while (status === 'more');
  }

  private async purgeKeys(ns: string, filter: PurgeFilter, token: string): Promise<void> {
    const others: (keyof PurgeFilter)[] = ['entryId', 'tag', 'model', 'exactKey', 'olderThanMs', 'all'];
    // Decisions of a conversation or of a user go as a whole only when nothing else narrows the purge.
    const alone = (name: 'conversation' | 'user'): string =>
      others.every((other) => filter[other] === undefined) ? (filter[name] ?? '') : '';
    const one = filter.conversation !== undefined && filter.user !== undefined;
    const all = filter.all === true && Object.values(filter).filter((value) => value !== undefined).length === 1;
    let cursor = '0';
    do {
      const step = await this.run(purgeKeysScript, ns, {
        cursor,
        conversation: one ? '' : alone('conversation'),
        user: one ? '' : alone('user'),
        all,
        token,
        limit: scanSize,
      });
      cursor = step.cursor;
    } while (cursor !== '0');
  }

  private run<A, R>(spec: ScriptSpec<A, R>, ns: string, args: A): Promise<R> {
    return this.runner.run(spec, ns, args, { timeoutMs: this.timeoutMs });
  }
}
