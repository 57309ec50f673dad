import { storeContract } from '@reprise/testing/contracts';
import { openRedisStore } from './open-redis-store.js';

storeContract('redis, EVALSHA', () => openRedisStore('evalsha'));
