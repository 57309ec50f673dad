import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addEvidence, posteriorAt, type PosteriorConfig } from './posterior.js';

const config: PosteriorConfig = { priorAlpha: 1, priorBeta: 1, cap: 200, agingEvery: 5, agingAmount: 0.05 };

/** Which of three entries each step uses. */
const steps = fc.array(fc.subarray([0, 1, 2]), { maxLength: 400, size: 'max' });

describe('lazy aging', () => {
  it.each([200, Infinity, 6])('equals an eager loop over all entries (cap %s)', (cap) => {
    const capped = { ...config, cap };
    fc.assert(
      fc.property(steps, (uses) => {
        const eager = [0, 1, 2].map(() => ({ alpha: 1, beta: 1, tick: 0 }));
        const lazy = [0, 1, 2].map(() => ({ alpha: 1, beta: 1, tick: 0 }));
        let ticks = 0;
        uses.forEach((used, i) => {
          const tick = (i + 1) % capped.agingEvery === 0;
          if (tick) ticks += 1;
          for (const id of [0, 1, 2]) {
            const [e, l] = [eager[id]!, lazy[id]!];
            if (tick && !used.includes(id)) e.beta += capped.agingAmount;
            e.tick = ticks;
            if (!used.includes(id)) continue;
            addEvidence(e, 1, 0, ticks, capped);
            if (tick) l.tick += 1;
            addEvidence(l, 1, 0, ticks, capped);
          }
        });
        for (const id of [0, 1, 2]) {
          const now = posteriorAt(lazy[id]!, ticks, capped);
          const then = posteriorAt(eager[id]!, ticks, capped);
          expect(now.alpha).toBeCloseTo(then.alpha, 9);
          expect(now.beta).toBeCloseTo(then.beta, 9);
        }
      }),
    );
  });
});

describe('the bound', () => {
  it('keeps alpha + beta near the cap and both at least the prior', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(3)), { maxLength: 600, size: 'max' }), (evidence) => {
        const record = { alpha: 1, beta: 1, tick: 0 };
        let ticks = 0;
        for (const [right, passed] of evidence) {
          ticks += passed;
          addEvidence(record, right ? 1 : 0, right ? 0 : 1, ticks, config);
          expect(record.alpha).toBeGreaterThanOrEqual(1);
          expect(record.beta).toBeGreaterThanOrEqual(1);
          expect(record.alpha + record.beta).toBeLessThanOrEqual(config.cap + 1);
        }
      }),
    );
  });

  it('lets a proven entry be out-voted: 200 uses, then 200 rejections leave it worse than even', () => {
    const record = { alpha: 1, beta: 1, tick: 0 };
    for (let i = 0; i < 200; i++) addEvidence(record, 1, 0, 0, config);
    for (let i = 0; i < 200; i++) addEvidence(record, 0, 1, 0, config);
    expect(record.alpha / (record.alpha + record.beta)).toBeLessThan(0.5);
  });

  it('ages an entry that is never used, without writing it', () => {
    const record = { alpha: 60, beta: 1, tick: 0 };
    expect(posteriorAt(record, 100_000, config)).toEqual({
      alpha: (60 * 200) / 5061,
      beta: (5001 * 200) / 5061,
      tick: 100_000,
    });
    expect(record).toEqual({ alpha: 60, beta: 1, tick: 0 });
  });
});
