import type { createClient, createCluster } from 'redis';

/** A node-redis client, of one server or of a Cluster. */
export type CatalogClient = ReturnType<typeof createClient> | ReturnType<typeof createCluster>;
