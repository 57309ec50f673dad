import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, startDemoServer } from '@reprise/upstream';
import { metric, namespaceOf, onNamespace } from './support/admin.js';
import { ask, chat, type ChatReply, ownSpace, post } from './support/chat.js';
import { openPlain } from './support/key-dump.js';
import { eventually, type GatewayProcess, startGateway } from './support/process.js';
import { wholeText } from './support/streams.js';
import { adminHash, patient } from './support/suite.js';
import { passOn, startSwitch, type SwitchUpstream } from './support/switch-upstream.js';

/** Two gateways; the upstream keeps an answer back until the test lets it go. */
let demo: DemoServer;
let upstream: SwitchUpstream;
let gateways: GatewayProcess[];
let redis: Redis;

beforeAll(async () => {
  demo = await startDemoServer(0);
  upstream = await startSwitch(demo.url);
  const env = {
    REDIS_URL: process.env['TEST_REDIS_URL'],
    OPENAI_BASE_URL: upstream.url,
    REPRISE_AUTH__ADMINTOKENHASH: adminHash,
    ...patient,
  };
  gateways = await Promise.all([startGateway(env), startGateway(env)]);
  redis = await openPlain();
});
afterAll(async () => {
  await redis.quit();
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await upstream.close();
  await demo.close();
});

const at = (place: number): string => gateways[place]?.url ?? '';
type Space = Record<string, string>;
const target = () => ({ url: at(1), adminToken: 'test-admin' });
const purge = (space: Space, filter: object): Promise<unknown> =>
  onNamespace(target(), namespaceOf(space), 'purge', 'POST', { dry_run: false, ...filter });

const questions = [
  'How do I bleed a radiator that stays cold?',
  'Wie entlüfte ich einen Heizkörper, der kalt bleibt?',
  '冷たいままの暖房器の空気抜きはどうしますか？',
];
const words = { 'x-reprise-tags': 'news,a-b', 'x-reprise-conversation': 'talk-1' };
const extra = { user: 'user-1' };
const isCached = async (body: unknown, space: Space): Promise<boolean> =>
  (await chat(at(1), body, { ...space, 'cache-control': 'only-if-cached' })).status === 200;
const rejected = async (reason: string): Promise<number> => {
  const samples = await metric(at(0), 'reprise_admissions_total');
  return [...samples].filter(([labels]) => labels.includes(`reason="${reason}"`)).reduce((sum, [, n]) => sum + n, 0);
};

/** Asks gateway 0, lets `meanwhile` happen while the upstream holds its answer back, and gives the answer. */
async function during(meanwhile: () => Promise<unknown>, begin: () => Promise<ChatReply>): Promise<ChatReply> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const before = upstream.seen();
  upstream.next((request, response) => void released.then(() => passOn(new URL(demo.url), request, response)));
  const answer = begin();
  await eventually(() => upstream.seen() > before);
  try {
    await meanwhile();
  } finally {
    release();
  }
  return answer;
}

/** An operator's purge, in Redis itself. */
async function operators(space: Space, ...args: string[]): Promise<void> {
  for (;;) {
    const lines = (await redis.call('FCALL', 'rp_purge', 1, `rp:{${namespaceOf(space)}}`, ...args, 'run')) as string[];
    if (lines.at(-1)?.startsWith('done')) return;
  }
}

