import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ManagedEmbedder } from '../embedder.types.js';
import { createRemoteEmbedder, type RemoteEmbedderOptions } from './remote-embedder.js';

type Handler = (body: { input: string; model: string }, request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let handler: Handler;
let calls: { body: { input: string; model: string }; request: IncomingMessage }[] = [];
const opened: ManagedEmbedder[] = [];

beforeEach(async () => {
  calls = [];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body = JSON.parse(text) as { input: string; model: string };
      calls.push({ body, request });
      handler(body, request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((embedder) => embedder.close()));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function open(options: Partial<RemoteEmbedderOptions> = {}): ManagedEmbedder {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const embedder = createRemoteEmbedder({ baseUrl, model: 'm', dimensions: 3, timeoutMs: 5_000, ...options });
  opened.push(embedder);
  return embedder;
}

const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};
const give =
  (embedding: unknown): Handler =>
  (_body, _request, response) =>
    json(response, { data: [{ embedding }] });

describe('createRemoteEmbedder', () => {
  it('asks the OpenAI way and normalises', async () => {
    handler = give([3, 0, 4]);
    const outcome = await open({ apiKey: 'k-1' }).embed('hello');
    expect(outcome).toEqual({ ok: true, vector: Float32Array.from([0.6, 0, 0.8]) });
    expect(calls[0]?.body).toEqual({ model: 'm', input: 'hello', encoding_format: 'float' });
    expect(calls[0]?.request).toMatchObject({ method: 'POST', url: '/v1/embeddings' });
    expect(calls[0]?.request.headers.authorization).toBe('Bearer k-1');
  });

  it('keeps vectors, and sends no header without a key', async () => {
    handler = give([1, 0, 0]);
    const embedder = open();
    await embedder.embed('a');
    await embedder.embed('a');
    expect(calls).toHaveLength(1);
    expect(calls[0]?.request.headers.authorization).toBeUndefined();
  });

  it.each([
    ['another length', [1, 2]],
    ['zeros', [0, 0, 0]],
    ['text', ['a', 'b', 'c']],
    ['nothing', undefined],
    ['base64', 'AAAA'],
    ['null numbers', [null, null, null]],
  ])('%s is no vector', async (_name, embedding) => {
    handler = give(embedding);
    expect(await open().embed('a')).toEqual({ ok: false, reason: 'unavailable' });
  });

  it.each([
    ['prose', (r: ServerResponse) => r.end('<html>')],
    ['an error', (r: ServerResponse) => json(r, { error: { message: 'no' } }, 500)],
    ['an error in a 200', (r: ServerResponse) => json(r, { error: { message: 'no' } })],
    ['null', (r: ServerResponse) => json(r, null)],
    ['a broken connection', (r: ServerResponse) => r.destroy()],
  ])('%s gives unavailable, never throws', async (_name, reply) => {
    handler = (_body, _request, response) => void reply(response);
    expect(await open().embed('a')).toEqual({ ok: false, reason: 'unavailable' });
  });

  it('silence is a time-out', async () => {
    handler = () => undefined;
    expect(await open({ timeoutMs: 50 }).embed('a')).toEqual({ ok: false, reason: 'timeout' });
  });

  it('after three failures in a row nothing is asked for a while', async () => {
    handler = (_body, _request, response) => json(response, {}, 500);
    const embedder = open();
    for (const text of ['a', 'b', 'c', 'd', 'e']) await embedder.embed(text);
    expect(calls).toHaveLength(3);
    expect(embedder.healthy()).toBe(false);
    expect(embedder.state().reason).toBe('the embeddings API does not answer');
  });

  it('more open calls than allowed are busy', async () => {
    const waiting: ServerResponse[] = [];
    handler = (_body, _request, response) => {
      waiting.push(response);
      if (waiting.length === 2) for (const each of waiting) json(each, { data: [{ embedding: [1, 0, 0] }] });
    };
    const embedder = open({ queueLimit: 2 });
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((text) => embedder.embed(text)));
    expect(outcomes.map((o) => (o.ok ? 'ok' : o.reason))).toEqual(['ok', 'ok', 'busy', 'busy']);
  });

  it.each([
    ['', 'empty'],
    [' \n', 'empty'],
    ['x'.repeat(11), 'too-long'],
  ])('%j is %s without a call', async (text, reason) => {
    expect(await open({ maxChars: 10 }).embed(text)).toEqual({ ok: false, reason });
    expect(calls).toHaveLength(0);
  });

  it('close ends open calls', async () => {
    handler = () => undefined;
    const embedder = open();
    const waiting = embedder.embed('a');
    await embedder.close();
    expect(await waiting).toEqual({ ok: false, reason: 'unavailable' });
    expect(embedder.healthy()).toBe(false);
  });

  it('the identity tells models, sizes and servers apart', () => {
    const identities = [{}, { model: 'n' }, { dimensions: 4 }, { baseUrl: 'http://other/v1' }].map(
      (options) => open(options).identity,
    );
    expect(new Set(identities).size).toBe(4);
    expect(identities.join()).not.toContain('127.0.0.1');
  });
});
