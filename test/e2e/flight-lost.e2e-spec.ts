import type { IncomingMessage } from 'node:http';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, startDemoServer } from '@reprise/upstream';
import { metric } from './support/admin.js';
import { ask, chat, type ChatReply, ownSpace } from './support/chat.js';
import { eventually, type GatewayProcess, startGateway } from './support/process.js';
import { chunksOf, openStream, wholeText } from './support/streams.js';
import { patient } from './support/suite.js';
import { startSwitch, type SwitchUpstream, type Trick } from './support/switch-upstream.js';

/** The answer of the dead leader stops in its middle; the one made in its place is another. */
let demo: DemoServer;
let upstream: SwitchUpstream;
let gateways: GatewayProcess[];

const start = (): Promise<GatewayProcess> =>
  startGateway({
    REDIS_URL: process.env['TEST_REDIS_URL'],
    OPENAI_BASE_URL: upstream.url,
    REPRISE_CACHE__SINGLE_FLIGHT__LEASE_MS: '2000',
    ...patient,
  });

beforeAll(async () => {
  demo = await startDemoServer(0);
  upstream = await startSwitch(demo.url);
  gateways = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await upstream.close();
  await demo.close();
});

const at = (place: number): string => gateways[place % 2]?.url ?? '';
const otherQuestion = 'How long does the delivery to Norway take?';

/** Says half of the answer and no more. */
const halfOf: Trick = (request, response) => {
  void demoSays(request, {}).then(async (reply) => {
    const events = (await reply.text()).split(/(?<=\n\n)/);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(events.slice(0, events.length / 2).join(''));
  });
};

async function demoSays(request: IncomingMessage, instead: object): Promise<Response> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const asked = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
  return fetch(`${demo.url}/chat/completions`, { method: 'POST', body: JSON.stringify({ ...asked, ...instead }) });
}

/** Answers another question than was asked, in the form that was asked for. */
const otherwise: Trick = (request, response) => {
  void demoSays(request, ask(otherQuestion)).then(async (reply) => {
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' });
    response.end(await reply.text());
  });
};
/** Breaks off before anything is said. */
const hangUp: Trick = (_request, response) => response.destroy();
const unavailable: Trick = (_request, response) =>
  response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"message":"busy"}}');

const freshText = async (question: string): Promise<string> =>
  wholeText(await chat(at(0), ask(question), { ...ownSpace('fresh'), 'cache-control': 'no-store' })) ?? '';
const spoken = (text: string): string =>
  chunksOf(text)
    .map((chunk) => chunk.choices?.[0]?.delta.content ?? '')
    .join('');
const lost = async (code: string): Promise<number> => {
  let sum = 0;
  for (const { url } of gateways) {
    for (const [labels, count] of await metric(url, 'reprise_errors_total')) if (labels.includes(code)) sum += count;
  }
  return sum;
};
const questions = [
  'What should I know before I paint a wooden fence?',
  '¿Qué debo saber antes de pintar una valla de madera?',
  '木の柵を塗る前に何を知っておくべきですか？',
];

describe('case 38: kill -9 of a leader whose answer cannot be made again', () => {
  /** Two streams that have begun and what waits beside them; the leader is killed, `then` answers the next call. */
  async function killed(question: string, then: readonly Trick[], waiting: number) {
    const space = ownSpace('lost');
    const doomed = await start();
    const before = upstream.seen();
    upstream.next(halfOf, ...then);
    const leader = openStream(doomed.url, ask(question), space);
    await eventually(() => upstream.seen() > before);
    const live = [0, 1].map((place) => openStream(at(place), ask(question), space));
    const others = Array.from({ length: waiting }, (_, place) => chat(at(place), ask(question), space));
    for (const one of live) await eventually(() => spoken(one.soFar()) !== '');
    doomed.child.kill('SIGKILL');
    await expect(leader.ended).rejects.toThrow();
    const replies: ChatReply[] = await Promise.all(others);
    const ends = await Promise.all(
      live.map((one) =>
        one.ended.then(
          () => 'ended',
          () => 'broken',
        ),
      ),
    );
    return { live, ends, replies, calls: upstream.seen() - before };
  }

  it.each(questions)('another text: a begun stream ends with an error, never with a mixture: %s', async (question) => {
    const [first, other, before] = [
      await freshText(question),
      await freshText(otherQuestion),
      await lost('RP_ERR_STREAM_LOST'),
    ];
    const { live, ends, replies, calls } = await killed(question, [otherwise], 6);
    expect(ends).toEqual(['broken', 'broken']);
    for (const one of live) {
      expect(first.startsWith(spoken(one.soFar()))).toBe(true);
      expect(one.soFar()).toMatch(/data: \{"error":\{"message":"[^"]+","type":"api_error","code":"RP_ERR_STREAM_LOST"/);
      expect(one.soFar()).not.toContain('[DONE]');
      expect(one.soFar()).not.toContain('"stop"');
    }
    // Who has been told nothing yet gets the whole of the other answer.
    expect(replies.map(wholeText)).toEqual(replies.map(() => other));
    expect(calls).toBe(2);
    expect(await lost('RP_ERR_STREAM_LOST')).toBe(before + 2);
  });

  it.each<[string, Trick, string]>([
    ['an upstream that hangs up', hangUp, 'RP_ERR_UPSTREAM_BROKEN'],
    ['an upstream that is busy', unavailable, 'RP_ERR_STREAM_LOST'],
  ])('%s: a begun stream ends with an error', async (_name, trick, code) => {
    const { live, ends } = await killed(questions[0] ?? '', [trick, trick, trick, trick], 0);
    expect(ends).toEqual(['broken', 'broken']);
    expect(live.some((one) => one.soFar().includes(code))).toBe(true);
    for (const one of live) expect(one.soFar()).toMatch(/"code":"RP_ERR_(STREAM_LOST|UPSTREAM_BROKEN)"/);
    upstream.forget();
  });

  it('the official client throws it as an error with its code', async () => {
    const space = ownSpace('lost');
    const doomed = await start();
    const before = upstream.seen();
    upstream.next(halfOf, otherwise);
    const leader = openStream(doomed.url, ask(questions[0] ?? ''), space);
    await eventually(() => upstream.seen() > before);
    const client = new OpenAI({ baseURL: `${at(0)}/v1`, apiKey: 'test-key', maxRetries: 0, defaultHeaders: space });
    const stream = await client.chat.completions.create({
      model: 'reprise-demo',
      messages: [{ role: 'user', content: questions[0] ?? '' }],
      stream: true,
    });
    const read = async (): Promise<void> => {
      for await (const chunk of stream) if (chunk.choices[0]?.delta.content) doomed.child.kill('SIGKILL');
    };
    await expect(read()).rejects.toMatchObject({ code: 'RP_ERR_STREAM_LOST' });
    await expect(leader.ended).rejects.toThrow();
  });
});
