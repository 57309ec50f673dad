import { silentTelemetry } from '@reprise/kernel';
import { afterEach, describe, expect, it } from 'vitest';
import { DeadlineError, withDeadline } from './deadline.js';
import { StoreHealth } from './store-health.js';

const open: StoreHealth[] = [];

function health(probe: () => Promise<void>): { health: StoreHealth; ups: () => number } {
  let ups = 0;
  const onUp = (): void => {
    ups += 1;
  };
  const parts = { name: 'redis', probe, onUp, nowMs: () => 0, log: undefined, telemetry: silentTelemetry };
  const made = new StoreHealth(parts);
  open.push(made);
  return { health: made, ups: () => ups };
}

afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

describe('the breaker', () => {
  it('lets calls through until it is told that the server is dead, then refuses them with the reason', () => {
    const { health: breaker } = health(() => Promise.reject(new Error('still dead')));
    expect(() => breaker.assertUp()).not.toThrow();
    breaker.markDown('no answer within 40 ms');
    expect(() => breaker.assertUp()).toThrow(/no answer within 40 ms/);
    expect(breaker.up).toBe(false);
  });

  it('opens again with the first probe that is answered, and says so once', async () => {
    let alive = false;
    const { health: breaker, ups } = health(() => (alive ? Promise.resolve() : Promise.reject(new Error('dead'))));
    breaker.markDown('closed');
    expect(await breaker.check()).toBe(false);
    expect(breaker.reason).toBe('dead');
    alive = true;
    expect(await breaker.check()).toBe(true);
    expect(await breaker.check()).toBe(true);
    expect([breaker.up, ups()]).toEqual([true, 1]);
  });

  it('tells nobody of a server that is there at the start, and of one that is not, once', async () => {
    let alive = true;
    const told: string[] = [];
    const parts = {
      name: 'redis',
      probe: () => (alive ? Promise.resolve() : Promise.reject(new Error('refused'))),
      onUp: () => undefined,
      nowMs: () => 0,
      log: { write: (level: string, text: string) => void told.push(`${level} ${text}`) },
      telemetry: { ...silentTelemetry, count: (name: string) => void told.push(name) },
    };
    const make = (): StoreHealth => {
      const made = new StoreHealth(parts);
      open.push(made);
      return made;
    };
    const there = make();
    there.markUnknown('not connected yet');
    expect(() => there.assertUp()).toThrow(/not connected yet/);
    expect(await there.check()).toBe(true);
    expect([there.up, told]).toEqual([true, []]);
    alive = false;
    const away = make();
    away.markUnknown('not connected yet');
    expect(await away.check()).toBe(false);
    away.markDown('refused');
    away.markDown('refused');
    expect(told).toEqual(['reprise_store_down_total', 'warn Redis counts as down']);
    alive = true;
    expect(await away.check()).toBe(true);
    expect(told.at(-1)).toBe('info Redis answers again');
  });

  it('probes by itself until the server answers', async () => {
    let probes = 0;
    const answered = new Promise<void>((resolve) => {
      const { health: breaker } = health(() => {
        probes += 1;
        if (probes < 3) return Promise.reject(new Error('dead'));
        resolve();
        return Promise.resolve();
      });
      breaker.markDown('closed');
    });
    await answered;
    expect(probes).toBe(3);
  });
});

describe('a deadline', () => {
  it('gives the answer, the failure, or its own error', async () => {
    expect(await withDeadline(Promise.resolve(1), 50)).toBe(1);
    await expect(withDeadline(Promise.reject(new Error('no')), 50)).rejects.toThrow('no');
    await expect(withDeadline(new Promise(() => undefined), 5)).rejects.toBeInstanceOf(DeadlineError);
  });

  it('does not give up a call whose answer came while the event loop was busy', async () => {
    // The answer is due before the deadline; both timers are late, as after a long computation.
    const answer = new Promise<string>((resolve) => setTimeout(() => setImmediate(() => resolve('in time')), 1));
    const call = withDeadline(answer, 5);
    const until = performance.now() + 30;
    while (performance.now() < until);
    expect(await call).toBe('in time');
  });
});
