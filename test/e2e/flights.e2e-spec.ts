import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, startDemoServer } from '@reprise/upstream';
import { namespaceOf, onNamespace } from './support/admin.js';
import { ask, chat, type ChatReply, model, ownSpace, post } from './support/chat.js';
import { eventually, type GatewayProcess, startGateway } from './support/process.js';
import { chunksOf, openStream, wholeText } from './support/streams.js';
import { adminHash, patient } from './support/suite.js';
import { passOn, startSwitch, type SwitchUpstream, type Trick } from './support/switch-upstream.js';

/** Three gateways on one Redis; the upstream takes half a second an answer, the slow one some three seconds. */
let demo: DemoServer;
let slowDemo: DemoServer;
let upstream: SwitchUpstream;
let gateways: GatewayProcess[];
const leaseMs = 1_000;

const start = (): Promise<GatewayProcess> =>
  startGateway({
    REDIS_URL: process.env['TEST_REDIS_URL'],
    OPENAI_BASE_URL: upstream.url,
    REPRISE_AUTH__ADMINTOKENHASH: adminHash,
    REPRISE_CACHE__SINGLE_FLIGHT__LEASE_MS: String(leaseMs),
    REPRISE_CACHE__SINGLE_FLIGHT__KEEP_MS: '60000',
    ...patient,
  });

beforeAll(async () => {
  demo = await startDemoServer(0, { latency: { firstTokenMs: 250, tokensPerSecond: 250 } });
  slowDemo = await startDemoServer(0, { latency: { firstTokenMs: 800, tokensPerSecond: 25 } });
  upstream = await startSwitch(demo.url);
  gateways = await Promise.all([start(), start(), start()]);
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await upstream.close();
  await Promise.all([demo.close(), slowDemo.close()]);
});

const at = (place: number): string => gateways[place % 3]?.url ?? '';
const target = () => ({ url: at(0), adminToken: 'test-admin' });
type Space = Record<string, string>;
/** The next upstream call takes long enough to die in its middle. */
const slow: Trick = (request, response) => passOn(new URL(slowDemo.url), request, response);
type Form = 'json' | 'stream' | 'mixed';
const questions = [
  'What should I know before I paint a wooden fence?',
  '¿Qué debo saber antes de pintar una valla de madera?',
  '木の柵を塗る前に何を知っておくべきですか？',
];

/** Equal requests at the same time, spread over the gateways. */
const burst = (count: number, body: object, space: Space, form: Form): Promise<ChatReply[]> =>
  Promise.all(
    Array.from({ length: count }, (_, place) => {
      const stream = form === 'stream' || (form === 'mixed' && place % 2 === 0);
      const usage = stream && place % 3 === 0 ? { stream_options: { include_usage: true } } : {};
      return chat(at(place), { ...body, stream, ...usage }, space);
    }),
  );

const tally = (replies: readonly ChatReply[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { cache } of replies) counts[cache ?? 'none'] = (counts[cache ?? 'none'] ?? 0) + 1;
  return counts;
};
const idOf = (reply: ChatReply): string => chunksOf(reply.text)[0]?.id ?? (JSON.parse(reply.text) as { id: string }).id;
const freshText = async (body: object): Promise<string | undefined> =>
  wholeText(await chat(at(0), body, { ...ownSpace('fresh'), 'cache-control': 'no-store' }));

