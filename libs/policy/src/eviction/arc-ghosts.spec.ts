import { createRng, seedOf } from '@reprise/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainPolicy } from '../tiers/policy-config.js';
import { PolicyStore } from '../tiers/policy-store.js';

/** ARC as printed in the FAST 2003 paper, on arrays: index 0 is the least recent. */
class TextbookArc {
  private t1: string[] = [];
  private t2: string[] = [];
  private b1: string[] = [];
  private b2: string[] = [];
  private p = 0;

  constructor(private readonly c: number) {}

  /** True for a hit. */
  request(x: string): boolean {
    const { c } = this;
    if (this.t1.includes(x) || this.t2.includes(x)) {
      this.t1 = this.t1.filter((y) => y !== x);
      this.t2 = [...this.t2.filter((y) => y !== x), x];
      return true;
    }
    if (this.b1.includes(x)) {
      this.p = Math.min(c, this.p + Math.max(1, this.b2.length / this.b1.length));
      this.b1 = this.b1.filter((y) => y !== x);
      this.replace(false);
      this.t2.push(x);
    } else if (this.b2.includes(x)) {
      this.p = Math.max(0, this.p - Math.max(1, this.b1.length / this.b2.length));
      this.b2 = this.b2.filter((y) => y !== x);
      this.replace(true);
      this.t2.push(x);
    } else this.newcomer(x);
    return false;
  }

  private newcomer(x: string): void {
    const { c } = this;
    if (this.t1.length + this.b1.length === c) {
      if (this.t1.length < c) {
        this.b1.shift();
        this.replace(false);
      } else this.t1.shift();
    } else {
      const total = this.t1.length + this.t2.length + this.b1.length + this.b2.length;
      if (total >= c) {
        if (total === 2 * c) this.b2.shift();
        this.replace(false);
      }
    }
    this.t1.push(x);
  }

  private replace(fromB2: boolean): void {
    const { length } = this.t1;
    if (length >= 1 && (length > this.p || (fromB2 && length === Math.floor(this.p)))) this.b1.push(this.t1.shift()!);
    else this.b2.push(this.t2.shift()!);
  }
}

/** Requests an id from the store; a miss brings a fresh answer with a new id and the same representative. */
function asker(store: PolicyStore) {
  const current = new Map<string, string>();
  let n = 0;
  return (representative: string): boolean => {
    n += 1;
    const id = current.get(representative);
    if (id !== undefined && store.has(id)) {
      store.feedback({ requestId: `f${n}`, used: [id], delta: 0 });
      return true;
    }
    current.set(representative, `answer-${n}`);
    store.admit({ requestId: `a${n}`, id: `answer-${n}`, representative, seed: n });
    return false;
  };
}

describe('ARC in the store', () => {
  it('hits and misses as the textbook does, on any trace', () => {
    const trace = fc.array(fc.nat(14), { maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(trace, fc.integer({ min: 1, max: 8 }), (items, capacity) => {
        const textbook = new TextbookArc(capacity);
        const ask = asker(new PolicyStore(plainPolicy('arc', capacity)));
        for (const item of items) expect(ask(String(item))).toBe(textbook.request(String(item)));
      }),
      { numRuns: 300 },
    );
  });

  it('adapts: ghosts by representative give hits on a loop that is a little too long, where LRU has none', () => {
    const loop = (name: 'arc' | 'lru') => {
      const ask = asker(new PolicyStore(plainPolicy(name, 20)));
      const rng = createRng(seedOf(['loop']));
      let hits = 0;
      for (let i = 0; i < 6000; i++) {
        const item = rng.next() < 0.3 ? `hot ${Math.floor(rng.next() * 8)}` : `loop ${i % 60}`;
        if (ask(item)) hits += 1;
      }
      return hits;
    };
    expect(loop('arc')).toBeGreaterThan(1.2 * loop('lru'));
  });
});
