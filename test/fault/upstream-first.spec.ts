import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, chat, type ChatReply, ownSpace } from '../e2e/support/chat.js';
import { eventually, type GatewayProcess } from '../e2e/support/process.js';
import { type OwnRedis, startRedis } from '../e2e/support/redis.js';
import { startSwitch, type SwitchUpstream } from '../e2e/support/switch-upstream.js';
import { GatedRedis } from './support/gated-redis.js';
import { becomesReady, fleet, said } from './support/gateways.js';

/**
 * Case 30 in kind: while Redis or the embedder does not answer, no request waits for it to come back. The fault is in
 * force from before the request until the whole answer is there, so an answer shows that the upstream was asked without
 * them, from the first request on. How many milliseconds the waiting took: npm run bench -- --only fault.
 */
const f = fleet();

const followUp = (text: string, then: string) => ({
  ...ask(text),
  messages: [
    { role: 'user', content: text },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: then },
  ],
});

/** Each new to the cache, in every form; `at` keeps them apart. */
const requests = (at: string): [kind: string, body: Record<string, unknown>][] => [
  ['JSON', ask(`How do I paint a wooden fence? ${at}`)],
  ['a stream', ask(`Wie streiche ich einen Holzzaun? ${at}`, { stream: true })],
  ['a follow-up', followUp(`木の柵はどう塗りますか？ ${at}`, '色は選べますか？')],
  ['a follow-up, streamed', { ...followUp(`¿Cómo pinto una valla? ${at}`, '¿Y cuánto tarda?'), stream: true }],
];

const whole = (reply: ChatReply): boolean =>
  reply.text.endsWith('data: [DONE]\n\n') || (reply.content ?? '').length > 0;

interface Setting {
  readonly redis: OwnRedis;
  readonly flag: string;
}

interface Fault {
  readonly name: string;
  readonly before?: (setting: Setting) => unknown;
  readonly strike?: (setting: Setting) => unknown;
  readonly cache: 'bypass' | 'miss';
  readonly reasons: readonly string[];
}

const hang = ({ flag }: Setting): void => writeFileSync(flag, '');
const pause = ({ redis }: Setting): void => redis.signal('SIGSTOP');
const away = ['cache-slow', 'cache-unavailable'];
const hung = ['embedder-timeout', 'embedder-unavailable', 'embedder-busy', 'follow-up'];

const faults: readonly Fault[] = [
  { name: 'Redis killed', strike: ({ redis }) => redis.stop('SIGKILL'), cache: 'bypass', reasons: away },
  { name: 'Redis paused', strike: pause, cache: 'bypass', reasons: away },
  {
    name: 'Redis not there at the start',
    before: ({ redis }) => redis.stop('SIGKILL'),
    cache: 'bypass',
    reasons: away,
  },
  { name: 'the embedder hung', strike: hang, cache: 'miss', reasons: hung },
  {
    name: 'Redis paused and the embedder hung',
    strike: (setting) => {
      hang(setting);
      pause(setting);
    },
    cache: 'bypass',
    reasons: away,
  },
];

describe('case 30: the upstream is asked while the fault lasts', () => {
  let upstream: SwitchUpstream;
  beforeAll(async () => {
    upstream = await startSwitch(f.upstream.url);
  });
  afterAll(() => upstream.close());

  it.each(faults)('$name: the first request of each kind and the next ones', async (fault) => {
    const redis = await startRedis();
    const setting = { redis, flag: join(mkdtempSync(join(tmpdir(), 'reprise-hang-')), 'hang') };
    const space = ownSpace('upstream-first');
    try {
      await fault.before?.(setting);
      const gateway = await f.start({
        REDIS_URL: redis.url,
        OPENAI_BASE_URL: upstream.url,
        REPRISE_TEST_EMBEDDER_HANG: setting.flag,
      });
      if (fault.before === undefined) {
        await becomesReady(gateway);
        expect((await chat(gateway.url, ask('Is it warm?'), space)).cache).toBe('miss');
      }
      await fault.strike?.(setting);
      for (const round of ['A', 'B']) {
        for (const [kind, body] of requests(round)) {
          const before = upstream.seen();
          const reply = await chat(gateway.url, body, space);
          const context = `${kind} ${round}: ${reply.text.slice(0, 200)}`;
          expect([reply.status, reply.cache], context).toEqual([200, fault.cache]);
          expect(fault.reasons, context).toContain(said(reply)[2]);
          expect([upstream.seen() - before, whole(reply)], context).toEqual([1, true]);
        }
      }
    } finally {
      rmSync(setting.flag, { force: true });
      await redis.stop('SIGKILL');
    }
  });
});

