import { describe, expect, it } from 'vitest';
import { Deadline, DeadlineExceeded, LatencyBudget } from './deadline.js';

/** A clock that stands still but for what is said. */
class Hands {
  ms = 1_000;
  readonly nowMs = (): number => this.ms;
}
const never = new Promise<never>(() => undefined);

/** Work that takes `ms` of the clock. */
async function taking<T>(hands: Hands, ms: number, value: T): Promise<T> {
  await Promise.resolve();
  hands.ms += ms;
  return value;
}

describe('Deadline', () => {
  it('is one for all steps of a request: what one step takes the next ones lack', async () => {
    const hands = new Hands();
    const deadline = new Deadline(hands, 600_000);
    const left: number[] = [];
    for (const ms of [100_000, 400_000, 99_999, 1, 5]) {
      await deadline.within(taking(hands, ms, 0));
      left.push(deadline.remainingMs());
    }
    expect(left).toEqual([500_000, 100_000, 1, 0, 0]);
    await expect(deadline.within(never)).rejects.toThrow(DeadlineExceeded);
  });

  it('what is there already is taken, also when nothing is left', async () => {
    const deadline = new Deadline(new Hands(), 0);
    expect(await deadline.within(Promise.resolve('here'))).toBe('here');
  });

  it('work that fails fails, and fails unseen when it is late', async () => {
    await expect(new Deadline(new Hands(), 600_000).within(Promise.reject(new Error('away')))).rejects.toThrow('away');
    let fail: (error: Error) => void = () => undefined;
    const late = new Promise<never>((_, reject) => (fail = reject));
    await expect(new Deadline(new Hands(), 0).within(late)).rejects.toThrow(DeadlineExceeded);
    fail(new Error('late'));
    await late.catch(() => undefined);
  });
});

describe('LatencyBudget', () => {
  it('is spent by waits only, and by all of them together', async () => {
    const hands = new Hands();
    const budget = new LatencyBudget(hands, 600_000);
    await budget.within(taking(hands, 400_000, 0));
    // The upstream writes its answer meanwhile.
    hands.ms += 10_000_000;
    expect(await budget.within(taking(hands, 199_999, 'kept'))).toBe('kept');
    await budget.within(taking(hands, 1, 0));
    await expect(budget.within(never)).rejects.toThrow(DeadlineExceeded);
  });

  it('is spent by work that fails, too', async () => {
    const hands = new Hands();
    const budget = new LatencyBudget(hands, 600_000);
    await expect(
      budget.within(taking(hands, 600_000, 0).then(() => Promise.reject(new Error('away')))),
    ).rejects.toThrow();
    await expect(budget.within(never)).rejects.toThrow(DeadlineExceeded);
  });
});
