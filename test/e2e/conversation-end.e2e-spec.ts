import { createRng } from '@reprise/kernel';
import { FEATURE_VERSION, FEATURES } from '@reprise/policy';
import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import type { LabelRecord } from '@reprise/semantic-cache';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metric, namespaceOf } from './support/admin.js';
import { chat, type ChatReply, model, ownSpace } from './support/chat.js';
import { keysOf, openPlain } from './support/key-dump.js';
import { eventually } from './support/process.js';
import { suite } from './support/suite.js';

/** `x-reprise-conversation-end`, through HTTP on two gateways; what the store holds is looked at in Redis. */
const s = suite({ REPRISE_JUDGE__KIND: 'llm' }, 2);
type Space = Record<string, string>;
let store: RedisStore;
let plain: Awaited<ReturnType<typeof openPlain>>;
beforeAll(async () => {
  store = createRedisStore({ url: s.redisUrl, commandTimeoutMs: 5000 });
  expect(await store.connect(10_000)).toBe(true);
  plain = await openPlain(s.redisUrl);
});
afterAll(async () => {
  await store.close();
  await plain.quit();
});

const at = (place: number): string => s.gateways[place % 2]?.url ?? '';
const end = { 'x-reprise-conversation-end': 'true' };

interface Told {
  readonly role: string;
  readonly content: string;
}
/** Sends the next message of a conversation; gives the messages with the answer behind them. */
async function say(place: number, before: readonly Told[], text: string, headers: Space, extra: object = {}) {
  const messages = [...before, { role: 'user', content: text }];
  const reply = await chat(at(place), { model, messages, ...extra }, headers);
  expect(reply.status).toBe(200);
  const answered = contentOf(reply);
  expect(answered).not.toBe('');
  return { reply, messages: [...messages, { role: 'assistant', content: answered }] };
}

const contentOf = ({ text, content }: ChatReply): string =>
  content ??
  [...text.matchAll(/"delta":\{[^}]*"content":("(?:[^"\\]|\\.)*")/g)]
    .map(([, part]) => JSON.parse(part as string) as string)
    .join('');

/** The conversation that a request was decided in. */
async function conversationOf(space: Space, reply: ChatReply): Promise<string> {
  const id = reply.headers.get('x-request-id') ?? '';
  let found = '';
  await eventually(async () => {
    found = (await plain.hget(`rp:{${namespaceOf(space)}}:d:${id}`, 'conversation')) ?? '';
    return found !== '';
  });
  return found;
}
/** Waits until a conversation stands behind its newest answer. */
const waits = (space: Space, id: string): Promise<void> =>
  eventually(async () => ((await plain.hget(`rp:{${namespaceOf(space)}}:c:${id}`, 'head')) ?? '') !== '');
const open = async (space: Space): Promise<number> =>
  (await keysOf(plain, namespaceOf(space))).filter((key) => /\}:c:/.test(key)).length;
const settled = (space: Space, count: number): Promise<void> => eventually(async () => (await open(space)) === count);

/** Three messages of one conversation. */
const talks: [string, string, string, string][] = [
  ['English', 'Do you sell kettles?', 'How much is the blue one?', 'Thanks, and how long does it take?'],
  ['German', 'Verkauft ihr Wasserkocher?', 'Wie viel kostet der blaue?', 'Danke, und wie lange dauert es?'],
  ['Japanese', 'やかんはありますか？', '青いのはいくらですか？', 'どのくらいかかりますか？'],
  ['Arabic', 'هل تبيعون غلايات؟', 'كم سعر الزرقاء؟', 'وكم يستغرق ذلك؟'],
];

/** A verdict on a reuse in a conversation, as a worker writes it. */
function verdict(conversation: string): LabelRecord {
  const rng = createRng(3);
  return {
    ...{ requestId: `r-${conversation}`, conversation, entryId: 'e', turn: 0, rule: 'budget', served: false },
    ...{ rejected: 0, judge: 'reference', rate: 1, snapshot: 0, featureVersion: FEATURE_VERSION },
    row: Float64Array.from({ length: FEATURES }, () => rng.next()),
  };
}
const learned = async (space: Space): Promise<string[]> =>
  (await store.risk.read(namespaceOf(space), '', 100)).events.map(({ kind }) => kind);

