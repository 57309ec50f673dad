/** Which entries a purge takes; all given members must match. At least one must be given. */
export interface PurgeFilter {
  readonly entryId?: string;
  readonly tag?: string;
  readonly model?: string;
  readonly conversation?: string;
  readonly user?: string;
  readonly exactKey?: string;
  /** Entries at least this old. */
  readonly olderThanMs?: number;
  readonly all?: boolean;
}

export interface PurgeReply {
  readonly dryRun: boolean;
  readonly matched: number;
  readonly removed: number;
  /** Up to 20 of the matched ids. */
  readonly sample: readonly string[];
}

/** Operations on one namespace that people ask for; each is in force on every replica when it resolves. */
export interface NamespaceAdmin {
  purge(ns: string, filter: PurgeFilter, dryRun: boolean, nowMs: number): Promise<PurgeReply>;
  /**
   * Removes one entry in a bounded number of steps, at any size of the namespace; false when there was none.
   * Nothing leads to it any more. Its vector is gone at once in a small set, with the next round of the sweep in a large one.
   */
  forget(ns: string, entryId: string, nowMs: number): Promise<boolean>;
  /** Takes an entry out of service at once, keeps its id refused. False: no such entry. */
  quarantine(ns: string, entryId: string, reason: string, nowMs: number): Promise<boolean>;
  pause(ns: string, paused: boolean): Promise<void>;
  /** Stores the policy (JSON) and returns its new version. */
  setPolicy(ns: string, policy: string): Promise<number>;
  stats(ns: string): Promise<Readonly<Record<string, number>>>;
  /** Every broken invariant of the namespace, in words; empty = clean. */
  check(ns: string, nowMs: number): Promise<readonly string[]>;
  /** Removes expired and orphaned state, at most `limit` members a call. */
  sweep(ns: string, nowMs: number, limit: number): Promise<{ readonly scanned: number; readonly removed: number }>;
  /** A page of live entries, newest first. */
  entries(ns: string, offset: number, limit: number): Promise<readonly Readonly<Record<string, string>>[]>;
  namespaces(): Promise<readonly string[]>;
  /**
   * Lists the namespace in `namespaces`, and tells the store what the configuration says where the stored policy says
   * nothing (JSON of a policy: capacity, eviction, shares). Cheap when nothing has changed.
   */
  remember(ns: string, defaults?: string): Promise<void>;
}
