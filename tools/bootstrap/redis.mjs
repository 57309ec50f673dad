// Redis for people and tests: found or fetched, and started when it is not running yet.
export { findRedis, redisWays } from './redis-find.mjs';
export { startRedis } from './redis-server.mjs';
