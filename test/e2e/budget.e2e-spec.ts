import { createRng } from '@reprise/kernel';
import { FEATURE_VERSION, FEATURES, fitAxes, fitKlr, serialiseKnowledge } from '@reprise/policy';
import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import type { NewSnapshot } from '@reprise/semantic-cache';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespaceOf } from './support/admin.js';
import { ask, chat, type ChatReply, model, ownSpace } from './support/chat.js';
import { eventually } from './support/process.js';
import { suite } from './support/suite.js';

/** The budget mode through HTTP, by snapshots that the test publishes as a worker would. */
const s = suite({ REPRISE_JUDGE__KIND: 'llm' }, 2);
type Space = Record<string, string>;
let store: RedisStore;
beforeAll(async () => {
  store = createRedisStore({ url: s.redisUrl, commandTimeoutMs: 5000 });
  expect(await store.connect(10_000)).toBe(true);
});
afterAll(() => store.close());

const other = (): string => s.gateways[1]?.url ?? '';

/** Believes of every candidate alike that it is right (0), or wrong (1). */
function knowledge(rejected: 0 | 1): string {
  const count = 200;
  const rng = createRng(5);
  const vectors = Array.from({ length: 32 }, () => Float32Array.from({ length: 384 }, () => rng.next() - 0.5));
  const rows = Float64Array.from({ length: count * FEATURES }, () => rng.next());
  const risk = fitKlr({ rows, count, rejected: new Float64Array(count).fill(rejected) });
  return serialiseKnowledge({ featureVersion: FEATURE_VERSION, axes: fitAxes(vectors), model: risk });
}

const open: NewSnapshot = {
  labels: 200,
  threshold: 0.4,
  bound: 0.04,
  breakerOpen: false,
  coldStartClosed: false,
  position: '1-1',
};

/** Publishes, and waits until the gateway decides by it. */
async function publish(space: Space, held: number, snapshot: NewSnapshot): Promise<number> {
  const ns = namespaceOf(space);
  const version = await store.risk.publish(ns, held, 0, snapshot);
  expect(version).toBe(held + 1);
  await eventually(async () => {
    const probe = await chat(other(), ask('Does anybody know a joke?'), {
      ...space,
      'cache-control': 'only-if-cached',
    });
    return probe.headers.get('x-cache-snapshot') === String(version);
  });
  return held + 1;
}

interface Turn {
  readonly opening: string;
  readonly followUp: string;
}

/** A conversation of two turns; the second reply. */
async function play(url: string, { opening, followUp }: Turn, space: Space): Promise<ChatReply> {
  const first = await chat(url, ask(opening), space);
  expect(first.status).toBe(200);
  const messages = [
    { role: 'user', content: opening },
    { role: 'assistant', content: first.content ?? '' },
    { role: 'user', content: followUp },
  ];
  const second = await chat(url, { model, messages }, space);
  expect(second.status).toBe(200);
  return second;
}

const pairs: [Turn, Turn][] = [
  [
    { opening: 'How do I return the blue lamp that came broken?', followUp: 'Thank you, that is all.' },
    { opening: 'How do I return the green chair that came broken?', followUp: 'Thank you, that is all.' },
  ],
  [
    { opening: 'Wie sende ich die blaue Lampe zurück?', followUp: 'Danke, das ist alles.' },
    { opening: 'Wie sende ich den grünen Stuhl zurück?', followUp: 'Danke, das ist alles.' },
  ],
];

