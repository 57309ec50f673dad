import { describe, expect, it } from 'vitest';
import { ask, chat, type ChatReply, ownSpace, post } from './support/chat.js';
import { suite } from './support/suite.js';

const s = suite({}, 2);
const questions = ['How do I reset my password?', '¿Cómo cambio mi contraseña?', 'كيف أغير كلمة المرور؟'];
/** A message and another that the semantic tier answers from it. */
const reworded: readonly (readonly [string, string])[] = [
  ['How do I reset my password?', 'How can I reset my password?'],
  ['¿Cómo cambio mi contraseña?', 'Cómo cambio mi contraseña'],
  ['كيف أغير كلمة المرور؟', 'كيف أغير كلمة المرور'],
  ['パスワードを変更するには？', 'パスワードを変更するには'],
];
const key = (name: string) => ({ authorization: `Bearer ${name}-${process.pid}-${Date.now()}` });
const other = (): string => s.gateways[1]?.url ?? '';
const admin = (path: string, method = 'POST', body?: unknown) =>
  fetch(`${s.url}/admin/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${s.adminToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe('case 17: tenants never meet', () => {
  it.each(reworded)('exact and semantic tier: %s', async (question, similar) => {
    const [a, b] = [key('a'), key('b')];
    const reading = { 'x-reprise-mode': 'read_only' };
    expect((await chat(s.url, ask(question), a)).cache).toBe('miss');
    for (const url of [s.url, other()]) {
      expect((await chat(url, ask(question), { ...b, ...reading })).cache).toBe('miss');
      expect((await chat(url, ask(similar), { ...b, ...reading })).cache).toBe('miss');
      expect((await chat(url, ask(question), a)).cache).toBe('hit-exact');
      expect((await chat(url, ask(similar), { ...a, ...reading })).cache).toBe('hit-semantic');
    }
  });

  it.each([
    ['Basic', (name: string) => ({ authorization: `Basic ${Buffer.from(`${name}:x`).toString('base64')}` })],
    ['a scheme of its own', (name: string) => ({ authorization: `Token ${name}` })],
    ['no scheme', (name: string) => ({ authorization: `sk-${name}` })],
    ['Bearer and more words', (name: string) => ({ authorization: `Bearer ${name} secret` })],
    ['api-key', (name: string) => ({ authorization: '', 'api-key': name })],
    ['x-api-key', (name: string) => ({ authorization: '', 'x-api-key': name })],
    ['x-goog-api-key', (name: string) => ({ authorization: '', 'x-goog-api-key': name })],
    ['a cookie', (name: string) => ({ authorization: '', cookie: `session=${name}` })],
    ['one key, two other keys', (name: string) => ({ 'x-api-key': name })],
    ['one key, two versions', (name: string) => ({ 'openai-beta': name })],
    ['one key, two organizations', (name: string) => ({ 'openai-organization': `org-${name}` })],
    ['one key, two projects', (name: string) => ({ 'openai-project': `proj-${name}` })],
  ])('whatever the credential is: %s', async (_, credential) => {
    const own = `${process.pid}-${Date.now()}`;
    const [a, b] = [credential(`alice-${own}`), credential(`bob-${own}`)];
    for (const question of questions) {
      expect((await chat(s.url, ask(question), a)).cache).toBe('miss');
      expect((await chat(other(), ask(question), b)).cache).toBe('miss');
      expect((await chat(other(), ask(question), a)).cache).toBe('hit-exact');
    }
  });

  it.each(['/v1/chat/completions', '/v1/embeddings'])('a key in the URL of %s', async (path) => {
    const own = `${process.pid}-${Date.now()}`;
    for (const question of questions) {
      const body = path.endsWith('embeddings') ? { model: 'reprise-demo', input: question } : ask(question);
      const outcome = async (name: string) => (await post(s.url, `${path}?key=${name}-${own}`, body)).cache;
      expect(await outcome('alice')).toBe('miss');
      expect(await outcome('bob')).toBe('miss');
      expect(await outcome('alice')).toBe('hit-exact');
    }
  });

  it('feedback cannot reach another tenant, by request or by entry', async () => {
    const [a, b] = [key('a'), key('b')];
    const stored = await chat(s.url, ask(questions[0] as string), a);
    const hit = await chat(s.url, ask(questions[0] as string), a);
    const entry = hit.headers.get('x-cache-entry');
    for (const body of [
      { entry_id: entry, verdict: 'wrong' },
      { request_id: hit.headers.get('x-request-id'), verdict: 'wrong' },
    ]) {
      expect((await post(s.url, '/v1/feedback', body, b)).status).toBe(404);
    }
    expect(stored.cache).toBe('miss');
    expect((await chat(s.url, ask(questions[0] as string), a)).cache).toBe('hit-exact');
    expect((await post(s.url, '/v1/feedback', { entry_id: entry, verdict: 'wrong' }, a)).status).toBe(200);
  });

  it('single-flight does not join two tenants', async () => {
    const before = s.upstream.stats().chat;
    const replies = await Promise.all(
      [key('a'), key('b')].map((who) => chat(s.url, ask('What is a parcel shop?'), who)),
    );
    expect(replies.map((reply) => reply.cache)).toEqual(['miss', 'miss']);
    expect(s.upstream.stats().chat).toBe(before + 2);
  });

  it.each(['', 'Bearer wrong', 'Bearer test-key', 'Basic dGVzdA=='])(
    'admin endpoints need their own token, not %j',
    async (authorization) => {
      for (const path of ['namespaces', 'namespaces/anonymous/entries', 'namespaces/anonymous/explain/x']) {
        const reply = await fetch(`${s.url}/admin/api/${path}`, { headers: { authorization } });
        expect(reply.status).toBe(401);
        expect(await reply.json()).toMatchObject({ error: { code: 'RP_ERR_UNAUTHENTICATED' } });
      }
      expect((await admin('namespaces', 'GET')).status).toBe(200);
    },
  );
});

describe('case 18: headers only tighten', () => {
  it('a mode above the configured one is ignored and named', async () => {
    const space = ownSpace('loosen');
    const who = key('loosen');
    const ns = `k-${await digest(who.authorization.slice(7))}:${space['x-reprise-namespace'] as string}`;
    expect((await admin(`namespaces/${encodeURIComponent(ns)}/policy`, 'PUT', { mode: 'off' })).status).toBe(200);
    const ask1 = (headers: object) => chat(s.url, ask('How do I pay?'), { ...space, ...who, ...headers });
    for (const mode of ['on', 'read_only', 'write_only', 'shadow']) {
      const reply = await ask1({ 'x-reprise-mode': mode });
      expect(reply.cache).toBe('bypass');
      expect(reply.reason).toBe('mode-off; ignored=x-reprise-mode');
    }
  });

  it.each([
    ['x-reprise-max-risk', '0.9'],
    ['cache-control', 'max-age=999999999'],
  ])('%s: %s is ignored and named', async (name, value) => {
    const reply = await chat(s.url, ask('How do I pay?'), { ...ownSpace('risk'), [name]: value });
    expect(reply.reason).toMatch(/; ignored=(x-reprise-max-risk|max-age)$/);
  });

  it.each(['yes', '-1', '2', 'NaN', '1e-1', ''])('an unreadable risk %j changes nothing', async (value) => {
    expect((await chat(s.url, ask('How do I pay?'), { ...ownSpace('risk'), 'x-reprise-max-risk': value })).status).toBe(
      200,
    );
  });

  it('a smaller risk than the budget turns the uncalibrated rule off', async () => {
    const space = ownSpace('risk');
    await chat(s.url, ask('How do I reset my password?'), space);
    const strict = await chat(s.url, ask('How can I reset my password?'), {
      ...space,
      'x-reprise-max-risk': '0.01',
      'x-reprise-mode': 'read_only',
    });
    expect([strict.cache, strict.reason]).toEqual(['miss', 'max-risk']);
    expect((await chat(s.url, ask('How can I reset my password?'), space)).cache).toBe('hit-semantic');
  });

  it.each([
    ['off', ['bypass', 'bypass']],
    ['write_only', ['miss', 'miss']],
    ['read_only', ['miss', 'miss']],
    ['shadow', ['miss', 'miss']],
  ])('mode %s tightens', async (mode, expected) => {
    const space = { ...ownSpace('mode'), 'x-reprise-mode': mode };
    const body = ask('What is a voucher?');
    expect([(await chat(s.url, body, space)).cache, (await chat(s.url, body, space)).cache]).toEqual(expected);
    const stored = mode === 'write_only' || mode === 'shadow';
    const { 'x-reprise-mode': _mode, ...open } = space;
    expect((await chat(s.url, body, { ...open, 'cache-control': 'only-if-cached' })).status).toBe(stored ? 200 : 504);
  });

  it('shadow says what would have been served', async () => {
    const space = ownSpace('shadow');
    await chat(s.url, ask('How do I reset my password?'), space);
    const asked = { ...space, 'x-reprise-mode': 'shadow' };
    expect((await chat(s.url, ask('How do I reset my password?'), asked)).headers.get('x-cache-shadow')).toBe(
      'hit-exact',
    );
    expect((await chat(s.url, ask('How can I reset my password?'), asked)).headers.get('x-cache-shadow')).toBe(
      'hit-semantic',
    );
  });

  it.each([
    '..',
    '../b',
    'b}',
    '{b}',
    'rp:{b}',
    'a:b',
    'x'.repeat(3000),
    '%00',
    'ns\tname',
    'h-0123456789abcdef01234567',
    '*',
    'naïve',
  ])('a sub-namespace %j stays inside its tenant', async (name) => {
    const [a, b] = [key('a'), key('b')];
    const space = { 'x-reprise-namespace': Buffer.from(name).toString('latin1') };
    expect((await chat(s.url, ask('How do I pay?'), { ...a, ...space })).cache).toBe('miss');
    expect((await chat(s.url, ask('How do I pay?'), { ...a, ...space })).cache).toBe('hit-exact');
    for (const who of [a, b]) {
      expect((await chat(s.url, ask('How do I pay?'), { ...who, 'x-reprise-mode': 'read_only' })).cache).toBe('miss');
    }
    expect((await chat(s.url, ask('How do I pay?'), { ...b, ...space })).cache).toBe('miss');
  });
});

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(bytes).toString('hex').slice(0, 16);
}

async function fullDigest(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex');
}

describe('case 19: in force at the next request, on every replica', () => {
  const both = async (send: (url: string) => Promise<ChatReply>): Promise<ChatReply[]> => [
    await send(other()),
    await send(s.url),
  ];

  it('a revoked key is refused, and let in again', async () => {
    const who = key('revoked');
    const secret = who.authorization.slice(7);
    await chat(s.url, ask('How do I pay?'), who);
    await admin('keys/revoke', 'POST', { key_sha256: await fullDigest(secret) });
    for (const reply of await both((url) => chat(url, ask('How do I pay?'), who))) {
      expect(reply.status).toBe(401);
      expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'RP_ERR_KEY_REVOKED' } });
    }
    const models = await fetch(`${other()}/v1/models`, { headers: who });
    expect(models.status).toBe(401);
    await admin('keys/revoke', 'POST', { key_sha256: await fullDigest(secret), revoked: false });
    for (const reply of await both((url) => chat(url, ask('How do I pay?'), who)))
      expect(reply.cache).toBe('hit-exact');
  });

  it('a policy without the semantic tier, a pause and a resume', async () => {
    const who = key('policy');
    const ns = encodeURIComponent(`k-${await digest(who.authorization.slice(7))}`);
    const exact = (url: string) => chat(url, ask('How do I reset my password?'), who);
    const semantic = (url: string) =>
      chat(url, ask('How can I reset my password?'), { ...who, 'x-reprise-mode': 'read_only' });
    await exact(s.url);
    for (const reply of await both(semantic)) expect(reply.cache).toBe('hit-semantic');
    await admin(`namespaces/${ns}/policy`, 'PUT', { coldStart: 'none' });
    for (const reply of await both(semantic)) expect([reply.cache, reply.reason]).toEqual(['miss', 'semantic-off']);
    await admin(`namespaces/${ns}/pause`);
    for (const reply of await both(exact)) expect([reply.cache, reply.reason]).toEqual(['bypass', 'paused']);
    await admin(`namespaces/${ns}/pause`, 'DELETE');
    for (const reply of await both(exact)) expect(reply.cache).toBe('hit-exact');
  });

  it.each([
    ['negation', 'Wie kann ich zahlen?', 'Wie kann ich nicht zahlen?'],
    ['negation', 'How can I pay?', 'How can I not pay?'],
    ['time-dependent', 'What is the weather today?', 'What is the weather like today?'],
    ['case', 'Who is US?', 'Who is us?'],
    ['tense', 'How do I pay?', 'How did I pay?'],
    ['pronoun', 'Can I pay?', 'Can you pay?'],
    ['question-type', 'How can I pay?', 'Where can I pay?'],
    ['order', 'Does Anna know Ben?', 'Does Ben know Anna?'],
  ])('a guard that is switched on, which a moment before was off: %s: %s / %s', async (guard, stored, asked) => {
    const who = key('guard');
    const ns = `k-${await digest(who.authorization.slice(7))}`;
    const policy = (disabled: readonly string[]) =>
      admin(`namespaces/${encodeURIComponent(ns)}/policy`, 'PUT', {
        guards: { disabled },
        strictSimilarity: { minCosine: 0.5 },
      });
    await policy([guard]);
    const { content } = await chat(s.url, ask(stored), who);
    const again = (url: string) => chat(url, ask(asked), { ...who, 'x-reprise-mode': 'read_only' });
    for (const reply of await both(again)) expect([reply.cache, reply.content]).toEqual(['hit-semantic', content]);
    await policy([]);
    for (const reply of await both(again)) expect([reply.cache, reply.reason]).toEqual(['miss', guard]);
  });

  it('a policy that is not valid is refused and changes nothing', async () => {
    const reply = await admin('namespaces/anonymous/policy', 'PUT', { mode: 'sometimes', capacity: -1 });
    expect(reply.status).toBe(400);
    const { error } = (await reply.json()) as { error: { message: string } };
    expect(error.message).toMatch(/mode.*capacity|capacity.*mode/s);
  });

  it('case 43: a wrong answer is out of service on all replicas before feedback answers', async () => {
    for (const by of ['request_id', 'entry_id']) {
      const who = key('wrong');
      for (const question of questions) {
        await chat(s.url, ask(question), who);
        const hit = await chat(other(), ask(question), who);
        expect(hit.cache).toBe('hit-exact');
        const id = hit.headers.get(by === 'request_id' ? 'x-request-id' : 'x-cache-entry');
        const said = await post(s.url, '/v1/feedback', { [by]: id, verdict: 'wrong' }, who);
        expect([said.status, said.text]).toEqual([200, expect.stringContaining('"quarantined":true')]);
        const replies = await Promise.all(
          [s.url, other()].map((url) => chat(url, ask(question), { ...who, 'cache-control': 'only-if-cached' })),
        );
        expect(replies.map((reply) => reply.status)).toEqual([504, 504]);
        // The same bad answer, generated again, does not come back.
        expect((await chat(s.url, ask(question), who)).cache).toBe('miss');
        expect((await chat(other(), ask(question), who)).cache).toBe('miss');
      }
    }
  });

  it.each(reworded)('case 43: of similar requests, too: %s', async (question, similar) => {
    for (const by of ['request_id', 'entry_id']) {
      const who = key('wrong');
      const reading = { ...who, 'x-reprise-mode': 'read_only' };
      await chat(s.url, ask(question), who);
      for (const url of [s.url, other()]) expect((await chat(url, ask(similar), reading)).cache).toBe('hit-semantic');
      const hit = await chat(other(), ask(similar), reading);
      const id = hit.headers.get(by === 'request_id' ? 'x-request-id' : 'x-cache-entry');
      const said = await post(s.url, '/v1/feedback', { [by]: id, verdict: 'wrong' }, who);
      expect([said.status, said.text]).toEqual([200, expect.stringContaining('"quarantined":true')]);
      for (const text of [similar, question]) {
        const replies = await both((url) => chat(url, ask(text), { ...who, 'cache-control': 'only-if-cached' }));
        expect(replies.map((reply) => reply.status)).toEqual([504, 504]);
      }
      // The same bad answer, generated again, serves nobody either.
      expect((await chat(s.url, ask(question), who)).cache).toBe('miss');
      for (const reply of await both((url) => chat(url, ask(similar), reading))) expect(reply.cache).toBe('miss');
    }
  });

  it.each([
    [{}, 400],
    [{ verdict: 'wrong' }, 400],
    [{ verdict: 'maybe', entry_id: 'x' }, 400],
    [{ verdict: 'wrong', entry_id: 'x', request_id: 'y' }, 400],
    [{ verdict: 'wrong', entry_id: 'e_unknown' }, 404],
    [{ verdict: 'wrong', request_id: 'req_unknown' }, 404],
  ])('feedback %j gives %i', async (body, status) => {
    expect((await post(s.url, '/v1/feedback', body)).status).toBe(status);
  });
});
