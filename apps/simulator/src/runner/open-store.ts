import { randomBytes } from 'node:crypto';
import { createMemoryStore } from '@reprise/memory-store';
import { createRedisStore } from '@reprise/redis-store';
import type { RiskStore } from '@reprise/semantic-cache';
import { SimulatorError } from '../simulator-error.js';
import type { ReplayStore } from './chat-replay.js';
import { withExactNovelty } from './exact-novelty.js';

export interface StoreChoice {
  readonly store: 'memory' | 'redis';
  readonly redisUrl: string;
  /** How Redis is called; functions by default. */
  readonly form?: 'fcall' | 'evalsha';
}

export interface OpenReplayStore {
  readonly store: ReplayStore;
  /** A namespace that nobody else uses. */
  readonly ns: string;
  /** Redis lets keys expire by the real clock, so that a replay there begins now. */
  readonly startMs?: number;
  /** Where labels and models are kept; memory only. */
  readonly risk?: RiskStore;
  /** Removes what the replay has stored. */
  close(): Promise<void>;
}

/** Long enough for a server that others use too; no user waits here. */
const commandTimeoutMs = 10_000;

/** A fresh store for one replay. Throws a SimulatorError when Redis is not there. */
export async function openReplayStore({ store, redisUrl, form = 'fcall' }: StoreChoice): Promise<OpenReplayStore> {
  const ns = `simulate-${randomBytes(6).toString('hex')}`;
  if (store === 'memory') {
    const memory = createMemoryStore({ nowMs: () => 0 });
    const same = { ...memory, entries: withExactNovelty(memory.entries) };
    return { store: same, ns: 'simulate', risk: memory.risk, close: () => memory.close() };
  }
  const redis = createRedisStore({ url: redisUrl, form, commandTimeoutMs });
  if (!(await redis.connect(commandTimeoutMs))) {
    await redis.close();
    throw new SimulatorError(`no Redis 8 answers at ${redisUrl}; name one with --redis, or leave out --store redis.`);
  }
  const startMs = Date.now();
  const close = async (): Promise<void> => {
    await redis.admin.purge(ns, { all: true }, false, Date.now());
    await redis.close();
  };
  const { conversations, decisions, admin } = redis;
  return { store: { conversations, decisions, admin, entries: withExactNovelty(redis.entries) }, ns, startMs, close };
}