describe('case 40: a purge while an answer is under way', () => {
  const kinds: [string, (space: Space) => Promise<unknown>][] = [
    ['of a tag', (space) => purge(space, { tag: 'a-b' })],
    ['of a model', (space) => purge(space, { model: 'reprise-demo' })],
    ['of a user', (space) => purge(space, { user: 'user-1' })],
    ['of a conversation', (space) => purge(space, { conversation: 'talk-1' })],
    ['of any age', (space) => purge(space, { older_than_ms: 0 })],
    ['of everything', (space) => purge(space, { all: true })],
    ['of a tag and a model', (space) => purge(space, { tag: 'news', model: 'reprise-demo' })],
    ['of a tag, by an operator', (space) => operators(space, 'tag', 'news')],
    ['of everything, by an operator', (space) => operators(space, 'all')],
  ];
  describe.each(kinds)('%s', (_kind, take) => {
    it.each(questions)('the answer reaches its caller and is not stored: %s', async (question) => {
      const space = ownSpace('under-way');
      const stream = question !== questions[0];
      const before = await rejected('purged');
      const ask1 = (): Promise<ChatReply> => chat(at(0), ask(question, { ...extra, stream }), { ...space, ...words });
      const reply = await during(() => take(space), ask1);
      expect([reply.status, reply.cache]).toEqual([200, 'miss']);
      expect(wholeText(reply)?.length).toBeGreaterThan(0);
      expect(await isCached(ask(question, extra), space)).toBe(false);
      expect(await rejected('purged')).toBe(before + 1);
      // A request that begins after the purge is stored as ever.
      expect((await ask1()).cache).toBe('miss');
      expect(await isCached(ask(question, extra), space)).toBe(true);
    });
  });

  it('that only tells leaves it alone', async () => {
    const space = ownSpace('under-way');
    const body = ask(questions[0] ?? '', extra);
    await during(
      () => purge(space, { all: true, dry_run: true }),
      () => chat(at(0), body, { ...space, ...words }),
    );
    expect(await isCached(body, space)).toBe(true);
  });

  it.each(questions)('of its entry, or a quarantine, goes for an answer that was to renew it: %s', async (question) => {
    const renew = (space: Space) => () => chat(at(0), ask(question), { ...space, 'cache-control': 'no-cache' });
    const takes: [string, (space: Space, entry: string) => Promise<unknown>][] = [
      ['purged', (space, entry) => purge(space, { entry_id: entry })],
      ['purged', (space, entry) => operators(space, 'entry', entry)],
      ['quarantined', (space, entry) => post(at(1), '/v1/feedback', { entry_id: entry, verdict: 'wrong' }, space)],
    ];
    for (const [reason, take] of takes) {
      const space = ownSpace('under-way');
      await chat(at(0), ask(question), space);
      const entry = (await chat(at(1), ask(question), space)).headers.get('x-cache-entry') ?? '';
      const before = await rejected(reason);
      const reply = await during(() => take(space, entry), renew(space));
      expect(reply.status).toBe(200);
      expect(await isCached(ask(question), space)).toBe(false);
      expect(await rejected(reason)).toBe(before + 1);
    }
  });

  it('vectors too', async () => {
    for (const input of ['one text', 'ein Text', ['два', '文']]) {
      const space = ownSpace('under-way');
      const embed = (more: Space = {}): Promise<ChatReply> =>
        post(at(0), '/v1/embeddings', { model: 'reprise-demo-embedding', input }, { ...space, ...words, ...more });
      const reply = await during(() => purge(space, { tag: 'news' }), embed);
      expect([reply.status, reply.cache]).toEqual([200, 'miss']);
      expect((await embed({ 'cache-control': 'only-if-cached' })).status).toBe(504);
      await embed();
      expect((await embed()).cache).toBe('hit-exact');
    }
  });

  it.each(questions)('who asks after it does not get the answer of a call from before: %s', async (question) => {
    const space = ownSpace('under-way');
    const before = upstream.seen();
    let late: Promise<ChatReply>[] = [];
    const first = await during(
      async () => {
        await purge(space, { all: true });
        late = [0, 1, 0, 1].map((place) => chat(at(place), ask(question), space));
        // They need no answer of the call that is held back.
        await Promise.all(late);
      },
      () => chat(at(0), ask(question), space),
    );
    const replies = await Promise.all(late);
    expect(first.cache).toBe('miss');
    expect(replies.filter((reply) => reply.cache === 'miss')).toHaveLength(1);
    expect(upstream.seen() - before).toBe(2);
  });
});
