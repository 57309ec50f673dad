import { describe, expect, it } from 'vitest';
import type { FlightEvent, FlightTicket } from '@reprise/semantic-cache';
import { contractSuite } from './contract-suite.js';
import { nowMs, type OpenStore } from './store-under-test.js';

const ticket = (owner: string, key = 'key'): FlightTicket => ({ key, owner });
const leaseMs = 60_000;

async function collect(events: AsyncIterable<FlightEvent>): Promise<FlightEvent[]> {
  const all: FlightEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** What every FlightStore does (acceptance case 38). */
export function flightStoreContract(name: string, open: OpenStore): void {
  describe(`${name}: single-flight`, () => {
    const suite = contractSuite(open);
    const signal = (): AbortSignal => AbortSignal.timeout(20_000);

    it('makes one of fifty concurrent requests the leader', async () => {
      const roles = await Promise.all(
        Array.from({ length: 50 }, (_, i) => suite.store.flights.acquire(suite.ns, ticket(`r${i}`), leaseMs, nowMs)),
      );
      expect(roles.filter((r) => r.role === 'leader')).toHaveLength(1);
      expect(roles.filter((r) => r.role === 'follower')).toHaveLength(49);
    });

    it('gives followers every chunk in order and then the answer, whenever they came', async () => {
      const { flights } = suite.store;
      await flights.acquire(suite.ns, ticket('leader'), leaseMs, nowMs);
      await flights.acquire(suite.ns, ticket('early'), leaseMs, nowMs);
      const early = collect(flights.follow(suite.ns, ticket('early'), signal()));
      expect(await flights.publish(suite.ns, ticket('leader'), ['a', 'b'], leaseMs, nowMs)).toBe(true);
      expect(await flights.publish(suite.ns, ticket('leader'), ['é 🙂', ''], leaseMs, nowMs)).toBe(true);
      await flights.acquire(suite.ns, ticket('late'), leaseMs, nowMs);
      const late = collect(flights.follow(suite.ns, ticket('late'), signal()));
      const many = Array.from({ length: 700 }, (_, i) => `chunk ${i}`);
      await flights.publish(suite.ns, ticket('leader'), many, leaseMs, nowMs);
      expect(await flights.complete(suite.ns, ticket('leader'), '{"x":1}', 'entry', 5000)).toBe(true);
      expect(await flights.acquire(suite.ns, ticket('after'), leaseMs, nowMs)).toEqual({ role: 'done' });
      const after = collect(flights.follow(suite.ns, ticket('after'), signal()));
      const expected = [
        ...['a', 'b', 'é 🙂', '', ...many].map((data) => ({ type: 'chunk', data })),
        { type: 'done', answer: '{"x":1}', entryId: 'entry' },
      ];
      for (const events of await Promise.all([early, late, after])) expect(events).toEqual(expected);
    });

    it('tells followers that the leader gave up, and lets one of them lead', async () => {
      const { flights } = suite.store;
      await flights.acquire(suite.ns, ticket('leader'), leaseMs, nowMs);
      await flights.acquire(suite.ns, ticket('f1'), leaseMs, nowMs);
      await flights.acquire(suite.ns, ticket('f2'), leaseMs, nowMs);
      const f1 = collect(flights.follow(suite.ns, ticket('f1'), signal()));
      const f2 = collect(flights.follow(suite.ns, ticket('f2'), signal()));
      await flights.publish(suite.ns, ticket('leader'), ['a'], leaseMs, nowMs);
      await flights.abandon(suite.ns, ticket('leader'), 'upstream');
      const expected = [
        { type: 'chunk', data: 'a' },
        { type: 'abandoned', reason: 'upstream' },
      ];
      expect(await f1).toEqual(expected);
      expect(await f2).toEqual(expected);
      expect(await flights.acquire(suite.ns, ticket('f1'), leaseMs, nowMs)).toEqual({ role: 'leader' });
      expect(await flights.acquire(suite.ns, ticket('f2'), leaseMs, nowMs)).toEqual({ role: 'follower' });
      expect(await flights.publish(suite.ns, ticket('leader'), ['b'], leaseMs, nowMs)).toBe(false);
      expect(await flights.complete(suite.ns, ticket('leader'), 'x', '', 1000)).toBe(false);
    });

    it('hands over when the lease runs out', async () => {
      const { flights } = suite.store;
      await flights.acquire(suite.ns, ticket('leader'), 150, Date.now());
      await flights.acquire(suite.ns, ticket('follower'), 150, Date.now());
      const events = await collect(flights.follow(suite.ns, ticket('follower'), signal()));
      expect(events).toEqual([{ type: 'abandoned', reason: 'lease' }]);
      expect(await flights.acquire(suite.ns, ticket('follower'), leaseMs, Date.now())).toEqual({ role: 'leader' });
      expect(await flights.publish(suite.ns, ticket('leader'), ['x'], leaseMs, Date.now())).toBe(false);
    });

    it('keeps a flight in the air as long as its leader renews the lease', async () => {
      const { flights } = suite.store;
      await flights.acquire(suite.ns, ticket('leader'), 1000, nowMs);
      expect(await flights.publish(suite.ns, ticket('leader'), [], 1000, nowMs + 900)).toBe(true);
      expect(await flights.acquire(suite.ns, ticket('other'), 1000, nowMs + 1500)).toEqual({ role: 'follower' });
      expect(await flights.acquire(suite.ns, ticket('third'), 1000, nowMs + 1900)).toEqual({ role: 'leader' });
    });

    it('lets a leader go when nobody follows, and keeps its capture going when somebody does', async () => {
      const { flights } = suite.store;
      await flights.acquire(suite.ns, ticket('alone'), leaseMs, nowMs);
      expect(await flights.leave(suite.ns, ticket('alone'))).toBe(false);
      expect(await flights.acquire(suite.ns, ticket('leader'), leaseMs, nowMs)).toEqual({ role: 'leader' });
      await flights.acquire(suite.ns, ticket('follower'), leaseMs, nowMs);
      expect(await flights.leave(suite.ns, ticket('leader'))).toBe(true);
      await flights.leave(suite.ns, ticket('follower'));
      expect(await flights.leave(suite.ns, ticket('leader'))).toBe(false);
    });

    it('forgets a follower that stops following', async () => {
      const { flights } = suite.store;
      await flights.acquire(suite.ns, ticket('leader'), leaseMs, nowMs);
      await flights.acquire(suite.ns, ticket('follower'), leaseMs, nowMs);
      const abort = new AbortController();
      const following = collect(flights.follow(suite.ns, ticket('follower'), abort.signal));
      abort.abort();
      expect(await following).toEqual([]);
      expect(await flights.leave(suite.ns, ticket('leader'))).toBe(false);
    });

    it('keeps flights of other keys and namespaces apart', async () => {
      const { flights } = suite.store;
      expect(await flights.acquire(suite.ns, ticket('a', 'k1'), leaseMs, nowMs)).toEqual({ role: 'leader' });
      expect(await flights.acquire(suite.ns, ticket('b', 'k2'), leaseMs, nowMs)).toEqual({ role: 'leader' });
      expect(await flights.acquire(`${suite.ns}-other`, ticket('c', 'k1'), leaseMs, nowMs)).toEqual({ role: 'leader' });
      await flights.leave(`${suite.ns}-other`, ticket('c', 'k1'));
    });
  });
}
