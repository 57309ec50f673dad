export type { StoreCapabilities } from './connection/capabilities.js';
export type { NodeAddress, RedisStoreOptions } from './connection/options.js';
export { baseKey } from './keys.js';
export { createRedisStore, type RedisStore, type RedisStoreHealth } from './redis-store.js';
