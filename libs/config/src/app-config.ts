import type { ParsedConfig } from './schema/app-config.schema.js';

export type DeepReadonly<T> = T extends (infer U)[]
  ? readonly DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

type Resolved<T, K extends keyof T> = Omit<T, K> & { readonly [P in K]-?: NonNullable<T[P]> };

/** The configuration in force: every default filled in, frozen. */
export type AppConfig = Omit<DeepReadonly<ParsedConfig>, 'redis' | 'embedding'> & {
  readonly redis: Resolved<DeepReadonly<ParsedConfig['redis']>, 'commandTimeoutMs'>;
  readonly embedding: Resolved<DeepReadonly<ParsedConfig['embedding']>, 'timeoutMs'> & {
    /** Tests only (REPRISE_TEST_EMBEDDER_HANG): the worker takes texts and never answers; a path: while that file exists. */
    readonly hang: boolean | string;
  };
};

export type Tenant = AppConfig['auth']['tenants'][number];
export type PriceCard = AppConfig['prices'][number];

/** Which adapter answers misses: the built-in demo when neither a base URL nor a key is configured. */
export function upstreamKind(config: Pick<AppConfig, 'upstream'>): 'demo' | 'openai' {
  return config.upstream.baseUrl === undefined && config.upstream.apiKey === undefined ? 'demo' : 'openai';
}

/** Who judges reuses, and with which model; undefined: nobody. A paid upstream is never asked unless that is configured. */
export function judgeModel(config: Pick<AppConfig, 'upstream' | 'judge'>): string | undefined {
  const { kind, model, baseUrl, apiKey } = config.judge;
  const own = model !== undefined || baseUrl !== undefined || apiKey !== undefined;
  const demo = upstreamKind(config) === 'demo' && baseUrl === undefined && apiKey === undefined;
  if ((kind ?? (demo || own ? 'llm' : 'none')) === 'none') return undefined;
  return model ?? (demo ? 'reprise-demo' : 'gpt-4o-mini');
}

/** True when the config holds the upstream's key and lists no tenant key: anyone who can connect spends that key. */
export function acceptsAnyKey(config: Pick<AppConfig, 'upstream' | 'auth'>): boolean {
  return config.upstream.apiKey !== undefined && config.auth.tenants.length === 0;
}

/** Address to listen on: the configured one, else loopback only while any key would be accepted. */
export function listenHost(config: Pick<AppConfig, 'server' | 'upstream' | 'auth'>): string {
  return config.server.host ?? (acceptsAnyKey(config) ? '127.0.0.1' : '0.0.0.0');
}

interface TenantIndex {
  readonly byKey: ReadonlyMap<string, Tenant>;
  readonly byName: ReadonlyMap<string, Tenant>;
}

const indexes = new WeakMap<object, TenantIndex>();

function indexOf({ auth }: Pick<AppConfig, 'auth'>): TenantIndex {
  let index = indexes.get(auth);
  if (!index) {
    index = {
      byKey: new Map(auth.tenants.flatMap((tenant) => tenant.keys.map((key) => [key, tenant] as const))),
      byName: new Map(auth.tenants.map((tenant) => [tenant.name, tenant] as const)),
    };
    indexes.set(auth, index);
  }
  return index;
}

/** The tenant whose list holds this hash of an API key (SHA-256, lower-case hex). */
export const tenantOfKey = (config: Pick<AppConfig, 'auth'>, keyHash: string): Tenant | undefined =>
  indexOf(config).byKey.get(keyHash);

/** The listed tenant of this name. */
export const tenantNamed = (config: Pick<AppConfig, 'auth'>, name: string): Tenant | undefined =>
  indexOf(config).byName.get(name);
