import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addLoss, defaultGate, literalGate, newGate, passGate, referenceGate, type GateConfig } from './gate.js';

/** A full cache of capacity 50: the bootstrap is over. */
const live = 50;
const gates: readonly GateConfig[] = [
  defaultGate,
  { ...defaultGate, lambda: 1 },
  { ...defaultGate, lambda: 0.01 },
  referenceGate,
  literalGate,
];

interface Step {
  readonly step: number;
  readonly tau: number;
}

/** Runs one offer a step; returns the gated admissions with the threshold that was in force. */
function run(losses: readonly number[], config: GateConfig, each?: (c: number, askedTau: number) => void): Step[] {
  const state = newGate(config);
  const admissions: Step[] = [];
  losses.forEach((delta, step) => {
    addLoss(state, delta, config);
    const { tau } = state;
    if (passGate(state, live, live, config) === 'regret') admissions.push({ step, tau });
    each?.(state.c, tau);
  });
  return admissions;
}

const loss = fc.double({ min: 0, max: 1, noNaN: true });

describe.each(gates)('the $mode gate (%#)', (config) => {
  it('keeps theorem 5.2: admissions ≤ Σδ / τ_min, and gaps of at least ⌈τ_min⌉ steps', () => {
    fc.assert(
      fc.property(fc.array(loss, { minLength: 1, maxLength: 300, size: 'max' }), (losses) => {
        const admissions = run(losses, config);
        if (admissions.length === 0) return;
        const least = Math.min(...admissions.map(({ tau }) => tau));
        const total = losses.reduce((sum, delta) => sum + delta, 0);
        expect(admissions.length).toBeLessThanOrEqual(Math.floor(total / least + 1e-9));
        admissions.forEach(({ step }, i) => {
          const before = admissions[i - 1]?.step ?? -1;
          expect(step - before).toBeGreaterThanOrEqual(Math.ceil(least));
        });
      }),
    );
  });

  it('keeps c in 0 … τ + 1 and, after an offer, at most at the threshold that was asked; τ stays in its range', () => {
    fc.assert(
      fc.property(fc.array(loss, { maxLength: 300, size: 'max' }), (losses) => {
        run(losses, config, (c, tau) => {
          expect(c).toBeGreaterThanOrEqual(0);
          expect(c).toBeLessThanOrEqual(tau);
          expect(tau).toBeGreaterThanOrEqual(config.floor);
          expect(tau).toBeLessThanOrEqual(config.ceiling);
        });
      }),
    );
  });

  it.each([0.05, 0.3, 0.7, 1])('admits at most every ⌈floor / δ⌉-th step when every loss is %d', (delta) => {
    const rate = run(new Array<number>(10_000).fill(delta), config).length / 10_000;
    expect(rate).toBeLessThanOrEqual(1 / Math.ceil(config.floor / delta) + 1e-9);
  });

  it('caps what piles up while nothing is offered, so one admission follows and not several', () => {
    const state = newGate(config);
    for (let i = 0; i < 1000; i++) addLoss(state, 1, config);
    expect(state.c).toBeLessThanOrEqual(config.ceiling + 1);
    expect(passGate(state, live, live, config)).toBe('regret');
    expect(state.c).toBe(0);
    expect(passGate(state, live, live, config)).toBe('below-threshold');
  });
});

describe('the printed rule without a floor', () => {
  it('fails the rate bound that the floored one keeps: it converges to a modification every other step', () => {
    const printed: GateConfig = { ...literalGate, floor: 0 };
    const late = run(new Array<number>(2000).fill(0.05), printed).filter(({ step }) => step >= 1000);
    expect(late.length / 1000).toBeGreaterThan(0.4);
    const floored = run(new Array<number>(2000).fill(0.05), literalGate).filter(({ step }) => step >= 1000);
    expect(floored.length / 1000).toBeLessThanOrEqual(0.1);
  });
});

describe('the adaptive threshold', () => {
  it('is √5 before 30 losses are known and follows the smoothed deviation afterwards', () => {
    const losses = Array.from({ length: 32 }, (_, i) => ((i * 7919) % 100) / 100);
    const state = newGate(referenceGate);
    for (const delta of losses.slice(0, 29)) addLoss(state, delta, referenceGate);
    expect(state.tau).toBe(Math.sqrt(5));
    const slopeOf = (values: number[]) => {
      const mean = values.reduce((a, b) => a + b) / values.length;
      return Math.max(0.1, 2 * Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length));
    };
    let slope = 0;
    for (let n = 30; n <= 32; n++) {
      addLoss(state, losses[n - 1]!, referenceGate);
      const now = slopeOf(losses.slice(n - 30, n));
      slope = slope === 0 ? now : 0.7 * slope + 0.3 * now;
      expect(state.tau).toBeCloseTo(Math.sqrt(10 / slope), 12);
    }
  });
});

describe('the bootstrap', () => {
  it.each([
    ['paper', 10, 5],
    ['paper', 4, 5],
    ['paper', 1000, 25],
    ['fill', 1000, 1000],
  ] as const)('%s at capacity %d admits everything below %d live entries', (bootstrap, capacity, until) => {
    const config: GateConfig = { ...defaultGate, bootstrap };
    const state = newGate(config);
    expect(passGate(state, until - 1, capacity, config)).toBe('bootstrap');
    expect(passGate(state, until, capacity, config)).toBe('below-threshold');
  });
});
