import { afterAll, beforeAll } from 'vitest';
import { type DemoServer, startDemoServer } from '@reprise/upstream';
import { type GatewayProcess, startGateway } from './process.js';
import { type OwnRedis, startRedis } from './redis.js';

export interface Suite {
  readonly upstream: DemoServer;
  readonly gateways: readonly GatewayProcess[];
  /** The first gateway's URL. */
  readonly url: string;
  readonly adminToken: string;
  readonly redisUrl: string;
}

/** The server that `npm test` prepared. */
function sharedRedis(): string {
  const url = process.env['TEST_REDIS_URL'];
  if (url === undefined) throw new Error('TEST_REDIS_URL names no Redis; run the tests by `npm test`');
  return url;
}

/**
 * One upstream and `count` gateways on one Redis, the shared or an own one, for a whole file. Time limits are wide: these suites test what is
 * answered, not how fast; the fault suites set the product's own limits.
 */
export function suite(env: Record<string, string> = {}, count = 1, on: 'shared' | 'own' = 'shared'): Suite {
  const state: { upstream?: DemoServer; gateways: GatewayProcess[]; redis?: OwnRedis } = { gateways: [] };
  beforeAll(async () => {
    state.upstream = await startDemoServer(0);
    if (on === 'own') state.redis = await startRedis();
    for (let at = 0; at < count; at++) {
      state.gateways.push(
        await startGateway({
          REDIS_URL: state.redis?.url ?? sharedRedis(),
          OPENAI_BASE_URL: state.upstream.url,
          REPRISE_AUTH__ADMINTOKENHASH: adminHash,
          ...patient,
          ...env,
        }),
      );
    }
  });
  afterAll(async () => {
    await Promise.all(state.gateways.map((gateway) => gateway.stop()));
    await state.upstream?.close();
    await state.redis?.stop();
  });
  return {
    get upstream() {
      return state.upstream as DemoServer;
    },
    get gateways() {
      return state.gateways;
    },
    get url() {
      return (state.gateways[0] as GatewayProcess).url;
    },
    adminToken: 'test-admin',
    get redisUrl() {
      return state.redis?.url ?? sharedRedis();
    },
  };
}

/** sha256 of `test-admin`. */
export const adminHash = 'db09d473d4b6461b91bfa47e4fed3ef55e0234df4132ca7a827b0a69e8927cac';

/** Limits that a busy machine cannot reach. */
export const patient = {
  REPRISE_LIMITS__ADDEDLATENCYMS: '5000',
  REPRISE_REDIS__COMMANDTIMEOUTMS: '4000',
  REPRISE_EMBEDDING__TIMEOUTMS: '4000',
};
