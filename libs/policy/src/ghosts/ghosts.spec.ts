import { createRng, seedOf } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { createPolicy } from '../registry.js';
import { GhostCache } from './ghost-cache.js';
import { defaultHandOver, HandOver } from './hand-over.js';

const names = ['solar', 'fifo', 'lru'] as const;

/** Topics come and go: 5 of 30 are active for 100 steps each, and every step asks for one of 8 items of an active topic. */
function drift(steps: number): string[] {
  const rng = createRng(seedOf(['drift']));
  return Array.from({ length: steps }, (_, t) => {
    const topic = (Math.floor(t / 100) * 4 + Math.floor(rng.next() * 5)) % 3000;
    return `topic ${topic} item ${Math.floor(rng.next() * 8)}`;
  });
}

function ghostsOf(capacity: number): Record<string, GhostCache> {
  return Object.fromEntries(names.map((name) => [name, new GhostCache(createPolicy(name, { capacity }))]));
}

const event = (id: string, n: number) => ({
  requestId: `r${n}`,
  wanted: [id],
  offered: id,
  missLoss: 1,
  hitLoss: 0,
  seed: seedOf([String(n)]),
});

function observeAll(ghosts: Record<string, GhostCache>, id: string, n: number): Record<string, number> {
  return Object.fromEntries(Object.entries(ghosts).map(([name, ghost]) => [name, ghost.observe(event(id, n))]));
}

describe('GhostCache', () => {
  it('pays for what it does not hold and offers it to itself', () => {
    const ghost = new GhostCache(createPolicy('fifo', { capacity: 2 }));
    expect(['a', 'b', 'a', 'c', 'a'].map((id, n) => ghost.observe(event(id, n)))).toEqual([1, 1, 0, 1, 1]);
    expect(ghost.size).toBe(2);
  });

  it('weighs partial recalls and judged reuses', () => {
    const ghost = new GhostCache(createPolicy('lru', { capacity: 4 }));
    ghost.observe({ ...event('a', 1), missLoss: 0.5 });
    const loss = ghost.observe({ ...event('x', 2), wanted: ['a', 'b'], missLoss: 0.8, hitLoss: 0.2 });
    expect(loss).toBeCloseTo(0.5, 12);
  });

  it('takes explicit writes past the gate', () => {
    const ghost = new GhostCache(createPolicy('solar', { capacity: 2 }));
    for (const id of ['a', 'b', 'c', 'd']) ghost.write({ requestId: id, id, seed: seedOf([id]) });
    expect(ghost.size).toBe(2);
    expect(ghost.observe(event('d', 1))).toBe(0);
  });

  it('admits nothing when nothing storable came of the request, and forgets what was purged', () => {
    const ghost = new GhostCache(createPolicy('fifo', { capacity: 2 }));
    ghost.observe({ requestId: 'r', wanted: ['a'], missLoss: 1, hitLoss: 0, seed: 1 });
    expect(ghost.size).toBe(0);
    ghost.observe(event('a', 2));
    ghost.forget('a');
    expect(ghost.observe(event('a', 3))).toBe(1);
  });
});

describe('HandOver', () => {
  const losses = (solar: number, fifo: number) => ({ solar, fifo });

  it('hands over once a ghost was better by more than the margin over a whole window, not before', () => {
    const over = new HandOver('solar');
    for (let n = 1; n < defaultHandOver.window; n++) expect(over.observe(losses(0.5, 0.4))).toBeUndefined();
    const decision = over.observe(losses(0.5, 0.4));
    expect(decision).toMatchObject({ from: 'solar', to: 'fifo' });
    expect(decision?.liveLoss).toBeCloseTo(0.5, 9);
    expect(decision?.ghostLoss).toBeCloseTo(0.4, 9);
  });

  it('stays for differences within the margin', () => {
    const over = new HandOver('solar');
    for (let n = 0; n < 10_000; n++) expect(over.observe(losses(0.5, 0.48))).toBeUndefined();
  });

  it('leaves a new policy alone for the hysteresis, then may hand back', () => {
    const over = new HandOver('solar');
    const at: number[] = [];
    for (let n = 1; n <= 12_000; n++) {
      const better = n <= 2000 ? losses(0.5, 0.4) : losses(0.4, 0.5);
      if (over.observe(better)) at.push(n);
    }
    expect(at).toEqual([2000, 6000]);
    expect(over.state.live).toBe('solar');
  });

  it('does not flap between policies that are equally good and differ on one request in twenty', () => {
    const rng = createRng(seedOf(['flap']));
    const over = new HandOver('solar');
    let decisions = 0;
    for (let n = 0; n < 60_000; n++) {
      const loss = rng.next() < 0.3 ? 1 : 0;
      const other = rng.next() < 0.05 ? 1 - loss : loss;
      const decision = over.observe(rng.next() < 0.5 ? losses(loss, other) : losses(other, loss));
      if (decision) decisions += 1;
    }
    expect(decisions).toBe(0);
  });

  it('ignores a ghost that has not been there for the whole window', () => {
    const over = new HandOver('solar', { window: 40, margin: 0.02, hysteresis: 80, block: 10 });
    for (let n = 0; n < 35; n++) over.observe({ solar: 0.5 });
    for (let n = 0; n < 44; n++) expect(over.observe(losses(0.5, 0.1))).toBeUndefined();
    expect(over.observe(losses(0.5, 0.1))).toMatchObject({ to: 'fifo', ghostLoss: 0.1 });
  });

  it('goes on from its stored state as if nothing had happened', () => {
    const rng = createRng(seedOf(['state']));
    const one = new HandOver('solar');
    let two = new HandOver('solar');
    for (let n = 0; n < 9000; n++) {
      const step = losses(rng.next(), rng.next() * 0.8);
      expect(two.observe(step)).toEqual(one.observe(step));
      if (n % 777 === 0) two = new HandOver(JSON.parse(JSON.stringify(two.state)) as typeof two.state);
    }
    expect(two.state).toEqual(one.state);
  });

  it('refuses a step without the live policy', () => {
    expect(() => new HandOver('solar').observe({ fifo: 1 })).toThrow(RangeError);
  });

  it('makes drift safe: within the first window it hands the recency tier to a policy that follows the topics', () => {
    const ghosts = ghostsOf(30);
    const over = new HandOver('solar');
    const trace = drift(8000);
    const total = { live: 0, solar: 0 };
    const decisions: { n: number; to: string }[] = [];
    trace.forEach((id, n) => {
      const { live } = over.state;
      const step = observeAll(ghosts, id, n);
      total.live += step[live] ?? 1;
      total.solar += step['solar'] ?? 1;
      const decision = over.observe(step);
      if (decision) decisions.push({ n: n + 1, to: decision.to });
    });
    expect(decisions).toHaveLength(1);
    expect(decisions[0]?.n).toBe(2000);
    expect(['fifo', 'lru']).toContain(decisions[0]?.to);
    expect(total.live / 8000).toBeLessThan(total.solar / 8000 - 0.05);
  });
});