describe('case 38: fifty equal requests on three gateways', () => {
  describe.each<Form>(['json', 'stream', 'mixed'])('%s', (form) => {
    it.each(questions)('one upstream call: %s', async (question) => {
      const before = upstream.seen();
      const replies = await burst(50, ask(question), ownSpace('fifty'), form);
      expect(upstream.seen() - before).toBe(1);
      expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 200));
      const { miss = 0, coalesced = 0, 'hit-exact': hits = 0 } = tally(replies);
      expect([miss, coalesced + hits]).toEqual([1, 49]);
      const texts = new Set(replies.map(wholeText));
      expect([...texts]).toEqual([await freshText(ask(question))]);
      expect(new Set(replies.map(idOf)).size).toBe(50);
    });
  });

  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  it.each([
    [
      'a tool result',
      [
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: '7 rows' },
      ],
    ],
    [
      'a follow-up',
      [
        { role: 'assistant', content: 'Wood or metal?' },
        { role: 'user', content: 'Wood.' },
      ],
    ],
    [
      'a picture',
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }],
    ],
  ])('of %s, which only an equal request may have, also when they come late', async (_name, more) => {
    const space = ownSpace('exact-only');
    const body = { model, messages: [{ role: 'user', content: 'Paint the fence.' }, ...more] };
    const before = upstream.seen();
    const waves = [burst(20, body, space, 'mixed')];
    for (let wave = 0; wave < 6; wave++) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      waves.push(burst(10, body, space, 'mixed'));
    }
    const replies = (await Promise.all(waves)).flat();
    expect(upstream.seen() - before).toBe(1);
    expect(tally(replies)['miss']).toBe(1);
    expect(new Set(replies.map(wholeText)).size).toBe(1);
  });

  it.each([
    ['other words', (place: number) => ask(`${questions[0]} ${place}`), {}],
    ['another user tier of the key', (place: number) => ask(questions[0] ?? '', { seed: place }), {}],
    ['no-cache', () => ask(questions[0] ?? ''), { 'cache-control': 'no-cache' }],
    ['no-store', () => ask(questions[0] ?? ''), { 'cache-control': 'no-store' }],
  ])('%s: each asks for itself', async (_name, body, headers) => {
    const space = { ...ownSpace('apart'), ...headers };
    const before = upstream.seen();
    await Promise.all([1, 2, 3, 4, 5, 6].map((place) => chat(at(place), body(place), space)));
    expect(upstream.seen() - before).toBe(6);
  });
});

/** Waits until `count` requests have reached the upstream since `before`. */
const reached = (before: number, count = 1): Promise<void> => eventually(() => upstream.seen() - before >= count);
/** Followers of a flight that are known to Redis take a moment to join. */
const joined = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));

describe('case 38: a leader that dies', () => {
  it.each([
    ['stream', questions[0]],
    ['stream', questions[1]],
    ['json', questions[0]],
    ['json', questions[2]],
  ])('kill -9 in the middle of a %s: %s', async (form, question = '') => {
    const space = ownSpace('killed');
    const doomed = await start();
    const before = upstream.seen();
    const stream = form === 'stream';
    upstream.next(slow);
    const lost = chat(doomed.url, ask(question, { stream }), space).then(
      () => 'answered',
      () => 'broken',
    );
    await reached(before);
    const live = [1, 2].map((place) => openStream(at(place), ask(question), space));
    const followers = burst(47, ask(question), space, 'mixed');
    await joined();
    if (stream) for (const one of live) await eventually(() => one.soFar().includes('"content"'));
    const sentBefore = live.map((one) => one.soFar());
    doomed.child.kill('SIGKILL');
    expect(await lost).toBe('broken');
    const replies = await followers;
    const streamed = await Promise.all(live.map((one) => one.ended));
    // The dead leader's call, and the one that took over.
    expect(upstream.seen() - before).toBe(2);
    const expected = await freshText(ask(question));
    expect(replies.map(wholeText)).toEqual(replies.map(() => expected));
    expect(streamed.map(wholeText)).toEqual([expected, expected]);
    streamed.forEach(({ text }, place) => expect(text.startsWith(sentBefore[place] ?? '')).toBe(true));
    expect(tally([...replies, ...(streamed as ChatReply[])])).toEqual({ coalesced: 49 - 1, miss: 1 });
  });
});

