import { Redis, ReplyError } from 'ioredis';

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
}

/** Asks one server. Rejects with a short sentence when it cannot be reached or does not answer. */
export async function probeRedis(url: string, timeoutMs: number): Promise<RedisFacts> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectionName: 'reprise-doctor',
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
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
    return await ask(client);
  } finally {
    client.disconnect();
  }
}

async function ask(client: Redis): Promise<RedisFacts> {
  const info = infoOf(await client.info());
  const driftMs = await driftOf(client);
  const [commands, modules, libraries] = await Promise.all([
    client.call('COMMAND', 'INFO', 'VADD', 'VSIM') as Promise<unknown[]>,
    listOf(client, 'MODULE'),
    listOf(client, 'FUNCTION'),
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
  };
}

/** An older server does not know functions, a hosted one may not tell its modules: what else it says is worth hearing. */
async function listOf(client: Redis, what: 'MODULE' | 'FUNCTION'): Promise<unknown[]> {
  try {
    return (await client.call(what, 'LIST')) as unknown[];
  } catch (error) {
    if (error instanceof ReplyError) return [];
    throw error;
  }
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
