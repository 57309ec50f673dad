import { afterAll, beforeAll } from 'vitest';
import { type DemoServer, startDemoServer } from '@reprise/upstream';
import { ask, chat, type ChatReply } from '../../e2e/support/chat.js';
import { eventually, type GatewayProcess, startGateway } from '../../e2e/support/process.js';
import { adminHash } from '../../e2e/support/suite.js';

/** Limits that a busy machine keeps while nothing is wrong, and that a fault reaches soon. */
export const shortPatience = {
  REPRISE_LIMITS__ADDED_LATENCY_MS: '1500',
  REPRISE_REDIS__COMMAND_TIMEOUT_MS: '1000',
  REPRISE_EMBEDDING__TIMEOUT_MS: '1000',
};

export interface Fleet {
  readonly upstream: DemoServer;
  readonly gateways: GatewayProcess[];
  readonly adminToken: string;
  readonly url: string;
  /** One more gateway with the fleet's settings and `env` over them. */
  start(env: Record<string, string | undefined>): Promise<GatewayProcess>;
}

/** An upstream, and gateways that tests start against Redis servers of their own; all are ended with the file. */
export function fleet(base: Record<string, string> = {}): Fleet {
  const gateways: GatewayProcess[] = [];
  let upstream: DemoServer | undefined;
  beforeAll(async () => {
    upstream = await startDemoServer(0);
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await upstream?.close();
  });
  return {
    get upstream() {
      return upstream as DemoServer;
    },
    gateways,
    adminToken: 'test-admin',
    get url() {
      return gateways[0]?.url ?? '';
    },
    async start(env) {
      const gateway = await startGateway({
        OPENAI_BASE_URL: upstream?.url,
        REPRISE_AUTH__ADMINTOKENHASH: adminHash,
        ...shortPatience,
        ...base,
        ...env,
      });
      gateways.push(gateway);
      return gateway;
    },
  };
}

export const questions = [
  'How do I reset my password?',
  '¿Cuándo abre la tienda?',
  'Где мой заказ?',
  '送料はいくらですか？',
];

/** Status, outcome, and reason without what was ignored. */
export const said = ({ status, cache, reason }: ChatReply): [number, string | null, string | undefined] => [
  status,
  cache,
  reason?.split(';')[0],
];

/** Every question once, in both forms. */
export async function askAll(url: string, space: Record<string, string> = {}): Promise<ChatReply[]> {
  const replies: ChatReply[] = [];
  for (const question of questions) {
    for (const stream of [false, true]) replies.push(await chat(url, ask(question, { stream }), space));
  }
  return replies;
}

export const ready = async (url: string): Promise<{ status: string; degraded: string[] }> =>
  (await (await fetch(`${url}/readyz`)).json()) as { status: string; degraded: string[] };

export const becomesReady = (gateway: GatewayProcess, ms = 20_000): Promise<void> =>
  eventually(
    async () => (await ready(gateway.url)).status === 'ready',
    ms,
    () => gateway.log,
  );
