import { describe, expect, it } from 'vitest';
import { metric, namespaceOf, onNamespace, setPolicy } from './support/admin.js';
import { chat, type ChatReply, model, ownSpace } from './support/chat.js';
import { suite } from './support/suite.js';

const s = suite({
  REPRISE_CACHE__VOLATILE_MASKS: JSON.stringify([{ name: 'shift', pattern: 'shift no\\. \\d+' }]),
});

interface Turn {
  readonly role: string;
  readonly content: unknown;
  readonly [field: string]: unknown;
}
type Space = Record<string, string>;

const user = (content: unknown): Turn => ({ role: 'user', content });
const assistant = (content: string): Turn => ({ role: 'assistant', content });
const system = (content: string): Turn => ({ role: 'system', content });
const send = (messages: readonly Turn[], space: Space, extra: object = {}): Promise<ChatReply> =>
  chat(s.url, { model, messages, ...extra }, space);
/** What the upstream says to the request itself; nothing is read or stored. */
const fresh = async (messages: readonly Turn[], space: Space, extra: object = {}): Promise<string | undefined> =>
  (await send(messages, { ...space, 'cache-control': 'no-store' }, extra)).content;

/** First turn through the gateway, then the follow-up after its real answer. */
async function talk(first: string, follow: string, space: Space): Promise<{ messages: Turn[]; reply: ChatReply }> {
  const opening = await send([user(first)], space);
  const messages = [user(first), assistant(opening.content ?? ''), user(follow)];
  return { messages, reply: await send(messages, space) };
}

/** Two different subjects and one follow-up that means another thing after each. */
const subjects: readonly (readonly [language: string, a: string, b: string, follow: string])[] = [
  ['English', 'Do you ship to Norway?', 'Do you ship to Portugal?', 'How much is it?'],
  ['German', 'Verkauft ihr den Standmixer?', 'Verkauft ihr den Wasserkocher?', 'Wie viel kostet er?'],
  ['Spanish', '¿Tienen la mochila azul?', '¿Tienen la bicicleta roja?', '¿Cuánto cuesta?'],
  ['French', 'Avez-vous le vélo électrique ?', 'Avez-vous le casque de vélo ?', 'Combien ça coûte ?'],
  ['Russian', 'Есть ли у вас синий чайник?', 'Есть ли у вас красный рюкзак?', 'Сколько он стоит?'],
  ['Japanese', '青いやかんはありますか？', '赤い自転車はありますか？', 'それはいくらですか？'],
  ['Arabic', 'هل لديكم دراجة حمراء؟', 'هل لديكم حقيبة زرقاء؟', 'كم سعرها؟'],
];

describe('case 8: a follow-up belongs to its history', () => {
  it.each(subjects)('%s: another first turn, the same follow-up: misses', async (_language, a, b, follow) => {
    const space = ownSpace('follow');
    expect((await talk(a, follow, space)).reply.cache).toBe('miss');
    const other = await talk(b, follow, space);
    expect([other.reply.cache, other.reply.reason]).toEqual(['miss', 'follow-up']);
    expect(other.reply.content).toBe(await fresh(other.messages, space));
  });

  it.each(subjects)('%s: the same history and follow-up: hits', async (_language, a, _b, follow) => {
    const space = ownSpace('follow');
    const first = await talk(a, follow, space);
    const again = await talk(a, follow, space);
    expect([again.reply.cache, again.reply.content]).toEqual(['hit-exact', first.reply.content]);
  });

  it.each([
    ['How do I reset my password?', 'How can I reset my password?', 'And how long does it take?'],
    ['What is your returns policy?', 'What is the returns policy?', 'Does it also hold for sale items?'],
    ['Wie kann ich mein Passwort ändern?', 'Wie kann man das Passwort ändern?', 'Und wie lange dauert das?'],
  ])('after an equivalent first turn the answer is never a wrong one: %s', async (a, b, follow) => {
    const space = ownSpace('equivalent');
    await talk(a, follow, space);
    const { messages, reply } = await talk(b, follow, space);
    expect(reply.content).toBe(await fresh(messages, space));
  });

  it.each([
    ['another answer before it', [user('Do you ship to Norway?'), assistant('Yes, by post.')], 'How much is it?'],
    ['one more exchange', [user('Hello!'), assistant('Hello.'), user('Norway?'), assistant('Yes.')], 'How much is it?'],
    ['another system prompt', [system('Be brief.'), user('Norway?'), assistant('Yes.')], 'How much is it?'],
  ])('%s: misses', async (_name, before, follow) => {
    const space = ownSpace('changed');
    const plain = [user('Do you ship to Norway?'), assistant('Yes.')];
    await send([...plain, user(follow)], space);
    expect((await send([...before, user(follow)], space)).cache).toBe('miss');
    expect((await send([...plain, user(follow)], space)).cache).toBe('hit-exact');
  });
});

