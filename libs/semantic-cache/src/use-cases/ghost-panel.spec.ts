import { describe, expect, it } from 'vitest';
import type { OutcomeEvent } from '../ports/ghost-store.port.js';
import { GhostPanel, ghostNames } from './ghost-panel.js';
import { isBehind } from './ghosts.use-case.js';

let events = 0;
const event = (kind: OutcomeEvent['kind'], id: string, change: Partial<OutcomeEvent> = {}): OutcomeEvent => ({
  id: `1-${(events += 1)}`,
  kind,
  representatives: id === '' ? [] : [id],
  loss: kind === 'miss' ? 1 : 0,
  importance: 0,
  source: 0,
  size: 1,
  ...change,
});
const setting = { eviction: 'lru', configured: 'lru', capacity: 2 };
const all = (loss: number) => ({ fifo: loss, lru: loss, solar: loss, 'two-tier': loss });

describe('GhostPanel', () => {
  it('runs FIFO, LRU, SOLAR and two tiers, the live policy and the one before', () => {
    expect(ghostNames(setting)).toEqual(['fifo', 'lru', 'solar', 'two-tier']);
    expect(ghostNames({ ...setting, eviction: 'arc', configured: 'gdsf' })).toEqual([
      'arc',
      'fifo',
      'gdsf',
      'lru',
      'solar',
      'two-tier',
    ]);
  });

  it('charges a hit of the live cache in full to a ghost that does not hold it, and a miss to nobody who does', () => {
    const panel = new GhostPanel(setting);
    expect(panel.observe(event('hit', 'a', { loss: 0.1 }))).toEqual(all(1));
    expect(panel.observe(event('hit', 'a', { loss: 0.1 }))).toEqual(all(0.1));
    expect(panel.observe(event('miss', 'a', { loss: 0.4 }))).toEqual(all(0));
    expect(panel.observe(event('miss', 'b', { loss: 0.4 }))).toEqual(all(0.4));
  });

  it('tells policies apart by what they keep', () => {
    const panel = new GhostPanel(setting);
    for (const id of ['a', 'b', 'a', 'c']) panel.observe(event('miss', id));
    expect(panel.observe(event('miss', 'a'))).toMatchObject({ fifo: 1, lru: 0, 'two-tier': 0 });
  });

  it('takes writes and offers without counting a step, and forgets what is gone', () => {
    const panel = new GhostPanel(setting);
    expect(panel.observe(event('write', 'a'))).toBeUndefined();
    expect(panel.observe(event('offer', 'b'))).toBeUndefined();
    expect(panel.observe(event('use', 'a', { representatives: ['a', 'b'], loss: 0.2 }))).toEqual(all(0.2));
    expect(panel.observe(event('gone', 'a'))).toBeUndefined();
    expect(panel.observe(event('use', 'a', { representatives: ['a', 'b'], loss: 0.2 }))).toEqual(all(0.6));
    expect(panel.observe(event('use', '', { loss: 0.7 }))).toEqual(all(0.7));
  });

  it('sees a share of a large namespace, of its capacity and of its representatives alike', () => {
    const large = { ...setting, capacity: 8_192 };
    const panel = new GhostPanel(large);
    const ids = Array.from({ length: 16_000 }, (_, n) => `id-${n}`);
    const seen = ids.filter((id) => panel.observe(event('miss', id)) !== undefined);
    expect(seen.length / ids.length).toBeCloseTo(1 / 8, 1);
    // The newest 8,192 are the ones that the whole cache would hold.
    const held = seen.filter((id) => panel.observe(event('use', id))?.['fifo'] === 0);
    expect(held.length).toBe(1_024);
    expect(Math.min(...held.map((id) => Number(id.slice(3))))).toBeGreaterThan(16_000 - 8_192 - 1_200);
  });

  it('fits a setting with the same ghosts and the same capacity only', () => {
    const panel = new GhostPanel(setting);
    expect(panel.fits({ ...setting, eviction: 'fifo' })).toBe(true);
    expect(panel.fits({ ...setting, eviction: 'arc' })).toBe(false);
    expect(panel.fits({ ...setting, capacity: 3 })).toBe(false);
  });
});

describe('isBehind', () => {
  it.each([
    ['10-0', '9-5', true],
    ['9-10', '9-9', true],
    ['9-9', '9-9', false],
    ['9-9', '10-0', false],
    ['1-0', '', true],
    ['', '', false],
    ['', '1-0', false],
  ])('%s behind %s: %s', (id, position, expected) => {
    expect(isBehind(id, position)).toBe(expected);
  });
});
