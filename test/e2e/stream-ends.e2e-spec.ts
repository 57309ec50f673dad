import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, startDemoServer } from '@reprise/upstream';
import { ask, chat, ownSpace } from './support/chat.js';
import { eventually, type GatewayProcess, startGateway } from './support/process.js';
import { openStream } from './support/streams.js';
import { patient } from './support/suite.js';
import { startSwitch, type SwitchUpstream, type Trick } from './support/switch-upstream.js';

/** A stream ends for the client as it ended for the gateway, whether it could be stored or not. */
let demo: DemoServer;
let upstream: SwitchUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  demo = await startDemoServer(0);
  upstream = await startSwitch(demo.url);
  gateway = await startGateway({
    REDIS_URL: process.env['TEST_REDIS_URL'],
    OPENAI_BASE_URL: upstream.url,
    ...patient,
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  await demo.close();
});

const say = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
const done = 'data: [DONE]\n\n';
const sse = { 'content-type': 'text/event-stream' };
const answers =
  (body: string): Trick =>
  (request, response) => {
    request.resume();
    response.writeHead(200, sse).end(body);
  };
const questions = ['What does the cat eat?', '¿Qué come el gato?', '猫は何を食べますか？'];

describe('streams that are not stored end as they came', () => {
  it.each([
    ['without [DONE]', say('Fi') + say('sh.', 'stop')],
    ['without a finish reason', say('Fish.') + done],
    ['with a line that is no JSON', `${say('Fi')}data: {"choices": [\n\n${say('sh.', 'stop')}${done}`],
    ['with an error among its events', `${say('Fi')}data: {"error":{"message":"overloaded"}}\n\n${done}`],
    ['with nothing at all', ''],
    ['with [DONE] alone', done],
  ])('%s', async (_, body) => {
    for (const question of questions) {
      const space = ownSpace('ends');
      for (let time = 0; time < 2; time++) {
        upstream.next(answers(body));
        const reply = await chat(gateway.url, { ...ask(question), stream: true }, space);
        expect(reply).toMatchObject({ status: 200, cache: 'miss', text: body });
      }
    }
  });

  it('also where the client asked for JSON', async () => {
    const body = say('Fi') + say('sh.', 'stop');
    upstream.next(answers(body));
    expect(await chat(gateway.url, ask('What does the dog eat?'), ownSpace('json'))).toMatchObject({
      status: 200,
      text: body,
    });
  });
});

describe('case 21: an answer is over with [DONE]', () => {
  it.each(questions)('also while its upstream keeps the connection open: %s', async (question) => {
    const space = ownSpace('open');
    const open: ServerResponse[] = [];
    upstream.next((request, response) => {
      request.resume();
      open.push(response);
      response.writeHead(200, sse).write(say('Fish.', 'stop') + done);
    });
    const live = openStream(gateway.url, ask(question), space);
    expect((await live.ended).text).toContain(done);
    const calls = upstream.seen();
    expect(await chat(gateway.url, ask(question), space)).toMatchObject({ cache: 'hit-exact' });
    expect(upstream.seen()).toBe(calls);
    // Nobody reads on behind it for long.
    await eventually(() => open[0]?.closed === true);
  });
});
