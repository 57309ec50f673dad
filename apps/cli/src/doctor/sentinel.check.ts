import type { AppConfig } from '@reprise/config';
import { Redis } from 'ioredis';
import { causeOf } from '../gateway/chat-client.js';
import { fail, type Finding, fine, warn } from './finding.js';

const NAME = 'sentinel';
const ADVICE = 'Correct redis.sentinels and redis.sentinelName, or look at the sentinels themselves.';

type SentinelConfig = Pick<AppConfig['redis'], 'url' | 'sentinels' | 'sentinelName'>;

/** Where one sentinel says that the primary is, as host:port, or why it does not say. */
export interface SentinelAnswer {
  readonly sentinel: string;
  readonly primary?: string;
  readonly problem?: string;
}

/** Asks each sentinel for the primary; gives its address with the credentials of `redis.url`, when one is known. */
export async function checkSentinels(
  config: SentinelConfig,
  timeoutMs: number,
): Promise<{ readonly finding: Finding; readonly url?: string }> {
  const { sentinels = [], sentinelName } = config;
  const answers = await Promise.all(sentinels.map((sentinel) => askOne(sentinel, sentinelName, timeoutMs)));
  const finding = judgeSentinels(answers, sentinelName);
  const primary = answers.find((answer) => answer.primary !== undefined)?.primary;
  if (primary === undefined) return { finding };
  const url = new URL(config.url);
  url.host = primary;
  return { finding, url: url.href };
}

export function judgeSentinels(answers: readonly SentinelAnswer[], name: string): Finding {
  const known = answers.filter(({ primary }) => primary !== undefined);
  const places = new Set(known.map(({ primary }) => primary));
  const says = `${known.length} of ${answers.length} know ${name}${known.length === 0 ? '' : ` at ${[...places].join(' and ')}`}`;
  const problems = answers.flatMap(({ sentinel, problem }) =>
    problem === undefined ? [] : [`${sentinel}: ${problem}`],
  );
  const whole = [says, ...problems].join('; ');
  if (known.length === 0) return fail(NAME, whole, ADVICE);
  if (places.size > 1)
    return warn(NAME, whole, 'They do not agree: a failover is under way, or they watch different servers.');
  return problems.length > 0 ? warn(NAME, whole, ADVICE) : fine(NAME, whole);
}

async function askOne(address: string, name: string, timeoutMs: number): Promise<SentinelAnswer> {
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const sentinel = `${hostname}:${port || '26379'}`;
  const client = new Redis({
    host,
    port: Number(port || 26379),
    lazyConnect: true,
    connectionName: 'reprise-doctor',
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let refused: Error | undefined;
  client.on('error', (error: Error) => (refused = error));
  try {
    await client.connect();
    const found = (await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)) as [string, string] | null;
    if (found === null) return { sentinel, problem: `it does not watch ${name}` };
    const [primary, at] = found.map(String);
    return { sentinel, primary: `${primary?.includes(':') === true ? `[${primary}]` : primary}:${at}` };
  } catch (error) {
    return { sentinel, problem: causeOf(refused ?? error) };
  } finally {
    client.disconnect();
  }
}
