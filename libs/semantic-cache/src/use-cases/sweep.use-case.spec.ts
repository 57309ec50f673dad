import { describe, expect, it } from 'vitest';
import type { NamespaceSighting } from '../ports/namespace-catalog.port.js';
import { sweep, type SweepDependencies } from './sweep.use-case.js';

interface World {
  readonly names: readonly string[];
  readonly broken?: readonly string[];
  nowMs: number;
}

function worldOf(given: World) {
  const swept: [name: string, limit: number][] = [];
  const seen: NamespaceSighting[] = [];
  const counted: Record<string, number> = {};
  const deps: SweepDependencies = {
    admin: {
      namespaces: () => Promise.resolve(given.names),
      sweep: (name, _nowMs, limit) => {
        if (given.broken?.includes(name)) return Promise.reject(new Error('away'));
        swept.push([name, limit]);
        return Promise.resolve({ scanned: 10, removed: 3 });
      },
      stats: () =>
        Promise.resolve({ exact_hit: 4, exact_miss: 2, admit_stored: 1, swept: 90, entries: 7, capacity: 100 }),
    },
    catalog: {
      observe: (sightings) => {
        seen.push(...sightings);
        return Promise.resolve();
      },
    },
    clock: { nowMs: () => given.nowMs },
    telemetry: {
      count: (name, labels, by = 1) => {
        const key = `${name}:${labels?.['what'] ?? ''}`;
        counted[key] = (counted[key] ?? 0) + by;
      },
      observeMs: () => undefined,
    },
  };
  return { deps, swept, seen, counted, given };
}

const limits = { everyMs: 60_000, namespaces: 2, members: 50 };

describe('sweep', () => {
  it('sweeps every namespace with the limit, counts, and tells the catalog', async () => {
    const { deps, swept, seen, counted } = worldOf({ names: ['b', 'a'], nowMs: 0 });
    expect(await sweep(deps, limits)).toEqual({ namespaces: 2, scanned: 20, removed: 6, failed: [] });
    expect(swept).toEqual([
      ['a', 50],
      ['b', 50],
    ]);
    expect(counted).toEqual({ 'reprise_swept_total:scanned': 20, 'reprise_swept_total:removed': 6 });
    expect(seen).toEqual([
      { name: 'a', activity: 7, entries: 7 },
      { name: 'b', activity: 7, entries: 7 },
    ]);
  });

  it('takes turns when there are more namespaces than one run may sweep, and leaves none out', async () => {
    const { deps, swept, given } = worldOf({ names: ['e', 'a', 'd', 'b', 'c'], nowMs: 0 });
    const runs: string[][] = [];
    for (let run = 0; run < 6; run++) {
      given.nowMs = run * limits.everyMs + 17;
      await sweep(deps, limits);
      runs.push(swept.splice(0).map(([name]) => name));
    }
    const round = [['a', 'b'], ['c', 'd'], ['e']];
    expect(runs).toEqual([...round, ...round]);
  });

  it('goes on past a namespace that fails, and says which', async () => {
    const { deps, seen } = worldOf({ names: ['a', 'b'], broken: ['a'], nowMs: 0 });
    expect(await sweep(deps, limits)).toMatchObject({ removed: 3, failed: ['a'] });
    expect(seen.map(({ name }) => name)).toEqual(['b']);
  });

  it('fails, so that the job is tried again, when nothing could be swept', async () => {
    const { deps } = worldOf({ names: ['a', 'b'], broken: ['a', 'b'], nowMs: 0 });
    await expect(sweep(deps, limits)).rejects.toMatchObject({ code: 'RP_ERR_CACHE_UNAVAILABLE' });
  });

  it('has nothing to do without namespaces', async () => {
    const { deps } = worldOf({ names: [], nowMs: 0 });
    expect(await sweep(deps, limits)).toEqual({ namespaces: 0, scanned: 0, removed: 0, failed: [] });
  });
});
