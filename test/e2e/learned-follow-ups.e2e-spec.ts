import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespaceOf } from './support/admin.js';
import { ask, chat, model, ownSpace } from './support/chat.js';
import { conversation, learnedKnowledge, type Said, type Shop, shops } from './support/follow-up-lessons.js';
import { eventually, type GatewayProcess, startGateway } from './support/process.js';
import { patient } from './support/suite.js';

/**
 * Cases 8 and 9 with an open gate: a model that has learned from labels serves follow-ups, and none that means something
 * else after another history. The things that are asked for are in no lesson, and no text holds a name or a number, so
 * that it is the model alone that tells them apart.
 */
const threshold = 0.4;
let store: RedisStore;
let server: Server;
let gateway: GatewayProcess;
let knowledge: string;

/** Says what the shop says of the thing that the conversation is about. */
function answerTo([opening]: readonly Said[]): string {
  for (const shop of shops)
    for (const thing of shop.unseen)
      if (shop.openings.some((open) => open(thing) === opening?.content)) return shop.answer(thing);
  return 'Yes.';
}

beforeAll(async () => {
  const url = process.env['TEST_REDIS_URL'] ?? '';
  server = createServer((request, response) => {
    void json(request).then((body) => {
      const message = { role: 'assistant', content: answerTo((body as { messages: Said[] }).messages) };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model, choices }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  store = createRedisStore({ url, commandTimeoutMs: 5000 });
  expect(await store.connect(10_000)).toBe(true);
  const { port } = server.address() as AddressInfo;
  [gateway, knowledge] = await Promise.all([
    startGateway({
      REDIS_URL: url,
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      REPRISE_JUDGE__KIND: 'llm',
      ...patient,
    }),
    learnedKnowledge(),
  ]);
});
afterAll(async () => {
  await gateway.stop();
  await store.close();
  server.closeAllConnections();
  server.close();
});

/** Opens the gate of a space by the learned model, and waits until the gateway decides by it. */
async function openGate(space: Record<string, string>): Promise<void> {
  const snapshot = {
    ...{ labels: 200, threshold, bound: 0.04, breakerOpen: false, coldStartClosed: false, position: '1-1' },
    model: knowledge,
  };
  expect(await store.risk.publish(namespaceOf(space), 0, 0, snapshot)).toBe(1);
  const probe = { ...space, 'cache-control': 'only-if-cached' };
  await eventually(
    async () => (await chat(gateway.url, ask('Is anybody there?'), probe)).headers.get('x-cache-snapshot') === '1',
    15_000,
    () => gateway.log,
  );
}

const said = (shop: Shop, thing: string, opening: number, followUp: string, space: Record<string, string>) =>
  chat(gateway.url, { model, messages: conversation(shop, thing, opening, followUp) }, space);

describe('cases 8 and 9 with an open gate', () => {
  it.each(shops)('$language: served after the same in other words, never after something else', async (shop) => {
    const [held, other] = shop.unseen;
    const space = ownSpace('learned');
    for (const followUp of shop.followUps) expect((await said(shop, held, 0, followUp, space)).cache).toBe('miss');
    await openGate(space);
    const reading = { ...space, 'x-reprise-mode': 'read_only' };
    for (const followUp of shop.followUps) {
      const same = await said(shop, held, 1, followUp, reading);
      expect([same.cache, same.reason, same.content], followUp).toEqual([
        'hit-semantic',
        'within-budget',
        shop.answer(held),
      ]);
      for (const opening of [0, 1]) {
        const elsewhere = await said(shop, other, opening, followUp, reading);
        const context = `${followUp}, risk ${elsewhere.headers.get('x-cache-risk')}`;
        expect([elsewhere.cache, elsewhere.reason, elsewhere.content], context).toEqual([
          'miss',
          'risk',
          shop.answer(other),
        ]);
      }
    }
  });
});
