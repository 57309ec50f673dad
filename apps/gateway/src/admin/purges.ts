import type { purgeRequestSchema } from '@reprise/contracts';
import { RepriseError } from '@reprise/kernel';
import { isMemorySpace, memorySpace, type PurgeFilter, type PurgeReply } from '@reprise/semantic-cache';
import type { Runtime } from '@reprise/nest';
import { hashedUser, namedConversation } from '../http/request-controls.js';

type PurgeBody = ReturnType<typeof purgeRequestSchema.parse>;

/** A purge of all namespaces of a tenant. */
export interface TenantPurge extends PurgeReply {
  /** Up to 100 of those that were gone through. */
  readonly namespaces: readonly string[];
}

const namesShown = 100;
const sampleSize = 20;
/** Lists of namespaces that are read: callers may open new sub-spaces while those known are purged. */
const mostRounds = 10;

/** What a purge takes, from the body that asks for it. */
export function filterOf(body: PurgeBody): PurgeFilter {
  return {
    ...(body.entry_id === undefined ? {} : { entryId: body.entry_id }),
    ...(body.tag === undefined ? {} : { tag: body.tag }),
    ...(body.model === undefined ? {} : { model: body.model }),
    ...(body.conversation === undefined ? {} : { conversation: conversationId(body.conversation) }),
    ...(body.user === undefined ? {} : { user: hashedUser(body.user) }),
    ...(body.exact_key === undefined ? {} : { exactKey: body.exact_key }),
    ...(body.older_than_ms === undefined ? {} : { olderThanMs: body.older_than_ms }),
    ...(body.all === undefined ? {} : { all: body.all }),
  };
}

/** Ids as entries list them stay; anything else is the name that a caller's header gave. */
function conversationId(name: string): string {
  if (/^(?:x-[0-9a-f]{24}|req_[0-9a-f]{32})$/.test(name)) return name;
  return namedConversation(Buffer.from(name, 'utf8').toString('latin1'));
}

/** Purges one namespace and the memories beside it, and the waiting jobs that hold its texts or name its conversations. */
export async function purgeNamespace(
  services: Runtime,
  ns: string,
  filter: PurgeFilter,
  dryRun: boolean,
): Promise<PurgeReply> {
  const reply = await purgeEntries(services, ns, filter, dryRun);
  if (!dryRun) await forgetJobs(services, [ns], filter);
  return reply;
}

async function purgeEntries(
  { admin, clock }: Runtime,
  ns: string,
  filter: PurgeFilter,
  dryRun: boolean,
): Promise<PurgeReply> {
  const reply = await admin.purge(ns, filter, dryRun, clock.nowMs());
  if (isMemorySpace(ns)) return reply;
  // What agents kept lies in a space beside the caller's cache, and is the caller's all the same.
  return together(reply, await admin.purge(memorySpace(ns), filter, dryRun, clock.nowMs()));
}

const together = (a: PurgeReply, b: PurgeReply): PurgeReply => ({
  dryRun: a.dryRun,
  matched: a.matched + b.matched,
  removed: a.removed + b.removed,
  sample: [...a.sample, ...b.sample].slice(0, sampleSize),
});

/**
 * Waiting jobs name conversations: those of a conversation, or of a namespace, that is purged as a whole go with it.
 * Whatever is purged, jobs that hold texts of the namespace go.
 */
async function forgetJobs(services: Runtime, namespaces: readonly string[], filter: PurgeFilter): Promise<void> {
  const { all, conversation, ...narrower } = filter;
  const whole = (all !== undefined || conversation !== undefined) && Object.keys(narrower).length === 0;
  if (!(await services.forgetJobs(namespaces, whole ? conversation : '')))
    throw new RepriseError('RP_ERR_CACHE_UNAVAILABLE');
}

/**
 * Purges every namespace of a tenant, one after the other: its own, those of its keys, and the sub-spaces of both.
 * What the tenant's callers put into the space that all tenants share (`sharing: global`) is nobody's, and stays.
 */
export async function purgeTenant(
  services: Runtime,
  tenant: string,
  filter: PurgeFilter,
  dryRun: boolean,
): Promise<TenantPurge> {
  const done = new Set<string>();
  let sum: PurgeReply = { dryRun, matched: 0, removed: 0, sample: [] };
  for (let round = 0; round < mostRounds; round++) {
    const listed = [tenant, ...(await services.admin.namespaces())];
    const due = spacesOf(tenant, listed).filter((ns) => !done.has(ns));
    if (due.length === 0) break;
    for (const ns of due) {
      sum = together(sum, await purgeEntries(services, ns, filter, dryRun));
      done.add(ns);
    }
    if (!dryRun) await forgetJobs(services, due, filter);
  }
  return { ...sum, namespaces: [...done].sort().slice(0, namesShown) };
}

/**
 * Those of `names` that are the tenant's, each once, without the memories beside them. A tenant's name holds neither dot
 * nor colon: `tenant`, `tenant.<key>`, and `:sub` behind either.
 */
export function spacesOf(tenant: string, names: readonly string[]): string[] {
  const own = new Set<string>();
  for (const name of names) {
    const ns = isMemorySpace(name) ? name.slice(0, -memorySpace('').length) : name;
    if (ns.split(/[.:]/, 1)[0] === tenant) own.add(ns);
  }
  return [...own].sort();
}
