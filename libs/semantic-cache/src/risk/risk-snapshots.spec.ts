import { silentTelemetry } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import type { RiskSnapshot } from '../ports/risk-store.port.js';
import { RiskSnapshots } from './risk-snapshots.js';

/** With a model that cannot be read: without one everything older is let go of. */
const snapshot = (version: number): RiskSnapshot => ({
  version,
  model: '',
  labels: 500,
  threshold: 0.1,
  bound: 0.04,
  breakerOpen: false,
  coldStartClosed: true,
});

/** The versions that a store publishes, one after the other. */
function snapshotsOf(versions: readonly number[]): RiskSnapshots {
  const left = [...versions];
  const store = { snapshot: () => Promise.resolve(snapshot(left.shift() ?? 0)) };
  return new RiskSnapshots(store, silentTelemetry, { write: () => undefined });
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('snapshots that a process holds', () => {
  it('fetches a version that it does not hold, and goes on with the old one meanwhile', async () => {
    const held = snapshotsOf([1, 2]);
    held.learn('a', 1);
    expect(held.inForce('a')).toBeUndefined();
    await settled();
    held.learn('a', 2);
    expect(held.inForce('a')?.version).toBe(1);
    await settled();
    expect(held.inForce('a')?.version).toBe(2);
  });

  it('lets go of what a store has lost, and takes the same numbers again', async () => {
    const held = snapshotsOf([1, 1]);
    held.learn('a', 1);
    await settled();
    held.learn('a', 0);
    expect(held.inForce('a')).toBeUndefined();
    held.learn('a', 1);
    await settled();
    expect(held.inForce('a')?.version).toBe(1);
  });

  it('holds the six newest of a namespace: a conversation that began with an older one is decided by the newest', async () => {
    const held = snapshotsOf(Array.from({ length: 12 }, (_, i) => i + 1));
    for (let newest = 1; newest <= 12; newest++) {
      held.learn('a', newest);
      await settled();
      const decidedBy = Array.from({ length: newest }, (_, i) => held.of('a', i + 1)?.version);
      expect(decidedBy).toEqual(Array.from({ length: newest }, (_, i) => (newest - (i + 1) < 6 ? i + 1 : newest)));
      expect([held.of('a', undefined)?.version, held.of('a', 0)]).toEqual([newest, undefined]);
    }
  });
});
