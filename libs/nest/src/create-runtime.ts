import { randomBytes } from 'node:crypto';
import type { Catalog } from '@reprise/catalog';
import {
  type AppConfig,
  effectivePolicy,
  costMicroUsd,
  judgeModel,
  type NamespacePolicy,
  parseNamespacePolicy,
  policyForRoute,
  priceOf,
  upstreamKind,
} from '@reprise/config';
import { createTransformersEmbedder, createUnavailableEmbedder, type ManagedEmbedder } from '@reprise/embeddings';
import type { Clock, Log, Telemetry } from '@reprise/kernel';
import { createLog, createTelemetry } from '@reprise/observability';
import { createJobProducer, createQueueAdmin, type QueueAdminOptions } from '@reprise/queues';
import { createRedisStore } from '@reprise/redis-store';
import {
  AgentMemory,
  createLlmJudge,
  DossierCache,
  defaultLayout,
  EmbedAhead,
  NamespaceRoll,
  PolicyCache,
  type PolicyRules,
  RiskSnapshots,
  SemanticCache,
  type UpstreamModel,
} from '@reprise/semantic-cache';
import { createDemoUpstream, createOpenAiUpstream } from '@reprise/upstream';
import type { Runtime } from './runtime.js';
import { seedOf, seedSecret } from './seed-secret.js';

export const version = '0.1.0';

/** How long the inputs of a decision can be asked for. */
const decisionKeepMs = 60 * 60 * 1000;
/** Newest messages of a history that are embedded; older ones weigh less than .75^32. */
const historyMessages = 32;

/** No request waits for a worker: a slow answer of Redis is better than a job that is tried again. */
const workerCommandTimeoutMs = 2_000;

/** Share of `limits.addedLatencyMs` that may be spent on waiting; the rest is for the gateway's own work. */
const waitShare = 0.85;

const clock: Clock = { nowMs: () => Date.now() };

/** Binds every port to its adapter. Never throws for a Redis or a model that is away: the process starts degraded. */
export async function createRuntime(config: AppConfig, name: 'gateway' | 'worker'): Promise<Runtime> {
  const { log, flush } = createLog({
    level: config.log.level,
    name,
    ...(config.log.pretty === undefined ? {} : { pretty: config.log.pretty }),
  });
  const metrics = createTelemetry({ version, processMetrics: config.telemetry.processMetrics });
  const { telemetry } = metrics;
  const store = createRedisStore({
    url: config.redis.url,
    ...(config.redis.cluster === undefined ? {} : { cluster: config.redis.cluster.map((node) => addressOf(node)) }),
    ...(config.redis.sentinels === undefined
      ? {}
      : {
          sentinels: config.redis.sentinels.map((node) => addressOf(node, 26379)),
          sentinelName: config.redis.sentinelName,
        }),
    form: config.redis.form,
    commandTimeoutMs: name === 'worker' ? workerCommandTimeoutMs : config.redis.commandTimeoutMs,
    log,
    telemetry,
  });
  await store.connect();
  const embedder =
    name === 'gateway' ? await openEmbedder(config, log, telemetry) : createUnavailableEmbedder('not used by workers');
  if (name === 'gateway') watchEmbedder(metrics, embedder);
  const upstream = openUpstream(config);
  const address = {
    url: config.redis.url,
    ...(config.redis.cluster === undefined ? {} : { cluster: config.redis.cluster }),
    ...(config.redis.sentinels === undefined
      ? {}
      : { sentinels: config.redis.sentinels, sentinelName: config.redis.sentinelName }),
  };
  const jobs = createJobProducer({
    ...address,
    prefix: config.queues.prefix,
    log,
    telemetry,
    judgeWaiting: config.judge.waiting,
  });
  const judges = name === 'worker' ? openJudge(config, upstream) : undefined;
  let opened: Promise<Catalog> | undefined;
  // Imported where it is first used: redis-om and its client take 25 MB of memory that a gateway can do without.
  const openCatalog = async (): Promise<Catalog> =>
    (await import('@reprise/catalog')).createCatalog({ ...address, log, telemetry });
  const secret = seedSecret(config);
  const policies = new PolicyCache(policyRules(config));
  const dependencies = {
    store: store.entries,
    conversations: store.conversations,
    decisions: store.decisions,
    admin: store.admin,
    risk: store.risk,
    embedder,
    jobs,
    policies,
    ahead: new EmbedAhead(),
    snapshots: new RiskSnapshots(store.risk, telemetry, log),
    dossiers: new DossierCache(),
    roll: new NamespaceRoll(),
    clock,
    telemetry,
    log,
    limits: {
      addedLatencyMs: config.limits.addedLatencyMs * waitShare,
      jsonDepth: config.limits.jsonDepth,
      maxMessages: config.limits.maxMessages,
      semanticMaxChars: config.limits.semanticMaxChars,
      historyMessages,
      decisionKeepMs,
    },
    layout: defaultLayout,
    newId: () => `e_${randomBytes(9).toString('base64url')}`,
    seed: (ns: string, requestId: string) => seedOf(secret, ns, requestId),
    judged: judgeModel(config) !== undefined,
    // Request ids are made by gateways, so that no caller can choose its coin.
    labelSecret: secret,
  };
  return {
    config,
    clock,
    log,
    telemetry,
    entries: store.entries,
    flights: store.flights,
    conversations: store.conversations,
    decisions: store.decisions,
    access: store.access,
    admin: store.admin,
    ghosts: store.ghosts,
    risk: store.risk,
    plans: store.plans,
    policies: store.policies,
    forgetJobs: (namespaces, conversation) =>
      forgetJobs({ ...address, prefix: config.queues.prefix }, namespaces, conversation),
    embedder,
    upstream,
    jobs,
    judge: judges?.judge,
    catalog: () => (opened ??= openCatalog()),
    cache: new SemanticCache(dependencies),
    memory: new AgentMemory({ ...dependencies, engine: store.policies, memoryEviction: config.memory.eviction }),
    degraded: () => [
      ...(store.health().up ? [] : ['cache-unavailable']),
      ...(name === 'worker' || embedder.healthy() ? [] : ['embedder-unavailable']),
    ],
    metricsText: () => metrics.render(),
    setGauge: metrics.setGauge,
    close: async () => {
      await jobs.close();
      await (await opened)?.close();
      await upstream.close();
      await judges?.close();
      await embedder.close();
      await store.close();
      flush();
    },
  };
}