/** Messages that say nothing without what was said before. */
const referring: readonly (readonly [language: string, messages: readonly string[]])[] = [
  ['English', ['yes', 'continue', 'do it', 'the second one', 'what about him?']],
  ['German', ['ja', 'weiter', 'mach das', 'das zweite', 'und er?']],
  ['French', ['oui', 'continue', 'fais-le', 'le deuxième', 'et lui ?']],
  ['Spanish', ['sí', 'continúa', 'hazlo', 'el segundo', '¿y él?']],
  ['Russian', ['да', 'продолжай', 'сделай это', 'второй', 'а он?']],
  ['Chinese', ['是的', '继续', '就这样做', '第二个', '他呢？']],
  ['Japanese', ['はい', '続けて', 'お願いします', '二番目', '彼は？']],
  ['Turkish', ['evet', 'devam et', 'yap', 'ikincisi', 'peki o?']],
];

describe('case 9: messages that only refer back', () => {
  it.each(referring)('%s', async (_language, messages) => {
    const space = ownSpace('refer');
    const choice = (subject: string): Turn[] => [
      user(`I want to buy ${subject}.`),
      assistant('There are three of them: a small, a middle and a large one. Shall I go on?'),
    ];
    for (const message of messages) {
      const asked = [...choice('a kettle'), user(message)];
      expect((await send(asked, space)).cache).toBe('miss');
      for (const subject of ['a bicycle', 'the kettle', 'a  kettle']) {
        const reply = await send([...choice(subject), user(message)], space);
        expect([reply.cache, reply.reason], `${subject}: ${message}`).toEqual(['miss', 'follow-up']);
      }
      expect((await send(asked, space)).cache).toBe('hit-exact');
    }
  });

  it.each([
    ['the first one', 'the second one'],
    ['das erste', 'das zweite'],
    ['el primero', 'el segundo'],
    ['le premier', 'le deuxième'],
    ['первый', 'второй'],
    ['第一个', '第二个'],
    ['yes', 'no'],
    ['what about him?', 'what about her?'],
  ])('as the first message, too: %s, then %s', async (a, b) => {
    const space = ownSpace('refer');
    await send([user(a)], space);
    expect((await send([user(b)], space)).cache).toBe('miss');
  });
});

const tools = ['read_file', 'search_orders'].map((name) => ({
  type: 'function',
  function: { name, description: name, parameters: { type: 'object', properties: { path: { type: 'string' } } } },
}));
const goals = [
  'Find out why the build fails.',
  'Finde heraus, warum der Build scheitert.',
  'ビルドが失敗する理由を調べて。',
];

/** One turn of an agent: the call and its result. */
const toolTurn = (at: number, args: string, result: string): Turn[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `call_${at}`, type: 'function', function: { name: 'read_file', arguments: args } }],
  },
  { role: 'tool', tool_call_id: `call_${at}`, content: result },
];

/** Plays a loop; gives what every turn got. `result` is told which turn it is. */
async function agentLoop(goal: string, space: Space, result: (at: number) => string, args = (at: number) => `${at}`) {
  const messages: Turn[] = [user(goal)];
  const replies: ChatReply[] = [];
  for (let at = 0; at < 10; at++) {
    messages.push(...toolTurn(at, JSON.stringify({ path: args(at) }), result(at)));
    replies.push(await send(messages, space, { tools }));
  }
  return replies;
}

