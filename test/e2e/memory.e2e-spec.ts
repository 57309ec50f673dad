import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MemoryClient, RepriseRequestError } from '@reprise/client';
import { namespaceOf, onNamespace } from './support/admin.js';
import { ask, chat, post } from './support/chat.js';
import { suite } from './support/suite.js';

const s = suite({}, 2);
let clients = 0;
const client = (at = 0, apiKey = `memory-${process.pid}-${Date.now()}-${clients++}`) =>
  Object.assign(new MemoryClient({ baseUrl: s.gateways[at]?.url ?? '', apiKey }), { apiKey });
const lessons = [
  'The staging database is restarted every night at two.',
  'Die Rechnung muss vor dem Versand freigegeben werden.',
  'El servidor de pruebas necesita la red privada.',
  'The build fails when the lock file is older than the manifest.',
];
const texts = (found: { memories: readonly { text: string }[] }) => found.memories.map(({ text }) => text);

describe('agent memory', () => {
  it('makes the example agent succeed in its second run with what it learnt in the first', async () => {
    const example = join(import.meta.dirname, '../../examples/agent-memory.mjs');
    const env = { ...process.env, REPRISE_URL: s.url, REPRISE_KEY: `example-${process.pid}-${Date.now()}` };
    const { stdout } = await promisify(execFile)(process.execPath, [example], { env });
    expect(stdout.trimEnd().split('\n')).toEqual([
      'run 1: Deploy the billing service to staging. failed, and learnt why',
      'run 1: Deploy the search service to staging. failed, and learnt why',
      'run 2: Deploy the billing service to staging. done, with what was learnt before',
      'run 2: Deploy the search service to staging. done, with what was learnt before',
    ]);
  });

  it('finds what was kept, nearest first, on every replica', async () => {
    const memory = client();
    for (const lesson of lessons) await memory.remember(lesson, { metadata: { lesson } });
    const found = await client(1, memory.apiKey).recall('When is the staging database restarted?', { k: 2 });
    expect(found.memories).toHaveLength(2);
    expect(found.memories[0]).toMatchObject({
      text: lessons[0],
      metadata: { lesson: lessons[0] },
      agent: null,
      run: null,
    });
    expect(found.memories[0]?.similarity).toBeGreaterThan(found.memories[1]?.similarity ?? 1);
  });

  it('always gives min(k, live) back, also after deletions and expiry', async () => {
    const memory = client();
    const kept = [];
    for (const lesson of lessons) kept.push(await memory.remember(lesson));
    await memory.remember('This note is gone in a moment.', { ttlMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(texts(await memory.recall('a note', { k: 10 }))).toHaveLength(4);
    expect(await memory.forget(kept[0]?.id ?? '')).toBe(true);
    expect(await memory.forget(kept[0]?.id ?? '')).toBe(false);
    const left = texts(await memory.recall('staging database', { k: 3 }));
    expect(left).toHaveLength(3);
    expect(left).not.toContain(lessons[0]);
  });

  it.each([
    [{ agent: 'a' }, { agent: 'b' }],
    [
      { agent: 'a', run: '1' },
      { agent: 'a', run: '2' },
    ],
    [{ agent: 'a' }, {}],
    [{}, { agent: 'a' }],
    [{ agent: 'a', run: '1' }, { agent: 'a' }],
    [{ agent: 'a/b' }, { agent: 'a', run: 'b' }],
  ])('scope %j is never seen from %j', async (kept, asked) => {
    const memory = client();
    await memory.remember(lessons[0] as string, kept);
    expect(texts(await memory.recall(lessons[0] as string, asked))).toEqual([]);
    expect(texts(await memory.recall(lessons[0] as string, kept))).toEqual([lessons[0]]);
  });

  it('inherits downwards only, when asked to', async () => {
    const memory = client();
    await memory.remember('All agents: be polite.');
    await memory.remember('Agent a: use the old printer.', { agent: 'a' });
    await memory.remember('Run 1 of a: paper is low.', { agent: 'a', run: '1' });
    const from = async (scope: object) =>
      texts(await memory.recall('printer paper', { ...scope, inherit: true, k: 9 })).length;
    expect([
      await from({ agent: 'a', run: '1' }),
      await from({ agent: 'a' }),
      await from({}),
      await from({ agent: 'b' }),
    ]).toEqual([3, 2, 1, 1]);
  });

  it('a claim of importance is not corroborated by the key that made it, whatever agent it names', async () => {
    const memory = client();
    const { id } = await memory.remember(lessons[0] as string, { agent: 'a', importance: 9 });
    const found = await memory.recall(lessons[0] as string, { agent: 'a' });
    const headers = { authorization: `Bearer ${memory.apiKey}` };
    const body = { request_id: found.requestId, used: [id], score: 1, importance: 9 };
    expect((await post(s.url, '/v1/memory/feedback', body, headers)).status).toBe(200);
    const { entries } = await onNamespace<{ entries: { id: string; tier: string }[] }>(
      s,
      `${namespaceOf({}, memory.apiKey)}~memory`,
      'entries',
    );
    expect(entries.map((entry) => [entry.id, entry.tier])).toEqual([[id, 'recency']]);
  });

  it('another key is another tenant, for search, feedback and deletion', async () => {
    const [mine, theirs] = [client(), client()];
    const { id } = await mine.remember(lessons[0] as string);
    const found = await mine.recall(lessons[0] as string);
    expect(texts(await theirs.recall(lessons[0] as string))).toEqual([]);
    expect(await theirs.forget(id)).toBe(false);
    const body = { request_id: found.requestId, used: [id], score: 1 };
    expect((await post(s.url, '/v1/memory/feedback', body, { authorization: `Bearer ${theirs.apiKey}` })).status).toBe(
      404,
    );
    expect(await found.score([id], 1)).toBe(1);
  });

  it('keeps no duplicate: the same text again, or a recalled memory stored once more, is refreshed', async () => {
    const memory = client();
    for (const lesson of lessons) {
      const first = await memory.remember(lesson);
      const injected = (await memory.recall(lesson, { k: 1 })).memories[0];
      const again = await memory.remember(`${injected?.text ?? ''}  \n`);
      expect(again).toEqual({ id: first.id, outcome: 'refreshed' });
    }
    expect(texts(await memory.recall('anything', { k: 50 })).sort()).toEqual([...lessons].sort());
  });

  it('hides superseded facts', async () => {
    const memory = client();
    const old = await memory.remember('The office is on the second floor.');
    await memory.remember('The office is on the fourth floor.', { supersedes: [old.id] });
    expect(texts(await memory.recall('Which floor is the office on?', { k: 5 }))).toEqual([
      'The office is on the fourth floor.',
    ]);
  });

  it.each([
    [{ agent: 't' }, { agent: 's' }, false],
    [{ agent: 's' }, {}, false],
    [{ agent: 's', run: '1' }, { agent: 's' }, false],
    [{ agent: 's', run: '1' }, { agent: 's', run: '2' }, false],
    [{ run: '1' }, { agent: 's', run: '1' }, false],
    [{ agent: 's' }, { agent: 's' }, true],
    [{ agent: 's' }, { agent: 's', run: '1' }, true],
    [{}, { agent: 's', run: '1' }, true],
  ])('%j supersedes a memory of %j: %s', async (scope, of, may) => {
    const memory = client();
    const old = await memory.remember(lessons[0] as string, of);
    const reply = memory.remember(lessons[1] as string, { ...scope, supersedes: ['m_gone', old.id] });
    if (may) await reply;
    else
      await expect(reply).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('own scope') as string,
      });
    const found = async (where: object) => texts(await memory.recall('anything', { ...where, inherit: true, k: 9 }));
    expect((await found(of)).includes(lessons[0] as string)).toBe(!may);
    expect((await found(scope)).includes(lessons[1] as string)).toBe(may);
  });

  it('another key supersedes nothing', async () => {
    const [mine, theirs] = [client(), client()];
    const { id } = await mine.remember(lessons[0] as string);
    await theirs.remember(lessons[1] as string, { supersedes: [id] });
    expect(texts(await mine.recall('anything', { k: 9 }))).toEqual([lessons[0]]);
  });

  it('leaves with a purge of its caller', async () => {
    const memory = client();
    await memory.remember(lessons[0] as string, {});
    await memory.remember(lessons[1] as string, { agent: 'a' });
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(memory.apiKey));
    const ns = `k-${Buffer.from(digest).toString('hex').slice(0, 16)}`;
    const purge = await fetch(`${s.url}/admin/api/namespaces/${ns}/purge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${s.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ all: true, dry_run: false }),
    });
    expect(await purge.json()).toMatchObject({ matched: 2, removed: 2 });
    expect(texts(await memory.recall('anything', { k: 9 }))).toEqual([]);
  });

  it.each(['\0', '\n', 'm_unknown', 'x'.repeat(300)])('an id %j that is none is not found', async (id) => {
    expect(await client().forget(id)).toBe(false);
  });

  it('counts only recalled memories as used, once', async () => {
    const memory = client();
    const { id } = await memory.remember(lessons[0] as string);
    const found = await memory.recall(lessons[0] as string);
    expect(await found.score([...Array<string>(20).fill(id), 'm_never_recalled'], 1)).toBe(1);
    expect(await found.score([id], 0)).toBe(0);
    await expect(memory.recall('x', { k: 0 })).rejects.toBeInstanceOf(RepriseRequestError);
  });

  it('never answers chats, and chats are never recalled', async () => {
    const memory = client();
    const headers = { authorization: `Bearer ${memory.apiKey}` };
    await memory.remember('How do I reset my password?');
    expect((await chat(s.url, ask('How do I reset my password?'), headers)).cache).toBe('miss');
    expect(texts(await memory.recall('How do I reset my password?', { k: 9 }))).toEqual([
      'How do I reset my password?',
    ]);
  });

  it.each([
    [{}, 'text'],
    [{ text: '' }, 'text'],
    [{ text: 5 }, 'text'],
    [{ text: 'x', importance: -1 }, 'importance'],
    [{ text: 'x', importance: 'high' }, 'importance'],
    [{ text: 'x', agent: '' }, 'agent'],
    [{ text: 'x', ttl_ms: 0 }, 'ttl_ms'],
    [{ text: 'x', run: 'a\nb' }, 'run'],
    [{ text: 'x', agent: 'a\u0000' }, 'agent'],
    [{ text: 'x', agent: '標'.repeat(100) }, 'agent'],
    [{ text: 'x', tags: ['標'.repeat(200)] }, 'tags.0'],
    [{ text: 'x', supersedes: ['m\u0001'] }, 'supersedes.0'],
    [{ text: '\u200b' }, 'text'],
    [{ text: 'word '.repeat(400) }, 'text'],
  ])('refuses %j', async (body, param) => {
    const reply = await post(s.url, '/v1/memory', body);
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text)).toMatchObject({ error: { type: 'invalid_request_error', param } });
  });

  it.each([
    ['/v1/memory/search', { query: 'x', run: 'a\nb' }, 'run'],
    ['/v1/memory/search', { query: 'word '.repeat(400) }, 'query'],
    ['/v1/memory/feedback', { request_id: 'a\nb', score: 1 }, 'request_id'],
  ])('%s refuses %j', async (path, body, param) => {
    const reply = await post(s.url, path, body);
    expect([reply.status, (JSON.parse(reply.text) as { error: { param: string } }).error.param]).toEqual([400, param]);
  });

  it.each(['word '.repeat(400), 'word '.repeat(2_000)])('says that a text is too long', async (text) => {
    const { error } = JSON.parse((await post(s.url, '/v1/memory', { text })).text) as { error: { message: string } };
    expect(error.message).toMatch(/longer|at most|too big/i);
  });

  it.each(['%00', '%0a', 'x'.repeat(201), 'req_unknown'])('explain of %s is not found', async (id) => {
    const reply = await fetch(`${s.url}/admin/api/namespaces/some/explain/${id}`, {
      headers: { authorization: `Bearer ${s.adminToken}` },
    });
    expect(reply.status).toBe(404);
  });
});
