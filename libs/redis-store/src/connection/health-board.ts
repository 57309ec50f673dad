import { Cluster, type Redis } from 'ioredis';
import { type Log, silentTelemetry, type Telemetry } from '@reprise/kernel';
import type { Client } from './connections.js';
import { withDeadline } from './deadline.js';
import { addressOf, ownerAddress, refreshOwners } from './slot-owner.js';
import { StoreHealth } from './store-health.js';

const probeTimeoutMs = 500;
/** A connection that does not answer this many probes in a row is replaced by a new one. */
const probesBeforeReconnect = 4;

export interface HealthBoardParts {
  /** The clients of the request path; all are probed. */
  readonly clients: readonly Client[];
  /** Loads the functions on these servers where they are missing. */
  readonly load: (servers: readonly Redis[]) => Promise<void>;
  readonly onUp: () => void;
  readonly nowMs: () => number;
  readonly log: Log | undefined;
  readonly telemetry: Telemetry | undefined;
}

/** The breakers: one for a single server, one a primary in a Cluster, so that one dead node costs only its own namespaces. */
export class HealthBoard {
  private readonly boards = new Map<string, StoreHealth>();
  private readonly silent = new Map<Client, number>();

  constructor(private readonly parts: HealthBoardParts) {}

  /** The breaker of the server that holds a key. */
  of(key: string): StoreHealth {
    const [first] = this.parts.clients;
    return this.named((first && ownerAddress(first, key)) ?? 'redis');
  }

  /** The one breaker that stands for the connection as a whole. */
  whole(): StoreHealth {
    return this.named('redis');
  }

  /** Servers that count as down, with the reason. */
  down(): { readonly server: string; readonly reason: string }[] {
    return [...this.boards.values()].flatMap((board) =>
      board.reason === undefined ? [] : [{ server: board.name, reason: board.reason }],
    );
  }

  close(): void {
    for (const board of this.boards.values()) board.close();
  }

  private named(name: string): StoreHealth {
    const known = this.boards.get(name);
    if (known) return known;
    const { nowMs, log, telemetry, onUp } = this.parts;
    const probe = (): Promise<void> => this.probe(name);
    const board = new StoreHealth({ name, probe, onUp, nowMs, log, telemetry: telemetry ?? silentTelemetry });
    this.boards.set(name, board);
    return board;
  }

  private async probe(name: string): Promise<void> {
    const servers = await Promise.all(this.parts.clients.map((client) => this.probeClient(client, name)));
    await withDeadline(this.parts.load(servers.flat()), 4 * probeTimeoutMs);
  }

  private async probeClient(client: Client, name: string): Promise<Redis[]> {
    try {
      if (client.status === 'wait') await withDeadline(client.connect(), probeTimeoutMs);
      const answered = client instanceof Cluster ? await pingNodes(client, name) : await pingServer(client);
      this.silent.set(client, 0);
      return answered;
    } catch (error) {
      this.giveUpSilent(client);
      throw error;
    }
  }

  /** A half-open connection never answers again: after some probes it is closed and opened anew. */
  private giveUpSilent(client: Client): void {
    if (client instanceof Cluster) {
      client.refreshSlotsCache(() => undefined);
      return;
    }
    const silent = (this.silent.get(client) ?? 0) + 1;
    this.silent.set(client, silent % probesBeforeReconnect);
    if (silent === probesBeforeReconnect && client.status === 'ready') client.disconnect(true);
  }
}

async function pingServer(client: Redis): Promise<Redis[]> {
  await withDeadline(client.ping(), probeTimeoutMs);
  return [client];
}

/** The primary at an address. A dead one falls out of the client's list and comes back with a look at the slots. */
async function primariesAt(client: Cluster, address: string): Promise<Redis[]> {
  const known = (): Redis[] => client.nodes('master').filter((node) => addressOf(node) === address);
  if (known().length > 0) return known();
  await refreshOwners(client);
  const owns = client.slots.some((nodes) => nodes?.[0] === address);
  if (known().length === 0 && owns) throw new Error('the node is not there');
  return known();
}

/** One primary by its address, or all of them. An address that is no primary any more has nothing to answer for. */
async function pingNodes(client: Cluster, name: string): Promise<Redis[]> {
  const masters = client.nodes('master');
  if (masters.length === 0) throw new Error('no primary is known');
  const asked = name === 'redis' ? masters : await primariesAt(client, name);
  await Promise.all(asked.map((node) => withDeadline(node.ping(), probeTimeoutMs)));
  return asked;
}
