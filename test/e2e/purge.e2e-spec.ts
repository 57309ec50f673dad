import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespaceOf, onNamespace } from './support/admin.js';
import { ask, chat, type ChatReply, model, ownSpace, post } from './support/chat.js';
import { openPlain, tracesOf } from './support/key-dump.js';
import { eventually } from './support/process.js';
import { suite } from './support/suite.js';

const s = suite({}, 2);
type Space = Record<string, string>;
let redis: Redis;
beforeAll(async () => {
  redis = await openPlain(s.redisUrl);
});
afterAll(() => redis.quit());

const other = (): string => s.gateways[1]?.url ?? '';
const both = (): readonly string[] => [s.url, other()];
const onlyCached = { 'cache-control': 'only-if-cached' };

interface Purged {
  readonly dryRun: boolean;
  readonly matched: number;
  readonly removed: number;
  readonly sample: readonly string[];
}
const purge = (ns: string, filter: object): Promise<Purged> => onNamespace(s, ns, 'purge', 'POST', filter);

/** Words that stand in no other text of the machine. */
let marks = 0;
const mark = (): string => `zq${process.pid.toString(36)}x${Date.now().toString(36)}x${marks++}`;

interface Seeded {
  readonly word: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Space;
  readonly reply: ChatReply;
}

/** An entry with an own word in question and answer, asked for once more by an equal and by a similar request. */
async function seed(
  space: Space,
  { headers = {}, extra = {} }: { headers?: Space; extra?: Readonly<Record<string, unknown>> } = {},
): Promise<Seeded> {
  const word = mark();
  const all = { ...space, ...headers };
  const body = ask(`How do I clean the ${word} filter?`, extra);
  const reply = await chat(s.url, body, all);
  expect(reply.cache).toBe('miss');
  expect(reply.text).toContain(word);
  const hit = await chat(other(), body, all);
  expect(hit.cache).toBe('hit-exact');
  // Other requests whose decisions look at the entry.
  await chat(s.url, ask(`How can I clean the ${word} filter?`, extra), { ...all, ...onlyCached });
  await chat(s.url, ask(`How do I clean the ${word} filter at night?`, extra), {
    ...all,
    ...onlyCached,
  });
  return { word, body, headers: all, reply: hit };
}

const entryOf = (seeded: Seeded): string => seeded.reply.headers.get('x-cache-entry') ?? '';
const isCached = async (url: string, { body, headers }: Seeded): Promise<boolean> =>
  (await chat(url, body, { ...headers, ...onlyCached })).status === 200;

/** Conversations of a namespace that waiting jobs name. */
async function waiting(ns: string): Promise<number> {
  const named = new Set<string>();
  for await (const keys of redis.scanStream({ match: '{rpq}:conversation:*', type: 'hash', count: 1000 })) {
    for (const key of keys as string[]) {
      const data = await redis.hget(key, 'data');
      if (data === null) continue;
      const { conversations } = JSON.parse(data) as { conversations: { ns: string; conversation: string }[] };
      for (const one of conversations) if (one.ns === ns) named.add(one.conversation);
    }
  }
  return named.size;
}