/** Purges are rare: the queues are opened for one and closed again. */
async function forgetJobs(
  options: QueueAdminOptions,
  namespaces: readonly string[],
  conversation?: string,
): Promise<boolean> {
  const queues = createQueueAdmin(options);
  try {
    for (const ns of namespaces) if (!(await queues.forget(ns, conversation)).ok) return false;
    return true;
  } finally {
    await queues.close();
  }
}

function openEmbedder(config: AppConfig, log: Log, telemetry: Telemetry): Promise<ManagedEmbedder> {
  const {
    modelDir = '.cache/model',
    dtype,
    threads,
    queueLimit,
    timeoutMs,
    cacheEntries,
    maxChars,
    hang,
  } = config.embedding;
  const sizes = { queueLimit, timeoutMs, cacheEntries, maxChars };
  return createTransformersEmbedder({
    modelDir,
    dtype,
    ...sizes,
    ...(threads === undefined ? {} : { threads }),
    hang,
    log,
    telemetry,
  });
}

/** The embedder's figures, read at every scrape. */
function watchEmbedder({ watchGauge }: ReturnType<typeof createTelemetry>, embedder: ManagedEmbedder): void {
  watchGauge('reprise_embed_queue', () => embedder.state().pending);
  watchGauge('reprise_embed_workers', () => embedder.state().workersReady);
  watchGauge('reprise_embed_cache_entries', () => embedder.state().cacheEntries);
  watchGauge('reprise_embed_cache_bytes', () => embedder.state().cacheBytes);
}

function addressOf(url: string, usualPort = 6379): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || usualPort) };
}

function openUpstream(config: AppConfig): UpstreamModel {
  const { upstream } = config;
  if (upstreamKind(config) === 'demo') return createDemoUpstream({ latency: upstream.demo });
  return createOpenAiUpstream({
    baseUrl: upstream.baseUrl ?? 'https://api.openai.com/v1',
    ...(upstream.apiKey === undefined ? {} : { apiKey: upstream.apiKey }),
    connectTimeoutMs: upstream.connectTimeoutMs,
    headersTimeoutMs: upstream.headersTimeoutMs,
    bodyTimeoutMs: upstream.bodyTimeoutMs,
    retry: { connectAttempts: upstream.retries },
  });
}

/** The judge that the configuration names; it never sends the upstream's key to another address. */
function openJudge(config: AppConfig, upstream: UpstreamModel) {
  const model = judgeModel(config);
  if (model === undefined) return undefined;
  const { baseUrl, apiKey, timeoutMs } = config.judge;
  const own = baseUrl !== undefined || apiKey !== undefined || upstreamKind(config) === 'demo';
  const asked = own ? openJudgeUpstream(config) : upstream;
  const price = priceOf(config, model);
  const judge = createLlmJudge({
    upstream: asked,
    model,
    timeoutMs,
    newCall: () => randomBytes(16).toString('hex'),
    costMicroUsd: (prompt, written) => costMicroUsd(price, prompt, written),
  });
  return { judge, close: async () => (own ? asked.close() : undefined) };
}

function openJudgeUpstream({ judge, upstream }: AppConfig): UpstreamModel {
  const { baseUrl, apiKey, timeoutMs } = judge;
  if (baseUrl === undefined && apiKey === undefined)
    return createDemoUpstream({ latency: { firstTokenMs: 0, tokensPerSecond: 0 } });
  const key = apiKey ?? (baseUrl === undefined ? upstream.apiKey : undefined);
  return createOpenAiUpstream({
    baseUrl: baseUrl ?? upstream.baseUrl ?? 'https://api.openai.com/v1',
    ...(key === undefined ? {} : { apiKey: key }),
    connectTimeoutMs: upstream.connectTimeoutMs,
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
    retry: { connectAttempts: 0 },
  });
}

/** The configuration's policies, each tenant's made once. */
function policyRules(config: AppConfig): PolicyRules {
  const made = new Map<string, NamespacePolicy>();
  const rules: PolicyRules<NamespacePolicy> = {
    base: (tenant) => {
      const listed = config.auth.tenants.some(({ name }) => name === tenant) ? tenant : '';
      const known = made.get(listed) ?? effectivePolicy(config, listed);
      made.set(listed, known);
      return known;
    },
    merge: (stored, base) => {
      const parsed = parseNamespacePolicy(stored, base);
      return parsed.ok ? parsed.value : undefined;
    },
    route: (policy, model) => policyForRoute(policy, { path: '/v1/chat/completions', model }),
  };
  return rules as unknown as PolicyRules;
}
