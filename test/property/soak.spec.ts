import { createRng, type Rng } from '@reprise/kernel';
import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import type { NewEntry } from '@reprise/semantic-cache';
import { OwnServer } from '@reprise/testing';
import { hourMs, newEntry, unitVector } from '@reprise/testing/contracts';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const clients = 32;
const soakMs = Number(process.env['SOAK_MS'] ?? 60_000);
const ns = 'soak';
const policies = ['solar', 'solar-a', 'solar-e', 'fifo', 'lru', 'lfu', 'arc', 'gds', 'gdsf', 'value', 'two-tier'];

/** One of the clients: mixed calls, one after the other, until the time is over. */
class Client {
  calls = 0;
  /** Ids that installs put into the planned tier or out of it, entries that calls evicted, installs that evicted for a smaller capacity. */
  moved = 0;
  evicted = 0;
  shrunk = 0;
  private readonly rng: Rng;

  constructor(
    readonly number: number,
    readonly store: RedisStore,
  ) {
    this.rng = createRng(1000 + number);
  }

  async run(untilMs: number): Promise<void> {
    while (Date.now() < untilMs) {
      await this.call();
      this.calls += 1;
    }
  }

  private pick(count: number): number {
    return Math.floor(this.rng.next() * count);
  }

  private id(): string {
    return `entry-${this.pick(400)}-${this.pick(3)}`;
  }

  private entry(): NewEntry {
    const n = this.pick(400);
    const shortLived = this.pick(4) === 0;
    const ttlMs = shortLived ? 50 + this.pick(500) : hourMs;
    return newEntry(n, {
      id: `entry-${n}-${this.pick(3)}`,
      requestId: `r-${this.number}-${this.calls}`,
      vector: unitVector(16, n % 16, (n * 7) % 16, (n % 5) / 10),
      answer: JSON.stringify({ n, answer: this.pick(3) }),
      createdMs: Date.now(),
      exactTtlMs: ttlMs,
      semanticTtlMs: this.pick(3) === 0 ? Math.floor(ttlMs / 2) : ttlMs,
      importance: this.pick(6),
      source: this.pick(5),
      tags: [`t${this.pick(20)}`],
      seed: this.pick(2 ** 31 - 1),
    });
  }

  private async call(): Promise<void> {
    const { entries, policies: engine, admin, decisions } = this.store;
    const query = {
      nowMs: Date.now(),
      maxAgeMs: hourMs,
      requestId: `q-${this.number}-${this.calls}`,
      policyVersion: 0,
    };
    const choice = this.pick(100);
    if (choice < 35) this.evicted += (await entries.admit(ns, this.entry())).evicted.length;
    else if (choice < 50) await entries.exact(ns, { ...query, exactKey: `exact-${this.pick(400)}` });
    else if (choice < 62)
      await entries.lookup(ns, { ...query, vector: unitVector(16, this.pick(16)), stratum: 'stratum', count: 8 });
    else if (choice < 72) {
      const { policyVersion } = await entries.policy(ns, 0);
      await entries.serve(ns, { ...query, policyVersion, entryId: this.id() });
    } else if (choice < 84) {
      const used = [this.id(), this.id(), this.id()];
      await engine.feedback(ns, {
        requestId: query.requestId,
        used,
        delta: this.rng.next(),
        importance: this.pick(9),
        source: this.pick(5),
      });
    } else if (choice < 90)
      await engine.label(ns, {
        requestId: query.requestId,
        id: this.id(),
        verdict: this.pick(2) ? 'correct' : 'incorrect',
      });
    else if (choice < 93) await admin.sweep(ns, Date.now(), 100);
    else if (choice < 95) await admin.quarantine(ns, this.id(), 'soak', Date.now());
    else if (choice < 97) await decisions.record(ns, query.requestId, this.id(), '', '{}', 1000, Date.now());
    else if (choice < 98) await admin.purge(ns, { tag: `t${this.pick(20)}` }, false, Date.now());
    else if (choice < 99) await this.policy();
    else await this.install();
  }

  /** Another policy, and sometimes a smaller or a larger capacity. */
  private async policy(): Promise<void> {
    const capacity = [40, 120, 200][this.pick(3)] ?? 120;
    const eviction = policies[this.pick(policies.length)] ?? 'lru';
    await this.store.admin.setPolicy(ns, JSON.stringify({ capacity, eviction }));
  }

  private async install(): Promise<void> {
    const { planned_version: expectedVersion = 0, capacity: before = 0 } = await this.store.admin.stats(ns);
    const planned = [...new Set([this.id(), this.id(), this.id(), this.id()])];
    const capacity = 30 + this.pick(170);
    const reply = await this.store.policies.install(ns, {
      ...{ expectedVersion, version: expectedVersion + 1, planned, capacity, maxTrim: 10, seed: this.pick(1000) },
    });
    if (!reply.installed) return;
    this.moved += planned.length - reply.dropped.length + reply.demoted.length;
    this.evicted += reply.evicted.length;
    if (capacity < before && reply.evicted.length > 0) this.shrunk += 1;
  }
}

