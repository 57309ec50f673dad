import { describe, expect, it } from 'vitest';
import { namespaceOf, onNamespace, setPolicy } from './support/admin.js';
import { ask, chat, ownSpace, post } from './support/chat.js';
import { suite } from './support/suite.js';

const s = suite({}, 2);
const other = (): string => s.gateways[1]?.url ?? '';
const both = (): readonly string[] => [s.url, other()];
const onlyCached = { 'cache-control': 'only-if-cached' };
const purge = (ns: string, filter: object): Promise<{ matched: number; removed: number }> =>
  onNamespace(s, ns, 'purge', 'POST', filter);

const tags = [
  'a',
  'a-b',
  'a:b',
  'a b',
  'a"b',
  "a'b",
  'a,b',
  'b',
  'A-B',
  'a\\b',
  'a%b',
  'a*',
  '*',
  '[a-z]',
  '{a}',
  '@tag:{a}',
  'größe',
  'größe'.normalize('NFD'),
  'étiquette № 7',
  '标签',
  'تصنيف',
  'тег',
  '🏷️',
  'x'.repeat(200),
];

describe('case 37: tags', () => {
  it('any value is exact: each purge takes its own entry and no other', async () => {
    const space = ownSpace('tags');
    const ns = namespaceOf(space);
    const question = (at: number) => ask(`What is item number ${at} of the list?`);
    for (const [at, tag] of tags.entries()) {
      const reply = await chat(s.url, question(at), { ...space, 'x-reprise-tags': encodeURIComponent(tag) });
      expect(reply.cache).toBe('miss');
    }
    for (const [at, tag] of tags.entries()) {
      expect(await purge(ns, { tag }), tag).toMatchObject({ dryRun: true, matched: 1, removed: 0 });
      expect(await purge(ns, { tag, dry_run: false }), tag).toMatchObject({ matched: 1, removed: 1 });
      const cached = [at, at + 1].filter((place) => place < tags.length);
      for (const place of cached) {
        const { status } = await chat(other(), question(place), { ...space, ...onlyCached });
        expect([tag, status]).toEqual([tag, place === at ? 504 : 200]);
      }
    }
  });

  it.each<[string, string, readonly string[], readonly string[]]>([
    ['a list', 'one, two ,three', ['one', 'two', 'three'], ['one, two', ' two', 'one,two,three']],
    ['commas inside', 'red%2Cgreen,blue', ['red,green', 'blue'], ['red', 'green']],
    ['per cent inside', '100%25,50%', ['100%', '50%'], ['100%25', '100']],
    ['as it stands', "a:b-c d'e", ["a:b-c d'e"], ['a', 'b']],
    ['UTF-8 as it stands', Buffer.from('größe,标签').toString('latin1'), ['größe', '标签'], ['grÃ¶Ã\u009fe']],
    ['empty ones', ',,x,, ,', ['x'], [' ', ',']],
    ['signs too long', encodeURIComponent('标'.repeat(199)), [], ['标'.repeat(199)]],
  ])('a header with %s', async (_name, header, found, absent) => {
    const space = ownSpace('tags');
    const ns = namespaceOf(space);
    await chat(s.url, ask('What is a tag?'), { ...space, 'x-reprise-tags': header });
    for (const tag of absent) expect(await purge(ns, { tag }), tag).toMatchObject({ matched: 0 });
    for (const tag of found) expect(await purge(ns, { tag }), tag).toMatchObject({ matched: 1 });
  });

  it('more and longer tags than allowed cost nothing but themselves', async () => {
    const space = ownSpace('tags');
    const header = ['y'.repeat(201), ...Array.from({ length: 40 }, (_, at) => `t${at}`)].join(',');
    await chat(s.url, ask('What is a tag?'), { ...space, 'x-reprise-tags': header });
    const ns = namespaceOf(space);
    expect(await purge(ns, { tag: 't31' })).toMatchObject({ matched: 1 });
    for (const tag of ['t32', 'y'.repeat(201), 'y'.repeat(200)])
      expect(await purge(ns, { tag })).toMatchObject({ matched: 0 });
  });

  it('of embeddings', async () => {
    const space = ownSpace('tags');
    const embed = () =>
      post(s.url, '/v1/embeddings', { model: 'demo-embedding', input: 'one' }, { ...space, 'x-reprise-tags': 'a%2Cb' });
    expect([(await embed()).cache, (await embed()).cache]).toEqual(['miss', 'hit-exact']);
    expect(await purge(namespaceOf(space), { tag: 'a,b', dry_run: false })).toMatchObject({ removed: 1 });
    expect((await embed()).cache).toBe('miss');
  });
});