describe('case 30: limits.addedLatencyMs is what bounds the wait', () => {
  it('one gateway with the shipped limit has answered while another with the longest one still waits for Redis', async () => {
    const redis = await startRedis();
    const [own, others] = [await startSwitch(f.upstream.url), await startSwitch(f.upstream.url)];
    try {
      const longest = '10000';
      const waits = {
        REPRISE_LIMITS__ADDED_LATENCY_MS: longest,
        REPRISE_REDIS__COMMAND_TIMEOUT_MS: longest,
        REPRISE_EMBEDDING__TIMEOUT_MS: longest,
      };
      const shipped = Object.fromEntries(Object.keys(waits).map((name) => [name, undefined]));
      const patient = await f.start({ REDIS_URL: redis.url, OPENAI_BASE_URL: others.url, ...waits });
      const quick = await f.start({ REDIS_URL: redis.url, OPENAI_BASE_URL: own.url, ...shipped });
      const known = ask('How do I paint a wooden fence?');
      await chat(patient.url, known);
      expect((await chat(patient.url, known)).cache).toBe('hit-exact');
      const [asked, before] = [others.seen(), own.seen()];
      redis.signal('SIGSTOP');
      const waiting = chat(patient.url, known);
      const reply = await chat(quick.url, known);
      expect([reply.status, reply.cache, whole(reply)]).toEqual([200, 'bypass', true]);
      expect([own.seen() - before, others.seen() - asked]).toEqual([1, 0]);
      redis.signal('SIGCONT');
      expect((await waiting).cache).toBe('hit-exact');
      expect(others.seen()).toBe(asked);
    } finally {
      await redis.stop('SIGKILL');
      await Promise.all([own.close(), others.close()]);
    }
  });
});

describe('case 30: Redis stops answering in the middle of a request', () => {
  let redis: OwnRedis;
  let gate: GatedRedis;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    redis = await startRedis();
    gate = await GatedRedis.start(redis.port);
    gateway = await f.start({
      REDIS_URL: gate.url,
      REPRISE_CACHE__SINGLE_FLIGHT__LEASE_MS: '60000',
      REPRISE_CACHE__SINGLE_FLIGHT__MAX_WAIT_MS: '600000',
    });
  });
  afterAll(async () => {
    await gate.stop();
    await redis.stop('SIGKILL');
  });

  const similar = ['How do I reset my password?', 'How can I reset my password?'] as const;
  it.each<[command: string, body: Record<string, unknown>]>([
    ['sismember', ask('Is there a fence?')],
    ['exact', ask('Is there a fence?')],
    ['conversation_join', followUp('Is there a fence?', 'And a gate?')],
    ['lookup', ask('Is there a fence?')],
    ['serve', ask(similar[1])],
    ['flight_acquire', ask('Is there a fence?')],
    ['admit', ask('Is there a fence?')],
    ['flight_complete', ask('Is there a fence?')],
    ['decision_record', ask('Is there a fence?')],
  ])('in front of %s: the answer comes, in both forms', async (command, body) => {
    for (const stream of [false, true]) {
      const space = ownSpace('gate');
      await chat(gateway.url, ask(similar[0]), space);
      gate.shutBefore(new RegExp(command === 'sismember' ? command : `\\brp_${command}_\\d`));
      const reply = await chat(gateway.url, { ...body, stream }, space);
      expect([reply.status, whole(reply)], reply.text).toEqual([200, true]);
      expect(reply.cache).toMatch(/^(?:miss|bypass)$/);
      await eventually(() => gate.shut);
      gate.open();
      await becomesReady(gateway);
      // Nor does anybody wait for a flight that Redis opened when it came back: its lease is longer than this test.
      const again = [await chat(gateway.url, { ...body, stream }, space), await chat(gateway.url, body, space)];
      expect(again.map((next) => next.status)).toEqual([200, 200]);
      expect(again[1]?.cache).toMatch(/^hit-/);
    }
  });
});
