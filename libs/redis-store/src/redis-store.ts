import type {
  AccessStore,
  ConversationStore,
  DecisionLog,
  EntryStore,
  FlightStore,
  GhostStore,
  NamespaceAdmin,
  PlanStore,
  PolicyEngine,
  RiskStore,
  VectorCache,
} from '@reprise/semantic-cache';
import type { Redis } from 'ioredis';
import { detectCapabilities, type StoreCapabilities } from './connection/capabilities.js';
import { type Client, openClient, primaries } from './connection/connections.js';
import { withDeadline } from './connection/deadline.js';
import { HealthBoard } from './connection/health-board.js';
import { Notifier } from './connection/notifier.js';
import type { RedisStoreOptions } from './connection/options.js';
import { loadLibraries } from './scripts/load-libraries.js';
import { ScriptRunner } from './scripts/script-runner.js';
import { RedisAccessStore } from './stores/access-store.adapter.js';
import { RedisConversationStore } from './stores/conversation-store.adapter.js';
import { RedisDecisionLog } from './stores/decision-log.adapter.js';
import { RedisEntryStore } from './stores/entry-store.adapter.js';
import { RedisFlightStore } from './stores/flight-store.adapter.js';
import { RedisGhostStore } from './stores/ghost-store.adapter.js';
import { RedisNamespaceAdmin } from './stores/namespace-admin.adapter.js';
import { RedisPlanStore } from './stores/plan-store.adapter.js';
import { RedisPolicyEngine } from './stores/policy-engine.adapter.js';
import { RedisRiskStore } from './stores/risk-store.adapter.js';
import { RedisVectorCache } from './stores/vector-cache.adapter.js';

export interface RedisStoreHealth {
  readonly up: boolean;
  /** Servers that count as down, and why. */
  readonly down: readonly { readonly server: string; readonly reason: string }[];
}

/** All store ports on one Redis. Every call of a port fails fast with a RepriseError while its server is down. */
export interface RedisStore {
  readonly entries: EntryStore;
  readonly flights: FlightStore;
  readonly conversations: ConversationStore;
  readonly decisions: DecisionLog;
  readonly access: AccessStore;
  readonly vectors: VectorCache;
  readonly admin: NamespaceAdmin;
  readonly policies: PolicyEngine;
  readonly plans: PlanStore;
  readonly ghosts: GhostStore;
  readonly risk: RiskStore;
  /** Connects and loads the functions; false when Redis is not there yet (the store goes on trying by itself). */
  connect(waitMs?: number): Promise<boolean>;
  /** Loads the function libraries on every primary where they are missing. */
  ensureLoaded(): Promise<void>;
  capabilities(): Promise<StoreCapabilities>;
  health(): RedisStoreHealth;
  close(): Promise<void>;
}

/** Every store port on Redis 8; nothing is connected before `connect`, and nothing throws from here. */
export function createRedisStore(options: RedisStoreOptions): RedisStore {
  const nowMs = (): number => options.clock?.nowMs() ?? Date.now();
  const form = options.form ?? 'fcall';
  const timeoutMs = options.commandTimeoutMs ?? 40;
  const adminTimeoutMs = options.adminTimeoutMs ?? 5000;
  const clients = { exact: openClient(options, 'exact'), vector: openClient(options, 'vector') };
  const subscriber = openClient(options, 'subscriber');
  const everyClient: readonly Client[] = [clients.exact, clients.vector, subscriber];
  for (const client of everyClient) client.on('error', () => undefined);

  const load = (servers: readonly Redis[]): Promise<void> =>
    form === 'fcall' ? loadLibraries(servers) : Promise.resolve();
  const board = new HealthBoard({
    clients: [clients.exact, clients.vector],
    load,
    onUp: () => admin.forgetRemembered(),
    nowMs,
    log: options.log,
    telemetry: options.telemetry,
  });
  // A connection that breaks between two calls is known before the next one asks.
  if (options.cluster === undefined) {
    for (const client of [clients.exact, clients.vector])
      client.on('close', () => board.whole().markDown('the connection is closed'));
  }
  const ensureLoaded = (): Promise<void> => load(primaries(clients.exact));
  const runner = new ScriptRunner({
    form,
    client: (lane) => clients[lane],
    healthOf: (key) => board.of(key),
    load: ensureLoaded,
    timeoutMs,
  });
  const admin = new RedisNamespaceAdmin(runner, clients.exact, adminTimeoutMs);

  return {
    entries: new RedisEntryStore(runner),
    flights: new RedisFlightStore(runner, new Notifier(subscriber), nowMs),
    conversations: new RedisConversationStore(runner),
    decisions: new RedisDecisionLog(runner),
    access: new RedisAccessStore(runner, clients.exact),
    vectors: new RedisVectorCache(runner, clients.vector),
    admin,
    policies: new RedisPolicyEngine(runner, adminTimeoutMs),
    plans: new RedisPlanStore(runner, adminTimeoutMs),
    ghosts: new RedisGhostStore(runner, adminTimeoutMs),
    risk: new RedisRiskStore(runner, adminTimeoutMs),
    ensureLoaded,
    async connect(waitMs = 2000) {
      subscriber.connect().catch(() => undefined);
      board.whole().markUnknown('not connected yet');
      const untilMs = Date.now() + waitMs;
      while (!(await board.whole().check())) {
        if (Date.now() >= untilMs) {
          board.whole().markDown(board.whole().reason ?? 'not connected');
          return false;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return true;
    },
    async capabilities() {
      const [server] = primaries(clients.exact);
      if (!server) throw new Error('Redis is not connected.');
      return withDeadline(detectCapabilities(server), adminTimeoutMs);
    },
    health() {
      const down = board.down();
      return { up: down.length === 0, down };
    },
    async close() {
      board.close();
      await Promise.all(everyClient.map(closeClient));
    },
  };
}

async function closeClient(client: Client): Promise<void> {
  if (client.status === 'ready') await withDeadline(client.quit(), 1000).catch(() => undefined);
  client.disconnect();
}
