import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { findRedisCli, OwnServer } from '@reprise/testing';
import { exactQuery, hourMs, newEntry } from '@reprise/testing/contracts';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { byClient, byRedisCli, playPage, type Player } from './console-session.js';

const page = join(import.meta.dirname, '../../docs/guides/redis-operations.md');
/** A fixed time, so that the page's output is the same every day; lifetimes are relative to it. */
const createdMs = Date.UTC(2026, 0, 1);
const centuryMs = 100 * 365 * 24 * hourMs;
const life = { createdMs, exactTtlMs: centuryMs, semanticTtlMs: centuryMs, maxAgeMs: centuryMs };
const ns = 'acme';
const base = `rp:{${ns}}`;

describe("the operators' functions", () => {
  let server: OwnServer;
  let store: RedisStore;
  let client: Redis;

  beforeAll(async () => {
    server = await OwnServer.start();
    client = new Redis(server.url);
    store = createRedisStore({ url: server.url, commandTimeoutMs: 5000 });
  });
  afterAll(async () => {
    await store.close();
    client.disconnect();
    await server.stop();
  });

  beforeEach(async () => {
    await client.flushall();
    await store.connect(10_000);
    await store.ensureLoaded();
    const policy = { capacity: 6, eviction: 'solar-e', shares: { planned: 0.5, protected: 0.2, recency: 0.3 } };
    await store.admin.setPolicy(ns, JSON.stringify(policy));
    for (let n = 1; n <= 6; n += 1) {
      const change = { ...life, tags: [n % 2 === 1 ? 'billing' : 'shipping'], importance: n === 2 ? 5 : 0 };
      await store.entries.admit(ns, newEntry(n, change));
    }
    for (const [n, times] of [
      [1, 4],
      [2, 2],
      [5, 1],
    ] as const) {
      for (let i = 0; i < times; i += 1) {
        const query = {
          ...exactQuery(`exact-${n}`, { nowMs: createdMs, policyVersion: 1 }),
          requestId: `req-${n}-${i}`,
        };
        await store.entries.exact(ns, query);
      }
    }
    const record = JSON.stringify({ decision: 'hit-exact' });
    await store.decisions.record(ns, 'req-2-1', 'entry-2', 'conversation-2', record, hourMs, createdMs);
    await store.policies.label(ns, { requestId: 'l1', id: 'entry-5', verdict: 'incorrect' });
    await store.policies.feedback(ns, { requestId: 'fb', used: ['entry-2'], delta: 0.1, importance: 7, source: 3 });
  });

  const call = async (name: string, ...args: string[]): Promise<string[]> =>
    (await client.call('FCALL', name, 1, base, ...args)) as string[];

  const cli = findRedisCli();

  /** Plays the guide's own lines on the state above; what they print must be what the guide says. */
  async function asWritten(play: Player): Promise<void> {
    const written = readFileSync(page, 'utf8');
    const played = await playPage(written, play);
    if (process.env['UPDATE_GUIDES'] === '1') writeFileSync(page, played);
    const undated = (text: string): string => text.replaceAll(/out of service since \S+:/g, 'out of service since:');
    expect(undated(played)).toBe(undated(readFileSync(page, 'utf8')));
    expect(await store.admin.check(ns, createdMs)).toEqual([]);
  }

  it.skipIf(cli === undefined)(
    'do what the guide says when its lines are pasted into redis-cli (needs redis-cli: apt-get install redis-tools)',
    () => asWritten(byRedisCli(cli ?? '', server.port)),
  );

  it('do what the guide says through a client library', () => asWritten(byClient(client)));

  it('read on a read-only call, and refuse to write there', async () => {
    for (const name of ['rp_stats', 'rp_top', 'rp_victims', 'rp_check'])
      expect(await client.call('FCALL_RO', name, 1, base)).toBeInstanceOf(Array);
    await expect(client.call('FCALL_RO', 'rp_pause', 1, base)).rejects.toThrow(/read-only|write flag/i);
  });

  it('explain an entry by its exact key too', async () => {
    expect(await call('rp_explain', 'exact-2')).toContain('  id: entry-2');
  });

  it('say how they are called when they are called wrongly, and change nothing', async () => {
    const before = await client.call('DEBUG', 'DIGEST').catch(() => undefined);
    await expect(client.call('FCALL', 'rp_stats', 0)).rejects.toThrow(/RP_ERR_ARGUMENT name one namespace/);
    await expect(client.call('FCALL', 'rp_stats', 1, 'rp:acme')).rejects.toThrow(/RP_ERR_ARGUMENT/);
    await expect(call('rp_purge')).rejects.toThrow(/at least one filter/);
    await expect(call('rp_purge', 'tag')).rejects.toThrow(/RP_ERR_ARGUMENT/);
    await expect(call('rp_purge', 'older', 'yesterday')).rejects.toThrow(/90s, 15m/);
    await expect(call('rp_purge', 'run')).rejects.toThrow(/RP_ERR_ARGUMENT|at least one filter/);
    await expect(call('rp_top', '0')).rejects.toThrow(/whole number from 1 to 100/);
    await expect(call('rp_top', '5', 'beauty')).rejects.toThrow(/mean, uses or importance/);
    await expect(call('rp_policy', '[1]')).rejects.toThrow(/RP_ERR_POLICY/);
    await expect(call('rp_quarantine')).rejects.toThrow(/which entry/);
    expect(await client.call('DEBUG', 'DIGEST').catch(() => undefined)).toEqual(before);
  });

  it('preview the victims that the next admissions really take, under every policy', async () => {
    const policies = ['solar-e', 'fifo', 'lru', 'lfu', 'gds', 'gdsf', 'value', 'two-tier', 'arc'];
    for (const [i, eviction] of policies.entries()) {
      await store.admin.setPolicy(ns, JSON.stringify({ capacity: 6, eviction }));
      const seed = 100 + i;
      const [, line = ''] = await call('rp_victims', '1', String(seed));
      const reply = await store.entries.admit(ns, newEntry(50 + i, { ...life, seed, loss: 'counted' }));
      expect([eviction, reply.evicted]).toEqual([eviction, [line.split(' ')[0]]]);
    }
  });

  it('purge a large namespace in bounded steps, and everything that names it', async () => {
    await store.admin.setPolicy(ns, JSON.stringify({ capacity: 5000 }));
    for (let n = 100; n < 1100; n += 1) {
      const { stratum: _stratum, vector: _vector, ...plain } = newEntry(n, { ...life, tags: ['bulk'] });
      await store.entries.admit(ns, plain);
    }
    await store.decisions.record(ns, 'bulk-request', 'entry-500', '', '{}', hourMs, createdMs);
    const repeat = async (...args: string[]): Promise<{ calls: number; last: string[] }> => {
      for (let calls = 1; ; calls += 1) {
        const last = await call('rp_purge', ...args);
        if (last.at(-1)?.startsWith('done') === true) return { calls, last };
      }
    };
    const dry = await repeat('tag', 'bulk');
    expect(dry.last[0]).toBe('would remove 1000 entries');
    expect((await store.admin.stats(ns))['entries']).toBe(1006);
    const done = await repeat('tag', 'bulk', 'run');
    expect(done.calls).toBeGreaterThan(10);
    expect(done.last[0]).toMatch(/^removed 1000 entries, and \d+ other keys$/);
    expect((await store.admin.stats(ns))['entries']).toBe(6);
    expect(await store.decisions.read(ns, 'bulk-request')).toBeUndefined();
    expect(await store.admin.check(ns, createdMs)).toEqual([]);
    expect((await client.keys('*')).filter((key) => key.includes(':purge:') || key.includes('exact-500'))).toEqual([]);
  });

  it.each([
    ['tag', 'held'],
    ['model', 'model-a'],
    ['user', 'user-3'],
    ['key', 'exact-70'],
    ['older', '0'],
    ['all'],
    ['tag', 'held', 'model', 'model-a'],
  ])('purge %s: an answer whose request began before is not stored after it', async (...words) => {
    const told = async (): Promise<number> => (await store.entries.policy(ns, 0)).purges;
    const purges = await told();
    const offer = (n: number, begun: number) =>
      store.entries.admit(
        ns,
        newEntry(n, { ...life, exactKey: 'exact-70', tags: ['held'], user: 'user-3', purges: begun }),
      );
    await call('rp_purge', ...words);
    expect(await told()).toBe(purges);
    while (!(await call('rp_purge', ...words, 'run')).at(-1)?.startsWith('done'));
    expect(await told()).toBe(purges + 1);
    expect(await offer(70, purges)).toMatchObject({ outcome: 'rejected', reason: 'purged' });
    expect((await offer(71, purges + 1)).outcome).toBe('stored');
  });

  it('check finds what is broken', async () => {
    expect(await call('rp_check')).toEqual(['clean']);
    await client.zadd(`${base}:t:p`, 1, 'entry-1');
    await client.del(`${base}:v:stratum`);
    await client.hdel(`${base}:post`, 'entry-4');
    await client.del(`${base}:e:entry-6`);
    await client.hset(`${base}:x`, 'exact-5', 'entry-1', 'exact-99', 'entry-99');
    for (const list of ['b1', 'b2']) await client.zadd(`${base}:gh:arc:${list}`, 1, 'somebody');
    const found = (await call('rp_check')).join('\n');
    for (const problem of [
      'entry entry-1 is in 2 tiers (p r)',
      'entry entry-3 has no vector',
      'member entry-4 of tier r is no entry',
      'entry entry-6 has no answer',
      'exact key exact-5 of entry entry-5 leads to entry-1',
      'exact key exact-99 leads to entry-99, which is no entry',
      'representative somebody is in both ghost lists',
      'stratum stratum has 0 vectors, its register says 6',
    ])
      expect(found).toContain(problem);
  });

  it('sweep repairs what a server that drops keys leaves behind', async () => {
    await client.hdel(`${base}:post`, 'entry-4');
    await client.del(`${base}:e:entry-6`);
    await client.hset(`${base}:x`, 'exact-99', 'entry-99');
    for (let i = 0; i < 6; i += 1) await call('rp_sweep');
    expect(await call('rp_check')).toEqual(['clean']);
    expect((await store.admin.stats(ns))['entries']).toBe(4);
  });
});
