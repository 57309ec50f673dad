import { type Log, stableHash, type Telemetry } from '@reprise/kernel';
import { deserialiseKnowledge, FEATURE_VERSION, type RiskKnowledge } from '@reprise/policy';
import type { RiskSnapshot, RiskStore } from '../ports/risk-store.port.js';

/** A snapshot with its model read; without one nothing can be scored. */
export type HeldSnapshot = Omit<RiskSnapshot, 'model'> & { readonly knowledge?: RiskKnowledge };

export interface SnapshotLimits {
  /** Namespaces held; the one that was used longest ago leaves. */
  readonly namespaces: number;
  /** Versions of one namespace: conversations that began with an older one go on with the newest. */
  readonly versions: number;
  /** Models that are kept read, 300 kB each. */
  readonly models: number;
}

const LIMITS: SnapshotLimits = { namespaces: 256, versions: 6, models: 16 };

/**
 * What the workers have learned, as far as this process knows. Every reply of the store says which version is in
 * force; a newer one is fetched beside the requests, which go on with the old one until it is there.
 */
export class RiskSnapshots {
  /** Namespace → versions, newest last. */
  private readonly held = new Map<string, readonly HeldSnapshot[]>();
  private readonly fetching = new Set<string>();
  private readonly models = new Map<string, RiskKnowledge | undefined>();

  constructor(
    private readonly store: Pick<RiskStore, 'snapshot'>,
    private readonly telemetry: Telemetry,
    private readonly log: Log,
    private readonly limits: SnapshotLimits = LIMITS,
  ) {}

  /** The newest snapshot that is held. */
  inForce(ns: string): HeldSnapshot | undefined {
    return this.held.get(ns)?.at(-1);
  }

  /** The snapshot by which a conversation is decided; the newest when its own is not held any more, or not yet. */
  of(ns: string, version: number | undefined): HeldSnapshot | undefined {
    if (version === 0) return undefined;
    return this.held.get(ns)?.find((one) => one.version === version) ?? this.inForce(ns);
  }

  /** Takes note of the version in force; 0: nothing is, what is held was of a store that has lost it. */
  learn(ns: string, version: number): void {
    const known = this.inForce(ns)?.version ?? 0;
    if (version === 0) this.held.delete(ns);
    if (version === 0 || version === known || this.fetching.has(ns)) return;
    this.fetching.add(ns);
    void this.fetch(ns, known).finally(() => this.fetching.delete(ns));
  }

  private async fetch(ns: string, known: number): Promise<void> {
    try {
      const snapshot = await this.store.snapshot(ns, known);
      if (snapshot !== undefined) this.hold(ns, snapshot);
    } catch (error) {
      this.telemetry.count('reprise_degraded_total', { mode: 'snapshot-unavailable' });
      this.log.write('debug', 'a snapshot could not be read', { error: String(error) });
    }
  }

  private hold(ns: string, { model, ...snapshot }: RiskSnapshot): void {
    const knowledge = model === undefined ? undefined : this.read(model);
    const one: HeldSnapshot = knowledge === undefined ? snapshot : { ...snapshot, knowledge };
    // What was learned is void after a purge: older versions, which know more, leave too.
    const before = model === undefined ? [] : (this.held.get(ns) ?? []);
    this.held.delete(ns);
    this.held.set(ns, [...before, one].slice(-this.limits.versions));
    if (this.held.size > this.limits.namespaces) this.held.delete(this.held.keys().next().value as string);
  }

  private read(model: string): RiskKnowledge | undefined {
    const key = stableHash([model]);
    if (!this.models.has(key)) {
      this.models.set(key, this.parse(model));
      if (this.models.size > this.limits.models) this.models.delete(this.models.keys().next().value as string);
    }
    return this.models.get(key);
  }

  private parse(model: string): RiskKnowledge | undefined {
    try {
      const knowledge = deserialiseKnowledge(model);
      return knowledge?.featureVersion === FEATURE_VERSION ? knowledge : undefined;
    } catch (error) {
      this.log.write('error', 'a risk model cannot be read', { error: String(error) });
      return undefined;
    }
  }
}