describe('case 40: purges', () => {
  /** Purges and looks: told first, gone on all replicas with the next request, nothing left, nothing else touched. */
  async function purges(
    ns: string,
    filter: object | (() => object),
    gone: readonly Seeded[],
    kept: readonly Seeded[],
  ): Promise<void> {
    const ids = gone.map(entryOf);
    const which = (): object => (typeof filter === 'function' ? (filter as () => object)() : filter);
    const told = await purge(ns, which());
    expect([told.dryRun, told.matched, told.removed, [...told.sample].sort()]).toEqual([
      true,
      gone.length,
      0,
      ids.sort(),
    ]);
    for (const one of [...gone, ...kept]) expect(await isCached(other(), one)).toBe(true);
    await settled();
    expect(await purge(ns, { ...which(), dry_run: false })).toMatchObject({
      matched: gone.length,
      removed: gone.length,
    });
    expect(await tracesOf(redis, ns, [...gone.map((one) => one.word), ...ids])).toEqual([]);
    for (const one of kept) expect(await tracesOf(redis, ns, [one.word])).not.toEqual([]);
    for (const url of both()) {
      expect(await Promise.all(gone.map((one) => isCached(url, one)))).toEqual(gone.map(() => false));
      expect(await Promise.all(kept.map((one) => isCached(url, one)))).toEqual(kept.map(() => true));
    }
    expect((await onNamespace<{ problems: string[] }>(s, ns, 'check')).problems).toEqual([]);
    expect(await purge(ns, which())).toMatchObject({ matched: 0 });
  }

  /** What requests write after their answers (decisions, conversations) has arrived. */
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 250));

  it('by tag', async () => {
    const space = ownSpace('purge');
    const [a, b, c] = [
      await seed(space, { headers: { 'x-reprise-tags': 'news,today' } }),
      await seed(space, { headers: { 'x-reprise-tags': 'news' } }),
      await seed(space, { headers: { 'x-reprise-tags': 'today,newsletter' } }),
    ];
    await purges(namespaceOf(space), { tag: 'news' }, [a, b], [c, await seed(space)]);
  });

  it('by model', async () => {
    const space = ownSpace('purge');
    const large = await seed(space, { extra: { model: 'reprise-demo-large' } });
    await purges(namespaceOf(space), { model: 'reprise-demo-large' }, [large], [await seed(space)]);
  });

  it('by key', async () => {
    const space = ownSpace('purge');
    const ns = namespaceOf(space);
    const [a, b] = [await seed(space), await seed(space)];
    const { entries } = await onNamespace<{ entries: { id: string; exactKeys: string }[] }>(s, ns, 'entries');
    const key = entries.find((entry) => entry.id === entryOf(a))?.exactKeys;
    await purges(ns, { exact_key: key }, [a], [b]);
  });

  it('by entry', async () => {
    const space = ownSpace('purge');
    const [a, b] = [await seed(space), await seed(space)];
    await purges(namespaceOf(space), { entry_id: entryOf(a) }, [a], [b]);
  });

  it('by age', async () => {
    const space = ownSpace('purge');
    const old = [await seed(space), await seed(space)];
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const bornMs = Date.now();
    const young = await seed(space);
    const filter = (): object => ({ older_than_ms: Date.now() - bornMs + 200 });
    await purges(namespaceOf(space), filter, old, [young]);
  });

  it.each(['anna@example.com', 'user 7', 'ユーザー', '0123456789abcdef01234567'])('by end user %j', async (user) => {
    const space = ownSpace('purge');
    const mine = [
      await seed(space, { extra: { user } }),
      await seed(space, { extra: { safety_identifier: user, user: 'somebody else' } }),
    ];
    const others = [await seed(space, { extra: { user: `${user}2` } }), await seed(space)];
    await purges(namespaceOf(space), { user }, mine, others);
  });

  it.each(['ticket 42', 'разговор-1', 'req_0123', 'x-1'])(
    'by conversation %j, as its header names it',
    async (name) => {
      const space = ownSpace('purge');
      const inside = { headers: { 'x-reprise-conversation': Buffer.from(name).toString('latin1') } };
      const mine = [await seed(space, inside), await seed(space, inside)];
      const others = [
        await seed(space, { headers: { 'x-reprise-conversation': `${name.length}` } }),
        await seed(space),
      ];
      await purges(namespaceOf(space), { conversation: name }, mine, others);
    },
  );

  it('by conversation, as the list of entries names it', async () => {
    const space = ownSpace('purge');
    const ns = namespaceOf(space);
    const [first, follow] = [mark(), mark()];
    const opening = [{ role: 'user', content: `Tell me about ${first} in general.` }];
    const answer = await chat(s.url, { model, messages: opening }, space);
    const body = {
      model,
      messages: [
        ...opening,
        { role: 'assistant', content: answer.content },
        { role: 'user', content: `And about ${follow}?` },
      ],
    };
    await chat(other(), body, space);
    const kept = await seed(space);
    const { entries } = await onNamespace<{ entries: { id: string; conversation: string }[] }>(s, ns, 'entries');
    const conversations = new Map(entries.map((entry) => [entry.id, entry.conversation]));
    const hit = await chat(s.url, body, space);
    const conversation = conversations.get(hit.headers.get('x-cache-entry') ?? '');
    const gone: Seeded[] = [
      { word: follow, body, headers: space, reply: hit },
      {
        word: first,
        body: { model, messages: opening },
        headers: space,
        reply: await chat(s.url, { model, messages: opening }, space),
      },
    ];
    await purges(ns, { conversation }, gone, [kept]);
    expect(await tracesOf(redis, ns, [conversation ?? '?'])).toEqual([]);
  });

  it('of a whole namespace', async () => {
    const space = ownSpace('purge');
    const ns = namespaceOf(space);
    const neighbour = await seed(ownSpace('purge'));
    const all = [
      await seed(space, { headers: { 'x-reprise-tags': 'a' } }),
      await seed(space, { extra: { user: 'u' } }),
    ];
    const words = all.map((one) => one.word);
    const requests = all.map((one) => one.reply.headers.get('x-request-id') ?? '?');
    await purges(ns, { all: true }, all, []);
    expect(words).toHaveLength(2);
    expect(await tracesOf(redis, ns, requests)).toEqual([]);
    expect(await isCached(other(), neighbour)).toBe(true);
  });

  it.each(['conversation', 'namespace'])('takes a purged %s out of the jobs that wait', async (what) => {
    const space = ownSpace('purge');
    const ns = namespaceOf(space);
    await seed(space, { headers: { 'x-reprise-conversation': 'leaving' } });
    await seed(space, { headers: { 'x-reprise-conversation': 'staying' } });
    await eventually(async () => (await waiting(ns)) === 2);
    const filter = what === 'namespace' ? { all: true } : { conversation: 'leaving' };
    await purge(ns, filter);
    expect(await waiting(ns)).toBe(2);
    await purge(ns, { ...filter, dry_run: false });
    expect(await waiting(ns)).toBe(what === 'namespace' ? 0 : 1);
  });

  it.each([
    ['tag', { tag: 'x' }],
    ['user', { user: 'u' }],
    ['model', { model }],
    ['age', { older_than_ms: 0 }],
  ])('by %s takes the texts of the namespace that wait to be judged, and no other', async (_, filter) => {
    const ns = namespaceOf(ownSpace('purge'));
    const connection = await openPlain(s.redisUrl);
    const queue = new Queue('judge', { connection, prefix: '{rpq}' });
    try {
      // Not before a worker of another suite can take it.
      for (const name of [ns, `${ns}-beside`]) await queue.add('judge-reuse', { ns: name }, { delay: 3_600_000 });
      const left = async (): Promise<string[]> =>
        (await queue.getDelayed())
          .map(({ data }) => (data as { ns: string }).ns)
          .filter((name) => name.startsWith(ns))
          .sort();
      await purge(ns, filter);
      expect(await left()).toEqual([ns, `${ns}-beside`]);
      await purge(ns, { ...filter, dry_run: false });
      expect(await left()).toEqual([`${ns}-beside`]);
      await purge(`${ns}-beside`, { all: true, dry_run: false });
    } finally {
      await queue.close();
      connection.disconnect();
    }
  });

  it('of a tenant: all of its namespaces, and none of another tenant', async () => {
    const keys = [mark(), mark()];
    const [mine, foreign] = [keys[0], keys[1]].map((key): Space => ({ authorization: `Bearer ${key}` }));
    const subs: Space[] = [{}, ownSpace('sub'), ownSpace('sub'), { 'x-reprise-namespace': 'größe & { more }' }];
    const own = await Promise.all(subs.map((sub) => seed({ ...mine, ...sub })));
    const kept = await Promise.all(subs.map((sub) => seed({ ...foreign, ...sub })));
    const word = mark();
    const memory = { text: `Remember ${word}.` };
    const beside = { ...mine, ...ownSpace('memories') };
    expect((await post(s.url, '/v1/memory', memory, beside)).status).toBeLessThan(300);
    const purgeTenant = async (body: object): Promise<Purged & { namespaces: string[] }> => {
      const reply = await fetch(`${s.url}/admin/api/tenants/${namespaceOf({}, keys[0])}/purge`, {
        method: 'POST',
        headers: { authorization: `Bearer ${s.adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(reply.status).toBe(200);
      return (await reply.json()) as Purged & { namespaces: string[] };
    };
    const told = await purgeTenant({ all: true });
    expect([told.dryRun, told.matched, told.removed, told.namespaces.length]).toEqual([true, own.length + 1, 0, 5]);
    for (const one of [...own, ...kept]) expect(await isCached(s.url, one)).toBe(true);
    expect(await purgeTenant({ all: true, dry_run: false })).toMatchObject({ removed: own.length + 1 });
    const words = [word, ...own.map((one) => one.word)];
    for (const ns of told.namespaces.flatMap((name) => [name, `${name}~memory`]))
      expect(await tracesOf(redis, ns, words)).toEqual([]);
    for (const url of both()) {
      for (const one of own) expect(await isCached(url, one)).toBe(false);
      for (const one of kept) expect(await isCached(url, one)).toBe(true);
    }
    expect((await purgeTenant({ all: true })).matched).toBe(0);
  });

  it('by two marks at once, both must fit', async () => {
    const space = ownSpace('purge');
    const tagged = { 'x-reprise-tags': 'x' };
    const fits = await seed(space, { headers: tagged, extra: { user: 'u' } });
    const kept = [await seed(space, { headers: tagged }), await seed(space, { extra: { user: 'u' } })];
    await purges(namespaceOf(space), { tag: 'x', user: 'u' }, [fits], kept);
  });

  it.each([{}, { dry_run: false }, { all: false }, { tag: '' }, { older_than_ms: -1 }, { everything: true }])(
    '%j purges nothing and is refused',
    async (filter) => {
      const space = ownSpace('purge');
      const one = await seed(space);
      await expect(purge(namespaceOf(space), filter)).rejects.toThrow('400');
      expect(await isCached(other(), one)).toBe(true);
    },
  );
});
