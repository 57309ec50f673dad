// Redis for people and tests: found or fetched, and started when it is not running yet.
export { findRedis } from './redis-find.mjs';
export { startRedis } from './redis-server.mjs';
/** @typedef {import('./redis-find.mjs').RedisWay} RedisWay */
/** @typedef {import('./redis-find.mjs').FoundRedis} FoundRedis */
/** @typedef {import('./redis-server.mjs').RunningRedis} RunningRedis */