describe('case 38: a leader whose client goes', () => {
  it.each<[string, string]>([
    ['stream', questions[0] ?? ''],
    ['stream', questions[2] ?? ''],
  ])('in the middle of a %s that others wait for: %s', async (_form, question) => {
    const space = ownSpace('gone');
    const before = upstream.seen();
    upstream.next(slow);
    const leader = openStream(at(0), ask(question), space);
    await eventually(() => leader.soFar().includes('"content"'));
    const followers = burst(9, ask(question), space, 'mixed');
    await joined();
    leader.abort();
    const replies = await followers;
    expect(upstream.seen() - before).toBe(1);
    expect(tally(replies)).toEqual({ coalesced: 9 });
    const expected = await freshText(ask(question));
    expect(replies.map(wholeText)).toEqual(replies.map(() => expected));
    expect((await chat(at(1), ask(question), space)).cache).toBe('hit-exact');
  });

  it.each(questions)('of a JSON answer that others wait for: %s', async (question) => {
    const space = ownSpace('gone');
    const before = upstream.seen();
    const gone = new AbortController();
    upstream.next(slow);
    const leader = fetch(`${at(0)}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer test-key', ...space },
      body: JSON.stringify(ask(question)),
      signal: gone.signal,
    }).catch(() => 'gone');
    await reached(before);
    const followers = burst(9, ask(question), space, 'mixed');
    await joined();
    gone.abort();
    expect(await leader).toBe('gone');
    const replies = await followers;
    expect(upstream.seen() - before).toBe(1);
    expect(tally(replies)).toEqual({ coalesced: 9 });
    expect(new Set(replies.map(wholeText))).toEqual(new Set([await freshText(ask(question))]));
  });

  it('ends the upstream call when nobody waits, or those who waited are gone', async () => {
    const question = questions[0] ?? '';
    const aborted = slowDemo.stats().aborted;
    upstream.next(slow, slow);
    const alone = openStream(at(0), ask(question), ownSpace('gone'));
    await eventually(() => alone.soFar().includes('"content"'));
    alone.abort();
    await eventually(() => slowDemo.stats().aborted === aborted + 1);

    const space = ownSpace('gone');
    const leader = openStream(at(0), ask(question), space);
    await eventually(() => leader.soFar().includes('"content"'));
    const follower = openStream(at(1), ask(question), space);
    await eventually(() => follower.soFar().includes('"content"'));
    follower.abort();
    await joined();
    leader.abort();
    await eventually(() => slowDemo.stats().aborted === aborted + 2);
  });
});

const hangUp: Trick = (_request, response) => setTimeout(() => response.destroy(), 300);
const unavailable: Trick = (_request, response) =>
  setTimeout(
    () =>
      response
        .writeHead(503, { 'content-type': 'application/json' })
        .end('{"error":{"message":"busy","type":"server_error"}}'),
    300,
  );
/** Begins the answer as the demo does, then breaks off. */
const breakOff: Trick = (request, response) => {
  const write = response.write.bind(response) as (piece: unknown) => boolean;
  let pieces = 0;
  response.write = ((piece: unknown) => {
    const going = write(piece);
    if (++pieces === 8) setTimeout(() => response.destroy(), 50);
    return going;
  }) as typeof response.write;
  slow(request, response);
};

describe('case 38: a leader whose upstream fails', () => {
  it.each<[string, Trick, Form]>([
    ['hangs up', hangUp, 'json'],
    ['hangs up', hangUp, 'mixed'],
    ['says 503', unavailable, 'json'],
    ['says 503', unavailable, 'stream'],
    ['breaks off in the middle', breakOff, 'stream'],
    ['breaks off in the middle', breakOff, 'mixed'],
  ])('%s: the followers are answered (%#)', async (_name, trick, form) => {
    for (const question of questions) {
      const space = ownSpace('failing');
      const before = upstream.seen();
      upstream.next(trick);
      const leader = openStream(at(0), ask(question), space);
      await reached(before);
      const replies = await burst(9, ask(question), space, form);
      const failed = await leader.ended.then(
        (reply) => reply.status !== 200,
        () => true,
      );
      expect(failed).toBe(true);
      const expected = await freshText(ask(question));
      expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 200));
      expect(replies.map(wholeText)).toEqual(replies.map(() => expected));
    }
  });

  it('an answer that is an error for everyone reaches everyone as it is', async () => {
    for (const fault of ['status-429', 'status-500', 'error-200', 'refusal']) {
      const body = ask(questions[0] ?? '', { model: `demo-fault-${fault}` });
      const direct = await fetch(`${demo.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
      const replies = await burst(6, body, ownSpace('failing'), 'json');
      expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => direct.status));
      expect(new Set(replies.map((reply) => reply.cache))).toEqual(new Set(['miss']));
    }
  });
});

