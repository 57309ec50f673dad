import type { NamespacePolicy } from '@reprise/policy';
import type { Clock } from '@reprise/kernel';
import type { NamespaceAdmin } from './ports/namespace-admin.port.js';

/** How long a namespace counts as listed; after an empty restart of Redis it is listed again within this time. */
const listedMs = 60_000;

/** Members of a policy that the store (lua/includes/policy.lua) and the learner go by; the others are the gateway's. */
export const storePolicyFields = [
  'capacity',
  'eviction',
  'ghosts',
  'shares',
  'gate',
  'posterior',
  'bonus',
  'evictionCandidates',
  'corroboration',
  'doorkeeperRatio',
  'errorBudget',
  'confidence',
] as const;

/** JSON of what the store has to know of a policy; members that are absent have the store's defaults. */
export function storePolicy(policy: NamespacePolicy): string {
  const given = policy as unknown as Readonly<Record<string, unknown>>;
  return JSON.stringify(Object.fromEntries(storePolicyFields.map((name) => [name, given[name]])));
}

/** Keeps the store's list of namespaces, and what the configuration says of their capacity, up to date. */
export class NamespaceRoll {
  private readonly listed = new Map<string, number>();

  constructor(private readonly maxNamespaces = 10_000) {}

  /** Tells the store of the namespace once a minute; not awaited, failure is tried again. */
  touch(deps: { readonly admin: NamespaceAdmin; readonly clock: Clock }, ns: string, policy: NamespacePolicy): void {
    const nowMs = deps.clock.nowMs();
    if (nowMs - (this.listed.get(ns) ?? -Infinity) < listedMs) return;
    if (this.listed.size >= this.maxNamespaces) this.listed.clear();
    this.listed.set(ns, nowMs);
    deps.admin.remember(ns, storePolicy(policy)).catch(() => this.listed.delete(ns));
  }
}