describe('case 39: the age of an answer', () => {
  it.each(['How do I reset my password?', 'Wie lange ist die Garantie?', '送料はいくらですか？'])(
    'a shorter maxAgeMs is in force with the next request of every replica: %s',
    async (question) => {
      const space = ownSpace('shorter');
      const embed = (url: string) =>
        post(url, '/v1/embeddings', { model: 'demo-embedding', input: question }, space).then(({ cache }) => cache);
      for (const url of both()) {
        await chat(url, ask(question), space);
        await embed(url);
        expect([(await chat(url, ask(question), space)).cache, await embed(url)]).toEqual(['hit-exact', 'hit-exact']);
      }
      await setPolicy(s, namespaceOf(space), { maxAgeMs: 1_000 });
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      const [first = s.url, second = s.url] = both();
      expect(await embed(first)).toBe('miss');
      const reply = await chat(second, ask(question), { ...space, 'x-reprise-mode': 'read_only' });
      expect(reply.cache).toBe('miss');
    },
  );

  it.each([
    ['How do I reset my password?', 'How can I reset my password?'],
    ['Wie lange ist die Garantie?', 'Wie lange ist die Garantie?'],
    ['送料はいくらですか？', '送料はいくらですか？'],
  ])('never exceeds maxAgeMs, however often it is used: %s', async (a, b) => {
    const space = ownSpace('age');
    const maxAgeMs = 1_200;
    await setPolicy(s, namespaceOf(space), { maxAgeMs });
    // Both replicas learn of it.
    for (const url of both()) await chat(url, ask('Hello there.'), { ...space, 'x-reprise-mode': 'read_only' });
    /** When the answer that became an entry had been received: it was generated before. */
    const received = new Map<string, number>();
    const outcomes: (string | null)[] = [];
    let newest = 0;
    for (const until = Date.now() + 4 * maxAgeMs; Date.now() < until;) {
      for (const [at, text] of [a, b].entries()) {
        const askedMs = Date.now();
        const reply = await chat(both()[at] ?? s.url, ask(text), space);
        outcomes.push(reply.cache);
        if (reply.cache === 'miss') {
          newest = Date.now();
          // A fresh answer that is equal to the stored one renews its entry under the same id.
          received.clear();
        }
        if (reply.cache !== 'hit-exact' && reply.cache !== 'hit-semantic') continue;
        const entry = reply.headers.get('x-cache-entry') ?? '';
        const bornMs = received.get(entry) ?? newest;
        received.set(entry, bornMs);
        expect(askedMs - bornMs, `${reply.cache} of ${entry}`).toBeLessThan(maxAgeMs);
        expect(Number(reply.headers.get('age'))).toBeLessThanOrEqual(maxAgeMs / 1000);
      }
    }
    expect(outcomes.filter((outcome) => outcome === 'hit-exact').length).toBeGreaterThan(3);
    expect(outcomes.filter((outcome) => outcome === 'miss').length).toBeGreaterThan(2);
  });

  it.each([
    ['How do I reset my password?', 'How can I reset my password?'],
    ['Wie ändere ich mein Passwort?', 'wie ändere ich mein Passwort'],
    ['パスワードを変更するには？', 'パスワードを変更するには'],
  ])('nor in the semantic tier, where nothing is stored meanwhile: %s', async (a, b) => {
    const space = ownSpace('age');
    const ns = namespaceOf(space);
    const asked = { ...space, 'x-reprise-mode': 'read_only' };
    const hour = 3_600_000;
    await setPolicy(s, ns, { maxAgeMs: hour });
    await chat(s.url, ask(a), space);
    for (const url of both()) {
      for (let time = 0; time < 3; time++) expect((await chat(url, ask(b), asked)).cache).toBe('hit-semantic');
    }
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    for (const url of both()) {
      const younger = { ...asked, 'cache-control': 'max-age=1' };
      const refused = await chat(url, ask(b), younger);
      expect([refused.cache, refused.reason]).toEqual(['miss', 'no-candidate']);
      expect((await chat(url, ask(b), asked)).cache).toBe('hit-semantic');
    }
    // The uses have not made it any younger, and neither replica has to be told.
    await setPolicy(s, ns, { maxAgeMs: 1_000 });
    for (const url of both()) {
      const late = await chat(url, ask(b), asked);
      expect([late.cache, late.reason]).toEqual(['miss', 'no-candidate']);
    }
  });

  it("the caller's own limit holds for one request", async () => {
    const space = ownSpace('age');
    for (const question of ['How do I pay?', 'Wie kann ich zahlen?', '¿Cómo puedo pagar?']) {
      await chat(s.url, ask(question), space);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      const asked = { ...space, 'x-reprise-mode': 'read_only' };
      expect((await chat(s.url, ask(question), { ...asked, 'cache-control': 'max-age=1' })).cache).toBe('miss');
      expect((await chat(s.url, ask(question), { ...asked, 'cache-control': 'max-age=60' })).cache).toBe('hit-exact');
    }
  });

  it('a time to live ends service of its tier only', async () => {
    const space = ownSpace('age');
    await setPolicy(s, namespaceOf(space), { exactTtlMs: 600_000, semanticTtlMs: 1 });
    await chat(s.url, ask('Hello there.'), { ...space, 'x-reprise-mode': 'read_only' });
    await chat(s.url, ask('How do I reset my password?'), space);
    expect(
      (await chat(s.url, ask('How can I reset my password?'), { ...space, 'x-reprise-mode': 'read_only' })).cache,
    ).toBe('miss');
    expect((await chat(s.url, ask('How do I reset my password?'), space)).cache).toBe('hit-exact');
  });
});