/** A replica comes to hold what its master holds, key by key, and its own walk finds nothing wrong. */
async function expectEqualDatasets(master: OwnServer, follower: OwnServer): Promise<void> {
  const [one, other] = [new Redis(master.url), new Redis(follower.url)];
  const digests = async () => [await one.call('DEBUG', 'DIGEST'), await other.call('DEBUG', 'DIGEST')];
  // It has to load the snapshot, and keys that end reach it a moment later.
  let found = await digests();
  for (let tries = 0; tries < 400 && found[0] !== found[1]; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    found = await digests();
  }
  expect(found[1]).toBe(found[0]);
  expect(found[0]).not.toMatch(/^0+$/);
  expect(await other.hlen(`rp:{${ns}}:post`)).toBeGreaterThan(0);
  for (let cursor: string | undefined = 'start'; cursor !== undefined;) {
    const lines = (await other.call('FCALL_RO', 'rp_check', 1, `rp:{${ns}}`, cursor)) as string[];
    const next: string | undefined = /rp_check 1 \S+ (\S+)$/.exec(lines.at(-1) ?? '')?.[1];
    // A page without a finding says so, too.
    expect(next === undefined ? lines : lines.slice(0, -1)).toEqual(['clean']);
    cursor = next;
  }
  one.disconnect();
  other.disconnect();
}

describe('a namespace under many clients', { timeout: soakMs + 120_000 }, () => {
  let server: OwnServer;
  /** One replica is killed half way and starts again at the end, one lives. */
  let replica: OwnServer;
  let survivor: OwnServer;

  beforeAll(async () => {
    const debug = ['--enable-debug-command', 'local'];
    server = await OwnServer.start(debug);
    const follow = [...debug, '--replicaof', `127.0.0.1 ${server.port}`];
    replica = await OwnServer.start(follow);
    survivor = await OwnServer.start(follow);
  });
  afterAll(async () => {
    await survivor.stop();
    await replica.stop();
    await server.stop();
  });

  const open = async (): Promise<RedisStore> => {
    const store = createRedisStore({ url: server.url, commandTimeoutMs: 20_000, adminTimeoutMs: 20_000 });
    await store.connect(20_000);
    return store;
  };

  it(`is whole at every moment of ${soakMs / 1000} s of mixed calls, while replicas die`, async () => {
    const stores = await Promise.all(Array.from({ length: clients }, open));
    const watcher = await open();
    await watcher.admin.setPolicy(ns, JSON.stringify({ capacity: 200, eviction: 'solar' }));
    const untilMs = Date.now() + soakMs;
    const running = stores.map((store, i) => new Client(i, store));
    const work = running.map((client) => client.run(untilMs));

    const watch = async (): Promise<number> => {
      let walks = 0;
      while (Date.now() < untilMs) {
        expect(await watcher.admin.check(ns, Date.now())).toEqual([]);
        walks += 1;
      }
      return walks;
    };
    /** Kills connections of gateways in the middle of their calls, and the Redis replica half way through. */
    const kill = async (): Promise<number> => {
      const control = new Redis(server.url);
      let [kills, replicaDied] = [0, false];
      while (Date.now() < untilMs) {
        await new Promise((resolve) => setTimeout(resolve, soakMs / 40));
        const victim = await open();
        const doomed = new Client(900 + kills, victim).run(untilMs).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, soakMs / 100));
        void victim.close();
        await doomed;
        kills += 1;
        if (!replicaDied && Date.now() > untilMs - soakMs / 2) {
          await replica.kill();
          replicaDied = true;
        }
      }
      control.disconnect();
      expect(replicaDied).toBe(true);
      return kills;
    };
    const [walks, kills] = await Promise.all([watch(), kill(), ...work]);
    expect(walks).toBeGreaterThan(5);
    expect(kills).toBeGreaterThan(5);

    expect(await watcher.admin.check(ns, Date.now())).toEqual([]);
    // A smaller capacity is reached in bounded steps, and the last call may have been the first of them.
    const { planned_version: version = 0, capacity = 0 } = await watcher.admin.stats(ns);
    for (let step = 0, remaining = 1; remaining > 0; step += 1) {
      const call = { expectedVersion: version + step, version: version + step + 1, planned: [], capacity };
      ({ remaining } = await watcher.policies.install(ns, { ...call, maxTrim: 16, seed: step }));
    }
    expect(await watcher.admin.check(ns, Date.now())).toEqual([]);
    const stats = await watcher.admin.stats(ns);
    expect(stats['capacity']).toBe(capacity);
    expect(stats['entries']).toBeLessThanOrEqual(capacity);
    for (const name of [
      'admitted',
      'evicted',
      'refreshed',
      'promoted',
      'demoted',
      'exact_hit',
      'semantic_hit',
      'swept',
      'purged',
    ])
      expect([name, (stats[name] ?? 0) > 0]).toEqual([name, true]);
    expect(Math.min(...running.map((client) => client.calls))).toBeGreaterThan(20);
    const sum = (name: 'moved' | 'evicted' | 'shrunk'): number =>
      running.reduce((all, client) => all + client[name], 0);
    expect([sum('moved') > 0, sum('evicted') > 0, sum('shrunk') > 0]).toEqual([true, true, true]);
    await replica.launch();
    for (const follower of [survivor, replica]) await expectEqualDatasets(server, follower);
    await Promise.all([...stores, watcher].map((store) => store.close()));
  });
});