describe('what is taken out of service right after it was completed', () => {
  const wave = (space: Space, question: string): Promise<ChatReply[]> => burst(6, ask(question), space, 'mixed');

  it.each(questions)('by feedback: nobody who comes later has it: %s', async (question) => {
    const space = ownSpace('late');
    for (let round = 0; round < 3; round++) {
      const first = await wave(space, `${question} (${round})`);
      const entry = (await chat(at(1), ask(`${question} (${round})`), space)).headers.get('x-cache-entry') ?? '';
      const said = await post(at(2), '/v1/feedback', { entry_id: entry, verdict: 'wrong' }, space);
      expect([said.status, first.length]).toEqual([200, 6]);
      const later = await wave(space, `${question} (${round})`);
      expect(later.map((reply) => reply.headers.get('x-cache-entry'))).not.toContain(entry);
      expect(tally(later)['hit-exact'] ?? 0).toBe(0);
      expect(tally(later)['miss']).toBeGreaterThan(0);
    }
  });

  it.each(questions)('by purge: one upstream call for those who come later: %s', async (question) => {
    const space = ownSpace('late');
    for (let round = 0; round < 3; round++) {
      await wave(space, `${question} (${round})`);
      const old = (await chat(at(1), ask(`${question} (${round})`), space)).headers.get('x-cache-entry') ?? '';
      await onNamespace(target(), namespaceOf(space), 'purge', 'POST', { entry_id: old, dry_run: false });
      const before = upstream.seen();
      const later = await wave(space, `${question} (${round})`);
      expect(upstream.seen() - before).toBe(1);
      expect(later.map((reply) => reply.headers.get('x-cache-entry'))).not.toContain(old);
      expect(tally(later)['miss']).toBe(1);
    }
  });
});

describe('an answer that is on its way while something is purged', () => {
  const filters: [string, object][] = [
    ['a tag', { tag: 'press' }],
    ['a model', { model: 'some-other-model' }],
    ['an age', { older_than_ms: 86_400_000 }],
    ['everything', { all: true }],
  ];
  it.each(filters)(
    '%s: reaches its caller, is not stored, and nobody who comes later has it',
    async (_what, filter) => {
      for (const question of questions) {
        const space = ownSpace('purged');
        const before = upstream.seen();
        upstream.next(slow);
        const leader = chat(at(0), ask(question, { stream: true }), space);
        await eventually(() => Promise.resolve(upstream.seen() > before));
        const dry = { ...filter, dry_run: true };
        await onNamespace(target(), namespaceOf(space), 'purge', 'POST', dry);
        await onNamespace(target(), namespaceOf(space), 'purge', 'POST', { ...filter, dry_run: false });
        // The first call still runs: this one must not wait for it.
        const later = await chat(at(1), ask(question), space);
        expect([later.status, later.cache, upstream.seen() - before]).toEqual([200, 'miss', 2]);
        const late = await leader;
        expect([late.status, late.cache]).toEqual([200, 'miss']);
        const hit = await chat(at(2), ask(question), space);
        expect(hit.cache).toBe('hit-exact');
        expect(hit.headers.get('x-cache-entry')).toBe(
          later.headers.get('x-cache-entry') ?? hit.headers.get('x-cache-entry'),
        );
        const stats = await onNamespace<{ stats: Record<string, number> }>(
          target(),
          namespaceOf(space),
          'stats',
          'GET',
        );
        expect(JSON.stringify(stats)).toMatch(/"rejected":"?1"?[,}]/);
      }
    },
  );
});