describe('a conversation that its caller ends', () => {
  it.each(talks)(
    '%s: what was observed counts at once, and the same prefix begins anew',
    async (_language, a, b, c) => {
      const space = ownSpace('ended');
      const first = await say(0, [], a, space);
      await settled(space, 1);
      const second = await say(1, first.messages, b, space);
      const known = await conversationOf(space, second.reply);
      await waits(space, known);
      await store.risk.observe(namespaceOf(space), verdict(known));
      expect(await learned(space)).toEqual(['label']);

      const last = await say(0, second.messages, c, { ...space, ...end });
      expect(await conversationOf(space, last.reply)).toBe(known);
      await settled(space, 0);
      expect(await learned(space)).toEqual(['label', 'end']);

      // Neither a further message nor another one with the same prefix goes on with it.
      const further = await say(1, last.messages, a, space);
      const again = await say(0, second.messages, `${c} ${c}`, space);
      const ids = [await conversationOf(space, further.reply), await conversationOf(space, again.reply)];
      expect(new Set([known, ...ids]).size).toBe(3);
    },
  );

  it.each([
    ['a miss, streamed', { stream: true }],
    ['an exact hit', {}],
    ['an exact hit, streamed', { stream: true }],
  ])('with %s', async (name, extra) => {
    const space = ownSpace('forms');
    const [, a, b] = talks[0] as (typeof talks)[number];
    const first = await say(0, [], a, space);
    if (name.includes('hit')) {
      await say(0, first.messages, b, { ...space, 'x-reprise-conversation': 'another' });
      await settled(space, 2);
    } else await settled(space, 1);
    const before = await open(space);
    const { reply } = await say(1, first.messages, b, { ...space, ...end }, extra);
    expect(reply.cache).toBe(name.includes('hit') ? 'hit-exact' : 'miss');
    await settled(space, before - 1);
  });

  it('with each of fifty equal requests at once', async () => {
    const space = ownSpace('burst');
    const [, a, b] = talks[1] as (typeof talks)[number];
    const first = await say(0, [], a, space);
    await settled(space, 1);
    const last = Array.from({ length: 50 }, (_, place) => say(place, first.messages, b, { ...space, ...end }));
    const kinds = (await Promise.all(last)).map(({ reply }) => reply.cache);
    expect(kinds.filter((kind) => kind === 'miss')).toHaveLength(1);
    await settled(space, 0);
  });

  it('at its first message leaves nothing open', async () => {
    const space = ownSpace('first');
    const ended = async (): Promise<number> =>
      (await metric(at(0), 'reprise_conversation_closes_total')).get('outcome="ended"') ?? 0;
    const before = await ended();
    for (const [, a] of talks) await say(0, [], a, { ...space, ...end });
    await eventually(async () => (await ended()) === before + talks.length);
    expect(await open(space)).toBe(0);
  });
});

describe('a conversation that its caller names', () => {
  const named = { 'x-reprise-conversation': 'Fall 4711: ünïcode {x}' };
  it.each<[string, Space]>([
    ['an answered request', {}],
    ['one that the cache has no part in', { 'cache-control': 'no-store' }],
    ['one in mode off', { 'x-reprise-mode': 'off' }],
  ])('ends with %s', async (_name, more) => {
    const space = ownSpace('named');
    const [, a, b] = talks[2] as (typeof talks)[number];
    const first = await say(0, [], a, { ...space, ...named });
    await settled(space, 1);
    await say(1, first.messages, b, { ...space, ...named, ...end, ...more });
    await settled(space, 0);
    // The name may be used again.
    await say(0, [], a, { ...space, ...named, 'cache-control': 'no-cache' });
    await settled(space, 1);
  });
});

describe('what the header says', () => {
  it.each(['true', '', '1', 'YES', ' True '])('%j ends it', async (value) => {
    const space = ownSpace('yes');
    const first = await say(0, [], 'Do you sell kettles?', space);
    await settled(space, 1);
    await say(0, first.messages, 'How much?', { ...space, 'x-reprise-conversation-end': value });
    await settled(space, 0);
  });

  it.each([
    ['false', false],
    ['0', false],
    ['no', false],
    ['perhaps', true],
    ['はい', true],
  ])('%j does not', async (value, named) => {
    const space = ownSpace('no');
    const first = await say(0, [], 'Do you sell kettles?', space);
    await settled(space, 1);
    const header = { 'x-reprise-conversation-end': Buffer.from(value).toString('latin1') };
    const { reply, messages } = await say(0, first.messages, 'How much?', { ...space, ...header });
    expect(/ignored=.*x-reprise-conversation-end/.test(reply.reason ?? '')).toBe(named);
    await waits(space, await conversationOf(space, reply));
    const next = await say(1, messages, 'And the red one?', space);
    expect(await conversationOf(space, next.reply)).toBe(await conversationOf(space, reply));
    expect(await open(space)).toBe(1);
  });
});