describe('budget mode', () => {
  it.each(pairs)('a follow-up is served by the learned model, and by nothing else (%#)', async (stored, asked) => {
    const space = ownSpace('budget');
    expect((await play(s.url, stored, space)).cache).toBe('miss');
    expect((await play(other(), asked, space)).cache).toBe('miss');
    const again = { ...asked, opening: asked.opening.replace(/.$/, ' please?') };
    expect((await play(other(), again, space)).cache).toBe('miss');
    await publish(space, 0, { ...open, model: knowledge(0) });
    const reply = await play(other(), { ...asked, opening: `${asked.opening} Please.` }, space);
    expect([reply.cache, reply.reason]).toEqual(['hit-semantic', 'within-budget']);
    expect(Number(reply.headers.get('x-cache-risk'))).toBeLessThanOrEqual(0.4);
    expect(Number(reply.headers.get('x-cache-risk-bound'))).toBe(0.04);
  });

  it('what the model holds for wrong is not served, and says so', async () => {
    const [stored, asked] = pairs[0] as [Turn, Turn];
    const space = ownSpace('budget');
    await play(s.url, stored, space);
    await publish(space, 0, { ...open, model: knowledge(1) });
    const reply = await play(other(), asked, space);
    expect([reply.cache, reply.reason]).toEqual(['miss', 'risk']);
  });

  it.each([
    ['Is the number 4711 in stock?', 'Is the number 4712 in stock?', 'number'],
    ['Please cancel my order.', 'Please do not cancel my order.', 'negation'],
    ['Can you send it to Hamburg?', 'Can you send it to Bremen?', 'name'],
    ['Schicken Sie es nach Wien?', 'Schicken Sie es nach Graz?', 'name'],
  ])('hard guards stay walls: %s / %s', async (before, after, reason) => {
    const [{ opening }, { opening: another }] = pairs[0] as [Turn, Turn];
    const space = ownSpace('budget');
    await play(s.url, { opening, followUp: before }, space);
    await publish(space, 0, { ...open, model: knowledge(0) });
    const reply = await play(other(), { opening: another, followUp: after }, space);
    expect([reply.cache, reply.reason]).toEqual(['miss', reason]);
  });

  /** A follow-up whose opening nobody asked through the gateway: it is the only candidate. */
  const followUp = (url: string, [opening, answer, followUp]: readonly string[], space: Space) =>
    chat(
      url,
      {
        model,
        messages: [
          { role: 'user', content: opening },
          { role: 'assistant', content: answer },
          { role: 'user', content: followUp },
        ],
      },
      space,
    );

  it.each([
    [
      ['Where is order 48213?', 'It is on its way.', 'How do I cancel it?'],
      ['Where is order 48214?', 'It is on its way.', 'How do I cancel it?'],
      'foreign-specifics',
    ],
    [
      ['How heavy is the Kessa kettle?', 'It is light.', 'How much is it?'],
      ['How heavy is the Brisa fan?', 'It is light.', 'How much is it?'],
      'foreign-specifics',
    ],
    [
      ['How heavy is the Kessa kettle?', 'It is light.', 'How much is it?'],
      ['How heavy is the Kessa kettle? I pay in dollars.', 'It is light.', 'How much is it?'],
      'currency',
    ],
  ])('no answer with what only another conversation named (%#)', async (stored, asked, reason) => {
    const space = ownSpace('budget');
    expect((await followUp(s.url, stored, space)).cache).toBe('miss');
    await publish(space, 0, { ...open, model: knowledge(0) });
    const reply = await followUp(other(), asked, space);
    expect([reply.cache, reply.reason]).toEqual(['miss', reason]);
    const [opening = '', ...rest] = stored;
    const again = await followUp(other(), [`Hello! ${opening}`, ...rest], space);
    expect([again.cache, again.reason]).toEqual(['hit-semantic', 'within-budget']);
  });

  it('an open breaker stops it at once, and a later snapshot sets it free', async () => {
    const [stored, asked] = pairs[0] as [Turn, Turn];
    const space = ownSpace('budget');
    await play(s.url, stored, space);
    const first = await publish(space, 0, { ...open, model: knowledge(0) });
    const said = (opening: string) => play(other(), { ...asked, opening }, space);
    expect((await said('How do I return the red table that came broken?')).cache).toBe('hit-semantic');
    const second = await publish(space, first, { ...open, breakerOpen: true, model: knowledge(0) });
    const stopped = await said('How do I return the brown shelf that came broken?');
    expect([stopped.cache, stopped.reason]).toEqual(['miss', 'breaker-open']);
    await publish(space, second, { ...open, model: knowledge(0) });
    expect((await said('How do I return the black sofa that came broken?')).cache).toBe('hit-semantic');
  });

  it('the report says what was served and by what', async () => {
    const space = ownSpace('report');
    const [stored, asked] = pairs[0] as [Turn, Turn];
    await play(s.url, stored, space);
    await publish(space, 0, { ...open, model: knowledge(0) });
    expect((await play(other(), asked, space)).cache).toBe('hit-semantic');
    const read = async (token: string, name: string) => {
      const reply = await fetch(`${s.url}/admin/api/report?namespace=${encodeURIComponent(name)}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
    };
    const { status, body } = await read(s.adminToken, namespaceOf(space));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      namespace: namespaceOf(space),
      budget: 0.05,
      gate: { version: 1, labels: 200, threshold: 0.4, bound: 0.04, breakerOpen: false },
      falseHits: { judged: 0, clopperPearson: { low: 0, high: 1 } },
    });
    expect((body['hits'] as { semantic: number }).semantic).toBeGreaterThan(0);
    expect([(await read('wrong', namespaceOf(space))).status, (await read(s.adminToken, 'none')).status]).toEqual([
      401, 404,
    ]);
    const unnamed = await fetch(`${s.url}/admin/api/report`, { headers: { authorization: `Bearer ${s.adminToken}` } });
    expect(unnamed.status).toBe(400);
    expect(await unnamed.text()).toMatch(/Name one of \d+ namespaces: \S+, /);
  });
});