describe('case 10: an agent of ten tool turns', () => {
  it.each(goals)('no turn replays another: %s', async (goal) => {
    const space = ownSpace('agent');
    const replies = await agentLoop(goal, space, (at) => `line ${at}: all well`);
    expect(replies.map(({ cache, reason }) => [cache, reason])).toEqual(Array(10).fill(['miss', 'tool-turn']));
    expect(new Set(replies.map((reply) => reply.content)).size).toBe(10);
    replies.forEach((reply, at) => expect(reply.content).toContain(`line ${at}: all well`));
  });

  it.each(goals)('the same call again with the same and with a new result: %s', async (goal) => {
    const space = ownSpace('agent');
    const result = (at: number): string => (at < 6 ? 'still running' : `done after ${at} looks`);
    const replies = await agentLoop(goal, space, result, () => 'status.txt');
    expect(replies.map((reply) => reply.cache)).toEqual(Array(10).fill('miss'));
    replies.forEach((reply, at) => expect(reply.content).toContain(result(at)));
  });

  it.each(goals)('the same run again is answered from its own entries, up to where it differs: %s', async (goal) => {
    const space = ownSpace('agent');
    const first = await agentLoop(goal, space, (at) => `value ${at}`);
    const second = await agentLoop(goal, space, (at) => (at === 5 ? 'value changed' : `value ${at}`));
    expect(second.map((reply) => reply.cache)).toEqual([...Array(5).fill('hit-exact'), ...Array(5).fill('miss')]);
    expect(second.slice(0, 5).map((reply) => reply.content)).toEqual(first.slice(0, 5).map((reply) => reply.content));
    expect(second[5]?.content).toContain('value changed');
  });
});

describe('a conversation keeps its identity', () => {
  it.each(goals)('through ten tool turns, live and replayed: %s', async (goal) => {
    const space = ownSpace('identity');
    for (let run = 0; run < 2; run++) {
      const messages: Turn[] = [user(goal)];
      for (let at = 0; at < 10; at++) {
        const reply = await send(messages, space, { tools, tool_choice: 'required' });
        expect(reply.cache).toBe(run === 0 ? 'miss' : 'hit-exact');
        const { choices } = JSON.parse(reply.text) as {
          choices: { message: Turn & { tool_calls: { id: string }[] } }[];
        };
        const message = choices[0]?.message;
        if (message === undefined) throw new Error(reply.text);
        // As the OpenAI client hands it on: the whole message, with members that are null or empty.
        messages.push({ refusal: null, annotations: [], ...message });
        messages.push({ role: 'tool', tool_call_id: message.tool_calls[0]?.id, content: `result ${at}` });
      }
    }
    const { entries } = await onNamespace<{ entries: { conversation: string }[] }>(s, namespaceOf(space), 'entries');
    expect(entries).toHaveLength(10);
    expect(new Set(entries.map((entry) => entry.conversation)).size).toBe(1);
  });
});

const pixel = (byte: string): string => `data:image/png;base64,${Buffer.from(`picture ${byte}`).toString('base64')}`;
const picture = (byte: string): Turn => user([{ type: 'image_url', image_url: { url: pixel(byte) } }]);
const sound = (byte: string): Turn =>
  user([{ type: 'input_audio', input_audio: { data: Buffer.from(byte).toString('base64'), format: 'wav' } }]);
const withCall = (result: unknown): Turn[] => [
  user('Look at the picture.'),
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'c', content: result },
];

describe('case 11: a last message without text', () => {
  it.each<[string, readonly Turn[], readonly Turn[]]>([
    ['a picture only', [picture('a')], [picture('b')]],
    ['a sound only', [sound('a')], [sound('b')]],
    ['a picture after a question', [user('What is this?'), picture('a')], [user('What is that?'), picture('a')]],
    ['a tool result', withCall('4 rows'), withCall('5 rows')],
    ['a tool result in another language', withCall('четыре строки'), withCall('пять строк')],
    ['an empty tool result', withCall(''), withCall(' .')],
    ['the beginning of an answer', [user('Say it.'), assistant('It is')], [user('Say it.'), assistant('It was')]],
  ])('%s: no semantic lookup', async (_name, a, b) => {
    const space = ownSpace('no-text');
    const replies = [await send(a, space), await send(b, space), await send(a, space)];
    expect(replies.map((reply) => reply.cache)).toEqual(['miss', 'miss', 'hit-exact']);
    for (const reply of replies) expect(reply.headers.get('x-cache-similarity')).toBeNull();
    const stats = await onNamespace<Record<string, number>>(s, namespaceOf(space), 'stats');
    expect(stats['lookup'] ?? 0).toBe(0);
  });

  it('a text is looked up', async () => {
    const space = ownSpace('text');
    await send([user('What is a parcel shop?')], space);
    expect((await onNamespace<Record<string, number>>(s, namespaceOf(space), 'stats'))['lookup']).toBe(1);
  });
});

