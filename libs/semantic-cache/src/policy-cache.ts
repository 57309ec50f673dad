import type { NamespacePolicy } from '@reprise/policy';
import type { PolicyState } from './ports/entry-store.port.js';

/** Where policies come from: the configuration, and how a stored policy and a route go over it. */
export interface PolicyRules<P extends NamespacePolicy = NamespacePolicy> {
  /** The configured policy of a tenant. */
  base(tenant: string): P;
  /** A stored policy (JSON) over `base`; undefined when it is not valid. */
  merge(stored: string, base: P): P | undefined;
  /** What the first matching route sets. */
  route(policy: P, model: string): P;
}

interface Held {
  readonly version: number;
  readonly stored: string;
  /** By tenant, the one used last at the end. */
  readonly merged: Map<string, NamespacePolicy>;
}

/** Merged policies that are kept of one namespace: more tenants share one only under `sharing: global`. */
const mostTenants = 64;

/**
 * The policies of namespaces as last seen in Redis. Every `exact` and `lookup` reply carries the version in force,
 * so a change made on one replica is known to all at their next request.
 */
export class PolicyCache {
  private readonly held = new Map<string, Held>();

  constructor(
    private readonly rules: PolicyRules,
    private readonly maxNamespaces = 10_000,
  ) {}

  /** The version that this process holds; 0 = none seen. */
  version(ns: string): number {
    return this.held.get(ns)?.version ?? 0;
  }

  /** The policy in force for one request, as far as this process knows. */
  resolve(ns: string, tenant: string, model: string): NamespacePolicy {
    const base = this.rules.base(tenant);
    const held = this.held.get(ns);
    if (held === undefined || held.stored === '') return this.rules.route(base, model);
    const merged = held.merged.get(tenant) ?? this.rules.merge(held.stored, base) ?? base;
    held.merged.delete(tenant);
    if (held.merged.size >= mostTenants) {
      for (const oldest of held.merged.keys()) {
        held.merged.delete(oldest);
        break;
      }
    }
    held.merged.set(tenant, merged);
    return this.rules.route(merged, model);
  }

  learn(ns: string, state: PolicyState): void {
    if (state.policy === undefined) return;
    if (this.held.size >= this.maxNamespaces && !this.held.has(ns)) this.held.clear();
    this.held.set(ns, { version: state.policyVersion, stored: state.policy, merged: new Map() });
  }
}
