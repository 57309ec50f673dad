import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, chat, model, ownSpace } from '../e2e/support/chat.js';
import { openPlain } from '../e2e/support/key-dump.js';
import { eventually, type GatewayProcess } from '../e2e/support/process.js';
import { type OwnRedis, startRedis } from '../e2e/support/redis.js';
import { openStream } from '../e2e/support/streams.js';
import { startSwitch, type SwitchUpstream, type Trick } from '../e2e/support/switch-upstream.js';
import { becomesReady, fleet } from './support/gateways.js';

/**
 * Case 25 in kind: what the upstream has said of a miss is with the client before the upstream says more, whatever the
 * store does meanwhile. The upstream holds its second event until the client has shown the first. How fast that is: npm run bench.
 */
const f = fleet();
let redis: OwnRedis;
let upstream: SwitchUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  redis = await startRedis();
  upstream = await startSwitch(f.upstream.url);
  gateway = await f.start({ REDIS_URL: redis.url, OPENAI_BASE_URL: upstream.url });
});
afterAll(async () => {
  await upstream.close();
  await redis.stop('SIGKILL');
});

const event = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const rest = ' – and that is all.';
const tail = event({ content: rest }) + event({}, 'stop') + 'data: [DONE]\n\n';

/** An upstream that has been asked, says `first` when it is told to, and the rest when it is told to. */
function held(first: string, ending = tail, type = 'text/event-stream') {
  const told: { asked: boolean; begin: () => void; go: () => void } = {
    asked: false,
    begin: () => undefined,
    go: () => undefined,
  };
  const begun = new Promise<void>((resolve) => (told.begin = resolve));
  const going = new Promise<void>((resolve) => (told.go = resolve));
  const trick: Trick = (request, response) => {
    request.resume();
    told.asked = true;
    void begun.then(() => response.writeHead(200, { 'content-type': type }).write(first));
    void going.then(() => response.end(ending));
  };
  return Object.assign(told, { trick });
}

const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
const inputs: [string, Record<string, unknown>, Record<string, string>, object][] = [
  ['an English question', ask('How do I paint a wooden fence?'), {}, { content: 'First, ' }],
  ['a German one', ask('Wie streiche ich einen Holzzaun?'), {}, { content: 'Zuerst ' }],
  ['a Japanese one', ask('木の柵はどう塗りますか？'), {}, { content: 'まず、' }],
  ['an Arabic one', ask('كيف أطلي سياجًا خشبيًا؟'), {}, { content: 'أولاً ' }],
  ['one of 9,000 characters', ask('Why? '.repeat(1_800)), {}, { content: 'Because ' }],
  [
    'a follow-up',
    {
      model,
      messages: [
        ...['Hi', 'Hello.', 'And then?'].map((content, at) => ({ role: at % 2 ? 'assistant' : 'user', content })),
      ],
    },
    {},
    { content: 'Then ' },
  ],
  [
    'the result of a tool',
    {
      model,
      messages: [
        { role: 'user', content: 'Look.' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: '7' },
      ],
    },
    {},
    { reasoning_content: 'Seven. ' },
  ],
  ['one that is not to be read', ask('How do I paint a door?'), { 'cache-control': 'no-cache' }, { content: 'Well, ' }],
  ['a first event of a role only', ask('How do I paint a wall?'), {}, { role: 'assistant', content: '' }],
];

/** Asks, and shows that the first event is there while the upstream still holds the second. */
async function firstComesFirst(
  [, body, headers, delta]: (typeof inputs)[number],
  between: () => Promise<void> | void = () => undefined,
): Promise<void> {
  const slow = held(event(delta));
  upstream.next(slow.trick);
  const live = openStream(gateway.url, body, { ...ownSpace('first'), ...headers });
  await eventually(
    () => slow.asked,
    15_000,
    () => gateway.log,
  );
  await between();
  slow.begin();
  await eventually(
    () => live.soFar() === event(delta),
    15_000,
    () => live.soFar() + gateway.log,
  );
  slow.go();
  const { status, text } = await live.ended;
  expect([status, text]).toEqual([200, event(delta) + tail]);
}

describe('case 25: the first bytes of a streamed miss', () => {
  it.each(inputs)('%s', async (...input) => firstComesFirst(input));

  it.each(inputs)('%s, to the second of two who ask the same', async (...[, body, headers, delta]) => {
    const space = { ...ownSpace('second'), ...headers };
    const [one, two] = [held(event(delta)), held(event(delta))];
    upstream.next(one.trick, two.trick);
    const leader = openStream(gateway.url, body, space);
    await eventually(() => one.asked);
    one.begin();
    two.begin();
    const other = openStream(gateway.url, body, space);
    for (const live of [leader, other])
      await eventually(() => live.soFar().includes(JSON.stringify(delta).slice(1, -1)));
    one.go();
    two.go();
    for (const live of [leader, other]) expect((await live.ended).text).toContain(rest);
    upstream.forget();
  });
});

describe('case 25: with Redis stopped', () => {
  afterEach(async () => {
    redis.signal('SIGCONT');
    await becomesReady(gateway);
  });

  it.each(inputs.slice(0, 5))('before the request: %s', async (...input) => {
    redis.signal('SIGSTOP');
    await firstComesFirst(input);
  });

  it.each(inputs)('after the look-up, so that nothing can be stored: %s', async (...input) => {
    await firstComesFirst(input, () => redis.signal('SIGSTOP'));
  });

  it.each(inputs.slice(0, 4))('JSON, too, is sent although it cannot be stored: %s', async (_name, body) => {
    const answer = JSON.stringify({
      id: 'c',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: rest }, finish_reason: 'stop' }],
    });
    const slow = held(answer.slice(0, 20), answer.slice(20), 'application/json');
    upstream.next(slow.trick);
    const asked = chat(gateway.url, body, ownSpace('json'));
    await eventually(() => slow.asked);
    redis.signal('SIGSTOP');
    slow.begin();
    slow.go();
    const reply = await asked;
    expect([reply.status, reply.cache, reply.text]).toEqual([200, 'miss', answer]);
  });
});

describe('case 25: with a Redis that takes no writes', () => {
  let client: Awaited<ReturnType<typeof openPlain>>;
  beforeEach(async () => {
    client = await openPlain(redis.url);
  });
  afterEach(async () => {
    await client.config('SET', 'maxmemory', '0');
    await client.replicaof('NO', 'ONE');
    await client.quit();
    await becomesReady(gateway);
  });

  it.each(inputs.slice(0, 4))('out of memory: %s', async (...input) => {
    await firstComesFirst(input, async () => void (await client.config('SET', 'maxmemory', '1')));
  });

  it.each(inputs.slice(0, 4))('a replica since a moment ago: %s', async (...input) => {
    await firstComesFirst(input, async () => void (await client.replicaof('127.0.0.1', '9')));
  });
});