const spans: readonly (readonly [kind: string, prompt: (at: number) => string, pattern: string])[] = [
  ['uuid', (at) => `Session 0b7c1f2e-5d3a-4c1b-9e8f-00000000000${at} of the shop.`, '[0-9a-f-]{36}'],
  ['timestamp', (at) => `It is 2026-03-0${at} 10:15 now.`, '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d'],
  ['clock', (at) => `Uhrzeit: 10:15:0${at}. Antworte knapp.`, '\\d\\d:\\d\\d:\\d\\d'],
  ['epoch', (at) => `Marca de tiempo 177000000${at}. Sé breve.`, '\\b17\\d{8}\\b'],
  ['request-id', (at) => `request_id: abc-def-${at}xyz\nОтвечай кратко.`, 'abc-def-\\S+'],
];

describe('case 16: spans that change with every request', () => {
  const question = user('How do I reset my password?');

  it.each(spans)('%s: is counted, explained, and hidden by a rule', async (kind, prompt, pattern) => {
    const space = ownSpace('volatile');
    const ns = namespaceOf(space);
    const before = (await metric(s.url, 'reprise_volatile_spans_total')).get(`kind="${kind}"`) ?? 0;
    const replies = [
      await send([system(prompt(1)), question], space),
      await send([system(prompt(2)), question], space),
    ];
    expect(replies.map((reply) => reply.cache)).toEqual(['miss', 'miss']);
    expect((await metric(s.url, 'reprise_volatile_spans_total')).get(`kind="${kind}"`)).toBe(before + 2);
    const id = replies[1]?.headers.get('x-request-id') ?? '';
    const explained = await onNamespace<{ decision: { volatile: string[] } }>(s, ns, `explain/${id}`);
    expect(explained.decision.volatile).toContain(kind);

    await setPolicy(s, ns, { volatileMasks: [{ name: 'span', pattern }] });
    // The policy is in force with the next request.
    expect((await send([system(prompt(4)), question], space)).cache).toBe('miss');
    expect((await send([system(prompt(5)), question], space)).cache).toBe('hit-exact');
    const reworded = await send([system(prompt(6)), user('How can I reset my password?')], space);
    expect(reworded.cache).toBe('hit-semantic');
  });

  it('masks of the configuration hold everywhere, and only in the system prompt', async () => {
    const space = ownSpace('masked');
    const prompt = (at: number): Turn => system(`You work in shift no. ${at}.`);
    expect((await send([prompt(1), question], space)).cache).toBe('miss');
    expect((await send([prompt(22), question], space)).cache).toBe('hit-exact');
    expect((await send([system('You work in shift no. none.'), question], space)).cache).toBe('miss');
    expect((await send([prompt(1), user('Who works in shift no. 4?')], space)).cache).toBe('miss');
    expect((await send([prompt(1), user('Who works in shift no. 5?')], space)).cache).toBe('miss');
  });

  it('a system prompt without such spans is not counted', async () => {
    const total = async (): Promise<number> =>
      [...(await metric(s.url, 'reprise_volatile_spans_total')).values()].reduce((sum, value) => sum + value, 0);
    const before = await total();
    await send(
      [system('You are the help desk of a shop founded in 1998. Open from 9 to 5.'), question],
      ownSpace('calm'),
    );
    await send([system('Du bist der Kundendienst. Version 4.2, Artikel 12345.'), question], ownSpace('calm'));
    expect(await total()).toBe(before);
  });
});
