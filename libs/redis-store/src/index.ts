export type { NodeAddress, RedisStoreOptions } from './connection/options.js';
export { baseKey } from './keys.js';
export { createRedisStore, type RedisStore } from './redis-store.js';
