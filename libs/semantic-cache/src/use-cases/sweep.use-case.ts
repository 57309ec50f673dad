import type { Clock, Telemetry } from '@reprise/kernel';
import { RepriseError } from '@reprise/kernel';
import type { NamespaceAdmin } from '../ports/namespace-admin.port.js';
import type { NamespaceCatalog, NamespaceSighting } from '../ports/namespace-catalog.port.js';
import { turnOf } from './turn-of.js';

export interface SweepDependencies {
  readonly admin: Pick<NamespaceAdmin, 'namespaces' | 'sweep' | 'stats'>;
  readonly catalog: NamespaceCatalog;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export interface SweepLimits {
  /** Time between two runs. */
  readonly everyMs: number;
  /** Namespaces of one run. */
  readonly namespaces: number;
  /** Members of one namespace that one run looks at. */
  readonly members: number;
}

export interface SweepReport {
  readonly namespaces: number;
  readonly scanned: number;
  readonly removed: number;
  /** Namespaces that could not be swept; the next run that comes to them tries again. */
  readonly failed: readonly string[];
}

/**
 * One run of the sweep: expired and orphaned state of some namespaces, at most `namespaces` × `members` members.
 *
 * Which namespaces follows from the clock alone (the runs take turns through the sorted names), so that no worker
 * has to remember anything. Throws RP_ERR_CACHE_UNAVAILABLE when not one of them could be swept.
 */
export async function sweep(deps: SweepDependencies, limits: SweepLimits): Promise<SweepReport> {
  const names = turnOf(await deps.admin.namespaces(), deps.clock.nowMs(), limits);
  const failed: string[] = [];
  const seen: NamespaceSighting[] = [];
  let scanned = 0;
  let removed = 0;
  for (const name of names) {
    try {
      const swept = await deps.admin.sweep(name, deps.clock.nowMs(), limits.members);
      scanned += swept.scanned;
      removed += swept.removed;
      seen.push(sightingOf(name, await deps.admin.stats(name)));
    } catch {
      failed.push(name);
    }
  }
  deps.telemetry.count('reprise_swept_total', { what: 'scanned' }, scanned);
  deps.telemetry.count('reprise_swept_total', { what: 'removed' }, removed);
  if (failed.length > 0 && failed.length === names.length)
    throw new RepriseError('RP_ERR_CACHE_UNAVAILABLE', `No namespace of ${names.length} could be swept.`);
  await deps.catalog.observe(seen, deps.clock.nowMs());
  return { namespaces: names.length, scanned, removed, failed };
}

function sightingOf(name: string, stats: Readonly<Record<string, number>>): NamespaceSighting {
  const activity = Object.entries(stats).reduce(
    (sum, [key, value]) => (/^(exact|admit)_/.test(key) ? sum + value : sum),
    0,
  );
  return { name, activity, entries: stats['entries'] ?? 0 };
}
