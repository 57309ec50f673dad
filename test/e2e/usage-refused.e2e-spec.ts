import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, startDemoServer } from '@reprise/upstream';
import { metric } from './support/admin.js';
import { ask, chat, ownSpace } from './support/chat.js';
import { type GatewayProcess, startGateway } from './support/process.js';
import { wholeText } from './support/streams.js';
import { patient } from './support/suite.js';
import { startSwitch, type SwitchUpstream, type Trick } from './support/switch-upstream.js';

/** Upstreams that do not know `stream_options`, which the gateway adds to streams. */
let demo: DemoServer;
let upstream: SwitchUpstream;
let gateway: GatewayProcess;
let silent: GatewayProcess;

beforeAll(async () => {
  demo = await startDemoServer(0);
  upstream = await startSwitch(demo.url);
  const start = (env: Record<string, string>): Promise<GatewayProcess> =>
    startGateway({ REDIS_URL: process.env['TEST_REDIS_URL'], OPENAI_BASE_URL: upstream.url, ...patient, ...env });
  [gateway, silent] = await Promise.all([start({}), start({ REPRISE_UPSTREAM__ASK_USAGE: 'false' })]);
});
afterAll(async () => {
  await Promise.all([gateway.stop(), silent.stop()]);
  await upstream.close();
  await demo.close();
});

const seen: Record<string, unknown>[] = [];
/** Answers as an upstream that takes only the fields that it knows; `always`: it does not take the caller's own either. */
const strict =
  (status: number, always = false): Trick =>
  (request, response) => {
    void json(request).then(async (body) => {
      const asked = body as Record<string, unknown>;
      seen.push(asked);
      if (always || 'stream_options' in asked) {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(`{"error":{"message":"Unknown field: ${always ? 'x' : 'stream_options'}"}}`);
        return;
      }
      const reply = await fetch(`${demo.url}/chat/completions`, { method: 'POST', body: JSON.stringify(asked) });
      response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' });
      response.end(await reply.text());
    });
  };
const refused = async (): Promise<number> => (await metric(gateway.url, 'reprise_usage_refused_total')).get('') ?? 0;
const questions = ['How do I paint a fence?', 'Wie streiche ich einen Zaun?', '柵はどう塗りますか？'];

describe('an upstream that does not know stream_options', () => {
  it.each([400, 422])(
    '%i: is asked once more with the own bytes of the caller, and then as they are',
    async (status) => {
      const model = `strict-${status}`;
      const space = ownSpace('strict');
      const before = await refused();
      for (const [at, question] of questions.entries()) {
        seen.length = 0;
        upstream.next(strict(status), strict(status));
        const body = ask(question, { model, stream: true });
        const reply = await chat(gateway.url, body, space);
        expect([reply.status, reply.cache, wholeText(reply) !== undefined], reply.text).toEqual([200, 'miss', true]);
        expect(seen.map((one) => 'stream_options' in one)).toEqual(at === 0 ? [true, false] : [false]);
        expect(seen.at(-1)).toEqual(body);
        expect((await chat(gateway.url, body, space)).cache).toBe('hit-exact');
        upstream.forget();
      }
      expect(await refused()).toBe(before + 1);
      // Another model of it may know the field.
      seen.length = 0;
      upstream.next(strict(status), strict(status));
      expect((await chat(gateway.url, ask('Is it?', { model: `${model}-2`, stream: true }), space)).status).toBe(200);
      expect(seen.map((one) => 'stream_options' in one)).toEqual([true, false]);
      upstream.forget();
    },
  );

  it('a request that is wrong by itself gets its own answer, and nothing is remembered', async () => {
    const body = ask('Is it wrong?', { model: 'wrong', stream: true });
    for (let time = 0; time < 2; time++) {
      seen.length = 0;
      upstream.next(strict(400, true), strict(400, true));
      const reply = await chat(gateway.url, body, ownSpace('strict'));
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('Unknown field: x')]);
      expect(seen.map((one) => 'stream_options' in one)).toEqual([true, false]);
    }
  });

  it('a model that has taken the field once: its refusals are passed on at once', async () => {
    const model = 'knows-it';
    expect((await chat(gateway.url, ask('Is it?', { model, stream: true }), ownSpace('strict'))).status).toBe(200);
    seen.length = 0;
    upstream.next(strict(400, true), strict(400, true));
    const reply = await chat(gateway.url, ask('Is it wrong?', { model, stream: true }), ownSpace('strict'));
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('Unknown field: x')]);
    expect(seen.map((one) => 'stream_options' in one)).toEqual([true]);
    upstream.forget();
  });

  it.each<[string, object]>([
    ['JSON', {}],
    ["a caller's own stream_options", { stream: true, stream_options: { include_usage: false } }],
  ])('%s is sent as it is, and once', async (_name, extra) => {
    seen.length = 0;
    upstream.next(strict(400, true), strict(400, true));
    const body = ask('Is it?', { model: 'plain', ...extra });
    expect((await chat(gateway.url, body, ownSpace('strict'))).status).toBe(400);
    expect(seen).toEqual([body]);
    upstream.forget();
  });

  it('is not asked at all where upstream.askUsage is off', async () => {
    seen.length = 0;
    upstream.next(strict(400));
    const body = ask('Is it?', { model: 'off', stream: true });
    const reply = await chat(silent.url, body, ownSpace('strict'));
    expect([reply.status, wholeText(reply) !== undefined]).toEqual([200, true]);
    expect(seen).toEqual([body]);
  });
});
