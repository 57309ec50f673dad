import { createRng, silentTelemetry } from '@reprise/kernel';
import {
  ConversationFollower,
  encodeDossier,
  FEATURE_NAMES,
  FEATURE_VERSION,
  FEATURES,
  type PlanNote,
  textMarks,
} from '@reprise/policy';
import { type LabelRecord, LocalPlanner, type PlanDependencies, PlanRuns } from '@reprise/semantic-cache';
import { describe, expect, it } from 'vitest';
import { createMemoryStore, type MemoryStore } from './memory-store.js';

const ns = 'n';
const size = 8;
const everyMs = 30_000;

function unit(seed: number): Float32Array {
  const rng = createRng(seed);
  const vector = Float32Array.from({ length: size }, () => rng.next() - 0.5);
  return vector.map((value) => value / Math.hypot(...vector));
}

function label(n: number): LabelRecord {
  const rng = createRng(n + 1);
  const row = Float64Array.from({ length: FEATURES }, () => rng.next());
  return {
    ...{ requestId: `l${n}`, conversation: 'k', entryId: 'e', rule: 'budget', served: false },
    ...{ rejected: (row[FEATURE_NAMES.indexOf('similarity')] as number) > 0.5 ? 0 : 1 },
    ...{ judge: 'reference', rate: 1, snapshot: 0, featureVersion: FEATURE_VERSION, row },
  };
}

class World {
  nowMs = 1_000_000;
  readonly store: MemoryStore = createMemoryStore({ nowMs: () => this.nowMs });
  readonly runs = new PlanRuns();
  readonly told: string[] = [];
  private entries = 0;
  private labels = 0;

  async begin(entries: number, labels: number): Promise<this> {
    await this.store.admin.remember(ns, JSON.stringify({ capacity: 40, shares: { planned: 0.25, protected: 0 } }));
    await this.admit(entries);
    await this.judge(labels);
    return this;
  }

  async admit(count: number): Promise<void> {
    for (const n of Array.from({ length: count }, () => (this.entries += 1))) {
      const vector = unit(n);
      const follower = new ConversationFollower({ vector: new Float32Array(size), marks: textMarks('') });
      const state = follower.ask({ vector, marks: textMarks(`question ${n}`) });
      const dossier = encodeDossier({ state, reply: { vector, marks: textMarks('yes') } });
      await this.store.entries.admit(ns, {
        ...{ id: `e${n}`, requestId: `r${n}`, exactKey: `x${n}`, stratum: 's', vector, dossier, fingerprint: 'f' },
        ...{ firstTurn: true, historyKey: '', conversation: `c${n}`, answer: '{}', model: 'm', tags: [], user: '' },
        ...{ createdMs: this.nowMs, exactTtlMs: 1e9, semanticTtlMs: 1e9, maxAgeMs: 1e9, importance: 0, seed: n },
        ...{ promptTokens: 1, completionTokens: 1, costMicroUsd: 5 },
      });
    }
  }

  async judge(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.store.risk.observe(ns, label((this.labels += 1)));
  }

  /** Whether a planned tier was installed. */
  async run(change: Partial<PlanDependencies> = {}): Promise<boolean> {
    const { plans, policies, risk, admin } = this.store;
    const log = { write: (_level: string, text: string) => void this.told.push(text) };
    const deps = { plans, policies, risk, admin, log, planner: new LocalPlanner(), telemetry: silentTelemetry };
    const clock = { nowMs: () => this.nowMs };
    return (await this.runs.run({ ...deps, clock, ...change }, { everyMs })).installed === 1;
  }

  async later(): Promise<boolean> {
    this.nowMs += everyMs;
    return this.run();
  }

  async planned(): Promise<number> {
    return (await this.store.admin.stats(ns))['planned'] ?? 0;
  }
}

describe('recomputes of the planned tier', () => {
  it('wait for labels, and for more entries than fit', async () => {
    const world = await new World().begin(10, 60);
    expect(await world.run()).toBe(false);
    await world.admit(1);
    expect(await world.run()).toBe(true);
    expect(await world.planned()).toBe(10);
    const few = await new World().begin(20, 49);
    expect(await few.run()).toBe(false);
    await few.judge(1);
    expect(await few.run()).toBe(true);
  });

  it('are one in a while, and only for a reason', async () => {
    const world = await new World().begin(30, 60);
    expect(await world.run()).toBe(true);
    await world.admit(5);
    expect(await world.run()).toBe(false);
    expect(await world.later()).toBe(true);
    expect(await world.later()).toBe(false);
    await world.judge(300);
    expect(await world.later()).toBe(true);
    const { version, note } = await world.store.plans.head(ns);
    expect(version).toBe(3);
    expect((JSON.parse(note) as PlanNote).information).toBeGreaterThan(1);
  });

  it('read labels again only when there are new ones', async () => {
    const world = await new World().begin(30, 60);
    await world.run();
    let asked = 0;
    const { risk } = world.store;
    const counted = { read: (...given: Parameters<typeof risk.read>) => ((asked += 1), risk.read(...given)) };
    world.nowMs += everyMs;
    await world.run({ risk: counted });
    const first = asked;
    await world.run({ risk: counted });
    expect([first > 0, asked - first]).toEqual([true, 1]);
  });

  it('change nothing when another worker was faster', async () => {
    const world = await new World().begin(30, 60);
    const { policies, plans } = world.store;
    const slow = {
      ...new LocalPlanner(),
      begin: () => {
        const work = new LocalPlanner().begin();
        const choose: typeof work.choose = async (options) => {
          await policies.install(ns, { expectedVersion: 0, version: 7, planned: ['e3'], maxTrim: 0, seed: 1 });
          return work.choose(options);
        };
        return { ...work, choose };
      },
    };
    expect(await world.run({ planner: slow })).toBe(false);
    expect(await plans.head(ns)).toMatchObject({ version: 7, note: '' });
    expect(await world.planned()).toBe(1);
  });

  it('of two workers come to the same choice', async () => {
    const [a, b] = [await new World().begin(30, 60), await new World().begin(30, 60)];
    await a.run();
    await b.run();
    const top = async (world: World) =>
      (await world.store.admin.entries(ns, 0, 40)).filter(({ tier }) => tier === 'planned');
    expect(await top(a)).toHaveLength(10);
    expect((await top(a)).map(({ id }) => id)).toEqual((await top(b)).map(({ id }) => id));
  });

  it('say which namespace failed, and go on with the others', async () => {
    const world = await new World().begin(30, 60);
    await world.store.admin.remember('a', '{}');
    const { plans } = world.store;
    const broken = {
      ...{ page: plans.page.bind(plans), near: plans.near.bind(plans), note: plans.note.bind(plans) },
      head: (name: string) => (name === 'a' ? Promise.reject(new Error('away')) : plans.head(name)),
    };
    expect(await world.run({ plans: broken })).toBe(true);
    expect(world.told).toContain('planning: a namespace failed');
  });
});
