import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { OwnServer } from '@reprise/testing';
import { hourMs, newEntry, unitVector } from '@reprise/testing/contracts';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ns = 'large';
const base = `rp:{${ns}}`;
const entries = 4000;
/**
 * Most commands that one call may give to the server. At 1 to 3 µs each that is less than the 5 ms that nothing may block; `npm run bench -- --only redis` has the times at 100,000 entries.
 */
const mostCommands = 750;
/** The same for an install, which replaces a planned tier of at most 250 as a whole. */
const mostOfInstall = 2600;
/** Strata of the second namespace: agent memory makes one for each agent and run, and a hash of so few fields is one page for HSCAN. */
const strata = 400;

/** Nothing that walks, purges or trims a namespace may do more in one call because the namespace is larger. */
describe('a call on a large namespace does a bounded number of commands', { timeout: 120_000 }, () => {
  let server: OwnServer;
  let store: RedisStore;
  let client: Redis;
  const internal = new Map<string, string>();

  beforeAll(async () => {
    server = await OwnServer.start();
    store = createRedisStore({ url: server.url, commandTimeoutMs: 20_000 });
    await store.connect(20_000);
    client = new Redis(server.url);
    await store.admin.setPolicy(ns, JSON.stringify({ capacity: entries, eviction: 'solar-e' }));
    const nowMs = Date.now();
    for (let n = 0; n < entries; n += 100) {
      const batch = Array.from({ length: 100 }, (_, i) => {
        const change = { createdMs: nowMs, tags: [`t${n % 200}`], exactTtlMs: hourMs, semanticTtlMs: hourMs };
        const entry = newEntry(n + i, { ...change, vector: unitVector(16, (n + i) % 16, (n + i * 7) % 16, 0.3) });
        const { stratum: _stratum, vector: _vector, ...plain } = entry;
        return i % 10 === 0 ? entry : plain;
      });
      await Promise.all(batch.map((entry) => store.entries.admit(ns, entry)));
    }
    for (const library of (await client.call('FUNCTION', 'LIST')) as unknown[][])
      for (const fn of library[5] as unknown[][]) {
        const name = String(fn[1]);
        internal.set(name.replace(/^rp_(.*)_\d+_\d+_[0-9a-f]{8}$/, '$1'), name);
      }
  }, 120_000);
  afterAll(async () => {
    client.disconnect();
    await store.close();
    await server.stop();
  });

  /** Commands that one call gave to the server. */
  async function commandsOf(
    name: string,
    args: readonly (string | number)[],
    key: string = base,
  ): Promise<[unknown, number]> {
    await client.config('RESETSTAT');
    const reply = await client.call('FCALL', internal.get(name) ?? name, 1, key, ...args);
    const counts = [...(await client.info('commandstats')).matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)];
    const own = counts.filter(([, command]) => !/^(fcall|config|info)/.test(command ?? ''));
    return [reply, own.reduce((sum, [, , calls]) => sum + Number(calls), 0)];
  }

  /** Repeats a call as its replies say; the most commands of any of them, and how many there were. */
  async function walk(
    name: string,
    next: (reply: unknown) => readonly (string | number)[] | undefined,
    key: string = base,
  ) {
    let [most, calls] = [0, 0];
    for (let args = next(undefined); args !== undefined; calls += 1) {
      const [reply, commands] = await commandsOf(name, args, key);
      most = Math.max(most, commands);
      args = next(reply);
    }
    return { most, calls };
  }

  const lines = (reply: unknown): string[] => reply as string[];
  const cursorOf = (reply: unknown): string => String((reply as unknown[])[1]);
  const now = (): number => Date.now();
  const paged =
    (args: (cursor: string) => readonly (string | number)[], start = '0', end = '0') =>
    (reply: unknown) =>
      reply === undefined ? args(start) : cursorOf(reply) === end ? undefined : args(cursorOf(reply));

  it('the removal of one entry is a bounded number of calls, and the sweep clears its vector away', async () => {
    const members = async () => Number(await client.call('VCARD', `${base}:v:stratum`));
    const before = await members();
    await client.config('RESETSTAT');
    expect(await store.admin.forget(ns, 'entry-10', now())).toBe(true);
    const stats = await client.info('commandstats');
    expect(Number(/^cmdstat_fcall:calls=(\d+)/m.exec(stats)?.[1])).toBeLessThanOrEqual(17);
    expect(stats).not.toMatch(/^cmdstat_scan:/m);
    expect(await members()).toBe(before);
    const nobody = { nowMs: now(), maxAgeMs: hourMs, requestId: 'q', policyVersion: 0 };
    expect((await store.entries.exact(ns, { ...nobody, exactKey: 'exact-10' })).outcome).not.toBe('hit');
    for (let steps = 0; (await members()) === before; steps += 1) {
      expect(steps).toBeLessThan(1000);
      await commandsOf('sweep', [now(), 100]);
    }
    expect(await members()).toBe(before - 1);
    expect(await store.admin.forget(ns, 'entry-10', now())).toBe(false);
  });

  it.each<[string, string, (reply: unknown) => readonly (string | number)[] | undefined, number]>([
    ['list', 'list', paged((cursor) => [cursor, 250]), 10],
    ['check', 'check', paged((cursor) => [cursor, now(), 100], 'start', 'end'), 40],
    ['a dry purge', 'purge_entries', paged((c) => [c, '', '', 't0', '', '', '', -1, 1, now(), 'dry', 100]), 30],
    ['sweep', 'sweep', (reply) => (reply === undefined || (reply as number[])[0] !== 0 ? [now(), 100] : undefined), 40],
    ['rp_sweep', 'rp_sweep', (r) => (lines(r ?? []).at(-1) === 'a round is done' ? undefined : []), 4],
    [
      'rp_check',
      'rp_check',
      (r) => (r === undefined ? [] : /rp_check 1 \S+ (\S+)$/.exec(lines(r).at(-1) ?? '')?.slice(1)),
      20,
    ],
    ['rp_stats', 'rp_stats', (reply) => (reply === undefined ? [] : undefined), 1],
    ['rp_top', 'rp_top', (reply) => (reply === undefined ? [100] : undefined), 1],
    ['rp_victims', 'rp_victims', (reply) => (reply === undefined ? [64] : undefined), 1],
    [
      'rp_policy',
      'rp_policy',
      (r) => (r === undefined ? [`{"capacity":${entries - 200},"eviction":"solar-e"}`] : undefined),
      1,
    ],
    ['rp_trim', 'rp_trim', (r) => (lines(r ?? []).at(-1) === 'done' ? undefined : []), 20],
    ['rp_purge', 'rp_purge', (r) => (lines(r ?? []).at(-1) === 'done' ? undefined : ['tag', 't100', 'run']), 20],
    ['purge', 'purge_entries', paged((c) => [c, '', '', '', '', '', '', -1, 0, now(), 'all', 16]), 100],
  ])('%s', async (_, name, next, least) => {
    const { most, calls } = await walk(name, next);
    expect(calls).toBeGreaterThanOrEqual(least);
    expect(most).toBeLessThanOrEqual(mostCommands);
  });

  describe('with hundreds of strata', () => {
    const many = 'strata';
    const key = `rp:{${many}}`;

    beforeAll(async () => {
      await store.admin.setPolicy(many, JSON.stringify({ capacity: entries, eviction: 'lru' }));
      for (let n = 0; n < strata; n += 1) {
        const batch = Array.from({ length: 3 }, (_, i) =>
          newEntry(n * 3 + i, {
            ...{ stratum: `stratum-${n}`, vector: unitVector(16, n % 16, i, 0.3 + i / 10) },
            ...{ createdMs: Date.now(), tags: [`t${i}`], exactTtlMs: hourMs, semanticTtlMs: hourMs },
          }),
        );
        await Promise.all(batch.map((entry) => store.entries.admit(many, entry)));
      }
    }, 120_000);

    const sweep = (reply: unknown) => (reply === undefined || (reply as number[])[0] !== 0 ? [now(), 100] : undefined);
    const check = paged((cursor) => [cursor, now(), 100], 'start', 'end');

    it('a sweep and a check look at some of them a call', async () => {
      const swept = await walk('sweep', sweep, key);
      expect(swept.calls).toBeGreaterThanOrEqual(strata / 16);
      expect(swept.most).toBeLessThanOrEqual(mostCommands);
      const checked = await walk('check', check, key);
      expect(checked.most).toBeLessThanOrEqual(mostCommands);
      expect(await store.admin.check(many, now())).toEqual([]);
    });

    it('every one is looked at, also those that a step did not reach', async () => {
      // A register that is wrong in each stratum: the check names all of them, and the sweep repairs all of them.
      for (let n = 0; n < strata; n += 1) await client.hset(`${key}:strata`, `stratum-${n}`, 2);
      const wrong = await store.admin.check(many, now());
      expect(wrong.filter((line) => line.includes('3 live vectors, its register says 2'))).toHaveLength(strata);
      await walk('sweep', sweep, key);
      expect(await store.admin.check(many, now())).toEqual([]);
    });

    it('building all of them anew begins and ends in steps, and what comes in meanwhile is in its set', async () => {
      await walk(
        'purge_entries',
        paged((c) => [c, '', '', 't1', '', '', '', -1, 0, now(), 'p', 16]),
        key,
      );
      expect(await client.scard(`${key}:vd`)).toBe(strata);
      let calls = 0;
      const { most } = await walk(
        'compact',
        (reply) => {
          if (reply !== undefined && (reply as number[])[0] === 0) return undefined;
          calls += 1;
          return [64, 16];
        },
        key,
      );
      expect(most).toBeLessThanOrEqual(mostCommands);
      expect(calls).toBeGreaterThan(strata / 16);
      const sizes = await Promise.all(
        Array.from({ length: strata }, (_, n) => client.call('VCARD', `${key}:v:stratum-${n}`)),
      );
      expect(new Set(sizes)).toEqual(new Set([2]));
      expect(await store.admin.check(many, now())).toEqual([]);
    });

    it('an entry that is admitted while its set is built anew and still empty is not lost', async () => {
      await client.sadd(`${key}:vd`, ...Array.from({ length: strata }, (_, n) => `stratum-${n}`));
      const [fresh, step] = [5000, [64, 16] as const];
      for (let n = 0, more = true; more; n += 1) {
        const [reply] = await commandsOf('compact', step, key);
        more = (reply as number[])[0] !== 0;
        const vector = unitVector(16, n % 16, 9, 0.9);
        if (n < strata) {
          const change = {
            stratum: `stratum-${n}`,
            vector,
            createdMs: now(),
            exactTtlMs: hourMs,
            semanticTtlMs: hourMs,
          };
          await store.entries.admit(many, newEntry(fresh + n, change));
        }
      }
      expect(await store.admin.check(many, now())).toEqual([]);
    });
  });

  describe('with many entries above the bounds of their tiers', () => {
    const cut = 'cut';
    const key = `rp:{${cut}}`;
    const size = 1000;
    const policy = (change: object) =>
      JSON.stringify({ capacity: size, eviction: 'lru', shares: { planned: 0.4, protected: 0.5 }, ...change });
    const plain = (n: number) => {
      const {
        stratum: _stratum,
        vector: _vector,
        ...entry
      } = newEntry(n, { createdMs: now(), importance: 5, source: 1 });
      return entry;
    };
    const trim = (reply: unknown) => (lines(reply ?? []).at(-1) === 'done' ? undefined : []);
    const inTier = (tier: string) => client.zcard(`${key}:t:${tier}`);

    beforeAll(async () => {
      await store.admin.setPolicy(cut, policy({}));
      for (let n = 0; n < size; n += 100)
        await Promise.all(Array.from({ length: 100 }, (_, i) => store.entries.admit(cut, plain(n + i))));
      const used = (n: number) => Array.from({ length: 50 }, (_, i) => `entry-${n + i}`);
      for (let n = 0; n < size; n += 50)
        await store.policies.feedback(cut, { requestId: `f${n}`, used: used(n), delta: 0, importance: 5, source: 2 });
      expect(await inTier('p')).toBe(500);
    }, 120_000);

    it('an install of the longest planned tier, and of another in its place', async () => {
      for (const version of [1, 2]) {
        const planned = Array.from({ length: 250 }, (_, i) => `entry-${(version - 1) * 250 + i}`);
        const [, commands] = await commandsOf('install', [version - 1, version, 0, 16, 1, ...planned], key);
        expect(commands).toBeLessThanOrEqual(mostOfInstall);
        expect(await inTier('m')).toBe(250);
      }
      const longer = Array.from({ length: 251 }, (_, i) => `entry-${i}`);
      await expect(commandsOf('install', [2, 3, 0, 16, 1, ...longer], key)).rejects.toThrow(/more than 250 ids/);
    });

    it('a cut of the planned and of the protected share', async () => {
      const planned = await commandsOf('rp_policy', [policy({ shares: { planned: 0, protected: 0.5 } })], key);
      expect(planned[1]).toBeLessThanOrEqual(mostOfInstall);
      expect(await inTier('m')).toBe(0);
      const [, commands] = await commandsOf('rp_policy', [policy({ shares: { planned: 0, protected: 0.01 } })], key);
      expect(commands).toBeLessThanOrEqual(mostCommands);
      expect(await inTier('p')).toBeGreaterThan(400);
      const { most, calls } = await walk('rp_trim', trim, key);
      expect(most).toBeLessThanOrEqual(mostCommands);
      expect(calls).toBeGreaterThan(400 / 33);
      expect(await inTier('p')).toBe(10);
      expect(await store.admin.check(cut, now())).toEqual([]);
    });

    it.each(['solar', 'solar-a', 'solar-e', 'fifo', 'lru', 'lfu', 'arc', 'gds', 'gdsf', 'value', 'two-tier'])(
      'a cut of the capacity that nobody goes on with, under %s, when an eviction scores as many as it may',
      async (eviction) => {
        const { capacity: before = 0 } = await store.admin.stats(cut);
        const [, set] = await commandsOf(
          'rp_policy',
          [policy({ capacity: before - 20, eviction, evictionCandidates: 256 })],
          key,
        );
        expect(set).toBeLessThanOrEqual(mostCommands);
        const [reply, commands] = await commandsOf('trim', [16, 7], key);
        expect((reply as [number, string[]])[1]).toHaveLength(4);
        expect(commands).toBeLessThanOrEqual(mostCommands);
        // The sweep does the rest.
        const { most } = await walk(
          'sweep',
          (r) => (r === undefined || (r as number[])[0] !== 0 ? [now(), 100] : undefined),
          key,
        );
        expect(most).toBeLessThanOrEqual(mostCommands);
        expect(await store.admin.stats(cut)).toMatchObject({ entries: before - 20, capacity: before - 20 });
        expect(await store.admin.check(cut, now())).toEqual([]);
      },
    );
  });

  it('a purge removes no more a step while the register shrinks (HSCAN then gives far more than it is asked for)', async () => {
    const shrinking = 'shrinking';
    const key = `rp:{${shrinking}}`;
    const { stratum: _stratum, vector: _vector, ...plain } = newEntry(1, { createdMs: now() });
    await store.entries.admit(shrinking, plain);
    const [[, record] = []] = Object.entries(await client.hgetallBuffer(`${key}:post`));
    // What is left of 50,000 expired entries: a record each.
    for (let n = 0; n < 50_000; n += 5000)
      await client.hset(
        `${key}:post`,
        new Map(Array.from({ length: 5000 }, (_, i) => [`gone-${n + i}`, record ?? ''])),
      );
    let [pages, largest, reply] = [0, 0, ['', '0'] as unknown[]];
    do {
      const before = await client.hlen(`${key}:post`);
      const args = [String(reply[1]), '', '', '', '', '', '', -1, 0, now(), 'shrink', 16];
      reply = (await client.call('FCALL', internal.get('purge_entries') ?? '', 1, key, ...args)) as unknown[];
      largest = Math.max(largest, before - (await client.hlen(`${key}:post`)));
      pages += 1;
    } while (reply[1] !== '0');
    expect(await client.hlen(`${key}:post`)).toBe(0);
    expect(largest).toBeLessThanOrEqual(16);
    expect(pages).toBeGreaterThan(3000);
  });
});
