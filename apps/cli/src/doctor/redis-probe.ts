import { Redis } from 'ioredis';

/** What one Redis server says of itself. */
export interface RedisFacts {
  readonly version: string;
  /** Whether it knows VADD and VSIM. */
  readonly vectorSets: boolean;
  readonly modules: readonly string[];
  /** Names of the function libraries that are loaded. */
  readonly libraries: readonly string[];
  readonly memoryPolicy: string;
  readonly usedBytes: number;
  /** Configured limit; 0 = none. */
  readonly maxBytes: number;
  readonly machineBytes: number;
  /** Its clock minus ours, half a round trip taken off. */
  readonly driftMs: number;
  readonly role: string;
  readonly clustered: boolean;
  readonly deadLetters: readonly { readonly queue: string; readonly count: number }[];
}

export interface ProbeOptions {
  /** Prefix of the keys of BullMQ. */
  readonly queuePrefix: string;
  /** Longest wait for one answer. */
  readonly timeoutMs: number;
}

const SCAN_COUNT = 1_000;
const SCAN_CALLS = 500;

/** Asks one server. Rejects with a short sentence when it cannot be reached or does not answer. */
export async function probeRedis(url: string, options: ProbeOptions): Promise<RedisFacts> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectionName: 'reprise-doctor',
    connectTimeout: options.timeoutMs,
    commandTimeout: options.timeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Without a listener a refused connection is printed with its stack.
  let refused: Error | undefined;
  client.on('error', (error: Error) => (refused = error));
  try {
    await client.connect().catch((error: unknown) => {
      throw refused ?? error;
    });
    return await ask(client, options);
  } finally {
    client.disconnect();
  }
}

async function ask(client: Redis, { queuePrefix }: ProbeOptions): Promise<RedisFacts> {
  const info = infoOf(await client.info());
  const driftMs = await driftOf(client);
  const [commands, modules, libraries] = await Promise.all([
    client.call('COMMAND', 'INFO', 'VADD', 'VSIM') as Promise<unknown[]>,
    client.call('MODULE', 'LIST') as Promise<unknown[]>,
    client.call('FUNCTION', 'LIST') as Promise<unknown[]>,
  ]);
  return {
    version: info['redis_version'] ?? 'unknown',
    vectorSets: commands.every((command) => command !== null),
    modules: modules.map((module) => memberOf(module, 'name')),
    libraries: libraries.map((library) => memberOf(library, 'library_name')),
    memoryPolicy: info['maxmemory_policy'] ?? 'unknown',
    usedBytes: Number(info['used_memory'] ?? 0),
    maxBytes: Number(info['maxmemory'] ?? 0),
    machineBytes: Number(info['total_system_memory'] ?? 0),
    driftMs,
    role: info['role'] ?? 'unknown',
    clustered: info['cluster_enabled'] === '1',
    deadLetters: await deadLettersOf(client, queuePrefix),
  };
}

function infoOf(text: string): Record<string, string> {
  const pairs = text.split(/\r?\n/).flatMap((line) => {
    const at = line.indexOf(':');
    return at > 0 ? [[line.slice(0, at), line.slice(at + 1)] as const] : [];
  });
  return Object.fromEntries(pairs);
}

/** A member of a map, which comes as a list of names and values or as an object, by protocol version. */
function memberOf(map: unknown, name: string): string {
  if (Array.isArray(map)) return String(map[map.indexOf(name) + 1] ?? '');
  return String((map as Record<string, unknown> | null)?.[name] ?? '');
}

/** The smallest of a few round trips bounds the error by half of itself. */
async function driftOf(client: Redis): Promise<number> {
  let best = { roundTripMs: Infinity, driftMs: 0 };
  for (let i = 0; i < 5; i++) {
    const beforeMs = Date.now();
    const startedMs = performance.now();
    const [seconds, micros] = (await client.time()).map(Number);
    const roundTripMs = performance.now() - startedMs;
    const theirsMs = (seconds ?? 0) * 1_000 + (micros ?? 0) / 1_000;
    if (roundTripMs < best.roundTripMs) best = { roundTripMs, driftMs: theirsMs - beforeMs - roundTripMs / 2 };
  }
  return best.driftMs;
}

/** Failed jobs that BullMQ keeps, by queue; looks at no more keys than a bounded scan returns. */
async function deadLettersOf(client: Redis, prefix: string): Promise<{ queue: string; count: number }[]> {
  const found = new Map<string, number>();
  let cursor = '0';
  for (let calls = 0; calls < SCAN_CALLS; calls++) {
    const [next, keys] = (await client.call(
      'SCAN',
      cursor,
      'MATCH',
      `*${prefix}*:failed`,
      'COUNT',
      SCAN_COUNT,
      'TYPE',
      'zset',
    )) as [string, string[]];
    for (const key of keys) found.set(key.split(':').at(-2) ?? key, await client.zcard(key));
    cursor = next;
    if (cursor === '0') break;
  }
  return [...found].filter(([, count]) => count > 0).map(([queue, count]) => ({ queue, count }));
}
