import { err, ok, type Result } from '@reprise/kernel';
import { z } from 'zod';
import { tenantNamed, type AppConfig } from '../app-config.js';
import { deepFreeze } from '../load/freeze.js';
import { problemsOf, type ConfigProblem } from '../load/problems.js';
import { matchesGlob } from '../prices.js';
import { policyOverrideFields, routeSchema, singleFlightSchema } from '../schema/cache.schema.js';

const storedPolicySchema = z.strictObject({
  ...policyOverrideFields,
  singleFlight: singleFlightSchema.exactOptional(),
  routes: z.array(routeSchema).max(200).exactOptional(),
});

/** Everything that is decided per namespace; plain JSON, so that it can be stored in Redis and edited there. */
export type NamespacePolicy = Omit<AppConfig['cache'], 'sharing'>;

/** Times to live never exceed the absolute age. */
function withinAge<T extends { exactTtlMs: number; semanticTtlMs: number; maxAgeMs: number }>(policy: T): T {
  return {
    ...policy,
    exactTtlMs: Math.min(policy.exactTtlMs, policy.maxAgeMs),
    semanticTtlMs: Math.min(policy.semanticTtlMs, policy.maxAgeMs),
  };
}

/** The policy of a namespace that has none stored: the cache section with what its tenant sets. */
export function effectivePolicy(config: Pick<AppConfig, 'cache' | 'auth'>, tenantName?: string): NamespacePolicy {
  const { sharing: _sharing, ...base } = config.cache;
  const tenant = tenantName === undefined ? undefined : tenantNamed(config, tenantName);
  if (!tenant) return deepFreeze(withinAge(base));
  const { name: _name, keys: _keys, sharing: _own, ...overrides } = tenant;
  return deepFreeze(withinAge({ ...base, ...overrides }));
}

/** The policy stored for a namespace (JSON, whole or in part) over the configured one; or every problem of it. */
export function parseNamespacePolicy(text: string, base: NamespacePolicy): Result<NamespacePolicy, ConfigProblem[]> {
  const source = 'policy';
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return err([{ path: '', rule: 'must be JSON', source }]);
  }
  const parsed = storedPolicySchema.safeParse(raw);
  if (!parsed.success) {
    return err(
      problemsOf(
        parsed.error,
        [],
        () => source,
        (path) => (path.length === 0 ? Object.keys(storedPolicySchema.shape) : []),
      ),
    );
  }
  return ok(deepFreeze(withinAge({ ...base, ...parsed.data })));
}

/** The policy of one request: the namespace's, with what the first matching route sets. */
export function policyForRoute(
  policy: NamespacePolicy,
  request: { readonly path: string; readonly model: string },
): NamespacePolicy {
  const route = policy.routes.find(
    (r) =>
      (r.path === undefined || matchesGlob(r.path, request.path)) &&
      (r.model === undefined || matchesGlob(r.model, request.model)),
  );
  if (!route) return policy;
  const { path: _path, model: _model, ...overrides } = route;
  return withinAge({ ...policy, ...overrides });
}

/** Who shares a tenant's namespaces. */
export function sharingOf(
  config: Pick<AppConfig, 'cache' | 'auth'>,
  tenantName: string,
): AppConfig['cache']['sharing'] {
  return tenantNamed(config, tenantName)?.sharing ?? config.cache.sharing;
}
