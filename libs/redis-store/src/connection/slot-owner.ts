import calculateSlot from 'cluster-key-slot';
import { Cluster, type Redis } from 'ioredis';
import type { Client } from './connections.js';

export const addressOf = (node: Redis): string => `${node.options.host}:${node.options.port}`;

/** `host:port` of the primary that holds a key's slot; undefined while the Cluster is not known yet. */
export function ownerAddress(client: Client, key: string): string | undefined {
  return client instanceof Cluster ? client.slots[calculateSlot(key)]?.[0] : undefined;
}

/**
 * The connection to the server that holds a key.
 *
 * Functions go to a Cluster's nodes directly and never follow ASK: while a slot moves, the new node answers for keys that it has
 * not got yet as if they did not exist, and a function that writes there would tear its namespace in two.
 */
export function ownerOf(client: Client, key: string): Redis {
  if (!(client instanceof Cluster)) return client;
  const address = ownerAddress(client, key);
  const node = client.nodes('all').find((one) => addressOf(one) === address);
  if (!node) throw new Error('The owner of the slot is not known.');
  return node;
}

/** Asks the Cluster anew who holds which slot. */
export function refreshOwners(client: Client): Promise<void> {
  if (!(client instanceof Cluster)) return Promise.resolve();
  return new Promise((resolve) => client.refreshSlotsCache(() => resolve()));
}
