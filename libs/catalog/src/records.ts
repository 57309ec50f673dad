/** A tenant: listed in the configuration, or seen as the owner of a namespace. */
export interface TenantRecord {
  readonly name: string;
  readonly source: 'config' | 'seen';
  /** API keys that the configuration lists for it; 0 for one that was only seen. */
  readonly keys: number;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
}

/** A namespace as the last sweep saw it. */
export interface NamespaceRecord {
  readonly name: string;
  readonly tenant: string;
  readonly entries: number;
  /** Requests and offers since the namespace began. */
  readonly activity: number;
  readonly firstSeenMs: number;
  /** When a sweep last found that `activity` had changed. */
  readonly lastSeenMs: number;
  readonly sweptMs: number;
}

/** What a model costs, in US dollars per million tokens; `model` may hold * as wildcard. */
export interface PriceRecord {
  readonly model: string;
  readonly inputPerMTokUsd: number;
  readonly outputPerMTokUsd: number;
  /** Place in the order in which cards are tried, from 0. */
  readonly rank: number;
}

/** The tenant that owns a namespace: its name up to the first `.` (key) or `:` (sub-namespace). */
export const tenantOf = (namespace: string): string => /^[^.:]*/.exec(namespace)?.[0] ?? namespace;
