export { createReferenceJudge } from './reference-judge.js';
export { OwnCluster } from './redis-harness/own-cluster.js';
export { freePort, OwnServer } from './redis-harness/own-server.js';
export { findRedisBinary, findRedisCli, type RedisBinary } from './redis-harness/redis-binary.js';
export { openTestRedis, type TestRedis, uniqueNamespace } from './redis-harness/redis-harness.js';
