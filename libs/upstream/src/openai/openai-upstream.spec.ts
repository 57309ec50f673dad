import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { UpstreamModel, UpstreamRequest } from '@reprise/semantic-cache';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAiUpstream, type OpenAiUpstreamOptions } from './openai-upstream.js';
import { UpstreamError } from './upstream-error.js';

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function listening(server: Server | TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function http(handler: Handler, options: Partial<OpenAiUpstreamOptions> = {}): Promise<UpstreamModel> {
  const server = createServer(handler);
  const port = await listening(server);
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return client(`http://127.0.0.1:${port}/v1`, options);
}

function client(baseUrl: string, options: Partial<OpenAiUpstreamOptions> = {}): UpstreamModel {
  const upstream = createOpenAiUpstream({ baseUrl, ...options });
  open.push(() => upstream.close());
  return upstream;
}

function post(extra: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"model":"m"}'),
    signal: new AbortController().signal,
    ...extra,
  };
}

async function failure(call: Promise<unknown>): Promise<UpstreamError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UpstreamError);
  return error as UpstreamError;
}

/** A port that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createTcpServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('createOpenAiUpstream', () => {
  it('passes method, path, body and headers on, without those of the connection', async () => {
    let seen: IncomingMessage | undefined;
    let body = '';
    const upstream = await http((request, response) => {
      seen = request;
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        response.setHeader('connection', 'x-hop');
        response.setHeader('x-hop', '1');
        response.setHeader('x-kept', ['a', 'b']);
        response.end('{}');
      });
    });
    const headers = {
      Authorization: 'Bearer caller',
      Connection: 'x-private, keep-alive',
      'X-Private': '1',
      'x-reprise-mode': 'on',
      'Content-Length': '999',
      'accept-encoding': 'br',
      te: 'trailers',
      host: 'elsewhere',
      'openai-organization': 'org',
    };
    const reply = await upstream.send(post({ path: '/v1/chat/completions?x=1', headers }));
    expect(await text(reply.body)).toBe('{}');
    expect([seen?.method, seen?.url, body]).toEqual(['POST', '/v1/chat/completions?x=1', '{"model":"m"}']);
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer caller',
      'content-length': '13',
      'accept-encoding': 'br',
      'openai-organization': 'org',
    });
    for (const name of ['x-private', 'x-reprise-mode', 'te']) expect(seen?.headers).not.toHaveProperty(name);
    expect(seen?.headers.host).toMatch(/^127\.0\.0\.1:/);
    expect(reply.headers['x-kept']).toEqual(['a', 'b']);
    for (const name of ['x-hop', 'connection', 'keep-alive', 'transfer-encoding']) {
      expect(reply.headers).not.toHaveProperty(name);
    }
  });

  it('puts the configured key in place of the caller’s', async () => {
    let seen: string | undefined;
    const upstream = await http(
      (request, response) => {
        seen = request.headers.authorization;
        response.end();
      },
      { apiKey: 'configured' },
    );
    await upstream.send(post({ headers: { authorization: 'Bearer caller' } }));
    expect(seen).toBe('Bearer configured');
  });

  it('passes encoded bytes through untouched', async () => {
    const bytes = gzipSync('{"a":1}');
    const upstream = await http((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bytes.length }).end(bytes);
    });
    const reply = await upstream.send(post());
    expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(bytes.length) });
    expect(await buffer(reply.body)).toEqual(bytes);
  });

  it('sends a streamed body', async () => {
    const upstream = await http((request, response) => void request.pipe(response));
    const reply = await upstream.send(post({ body: Readable.from([Buffer.from('ab'), Buffer.from('cd')]) }));
    expect(await text(reply.body)).toBe('abcd');
  });

  it('sends a GET without a body, whatever the caller’s stream is', async () => {
    let seen: IncomingMessage | undefined;
    const upstream = await http((request, response) => {
      seen = request;
      response.end('[]');
    });
    await upstream.send(post({ method: 'GET', path: '/v1/models', headers: {}, body: Readable.from([]) }));
    expect([seen?.method, seen?.headers['transfer-encoding'], seen?.headers['content-length']]).toEqual([
      'GET',
      undefined,
      undefined,
    ]);
  });

  it('keeps connections for requests after each other', async () => {
    const sockets = new Set<unknown>();
    const upstream = await http((request, response) => {
      sockets.add(request.socket);
      response.end('x');
    });
    for (let round = 0; round < 20; round += 1) await text((await upstream.send(post())).body);
    expect(sockets.size).toBeLessThan(5);
  });

  it('stops reading from the provider while nobody reads the reply', async () => {
    let written = 0;
    const total = 256;
    const part = Buffer.alloc(256 * 1024, 120);
    const upstream = await http((_, response) => {
      void (async () => {
        for (; written < total; written += 1) {
          if (!response.write(part)) await new Promise((resolve) => response.once('drain', resolve));
        }
        response.end();
      })();
    });
    const reply = await upstream.send(post());
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(written).toBeLessThan(total);
    expect((await buffer(reply.body)).length).toBe(total * part.length);
  });

  it.each([429, 503, 500, 400])('passes status %i on unchanged and asks once', async (status) => {
    let asked = 0;
    const upstream = await http((_, response) => {
      asked += 1;
      response.writeHead(status, { 'retry-after': '0' }).end('{"error":{}}');
    });
    const reply = await upstream.send(post());
    expect([reply.status, reply.headers['retry-after'], await text(reply.body), asked]).toEqual([
      status,
      '0',
      '{"error":{}}',
      1,
    ]);
  });

  it('asks again after a configured status, at most as often as configured', async () => {
    let asked = 0;
    const retry = { statuses: [503], statusAttempts: 2, backoffMs: 1 };
    const upstream = await http(
      (_, response) => {
        asked += 1;
        response.writeHead(asked === 3 ? 200 : 503).end(String(asked));
      },
      { retry },
    );
    expect((await upstream.send(post())).status).toBe(200);
    asked = 3;
    expect((await upstream.send(post())).status).toBe(503);
    expect(asked).toBe(6);
  });

  it('passes a configured status on when the provider wants a longer pause than allowed', async () => {
    let asked = 0;
    const upstream = await http(
      (_, response) => {
        asked += 1;
        response.writeHead(429, { 'retry-after': '60' }).end();
      },
      { retry: { statuses: [429] } },
    );
    expect((await upstream.send(post())).status).toBe(429);
    expect(asked).toBe(1);
  });
});

describe('createOpenAiUpstream when the provider fails', () => {
  it('reports a refused connection as unreachable and not sent', async () => {
    const error = await failure(client(`http://127.0.0.1:${await closedPort()}/v1`).send(post()));
    expect([error.code, error.sent, error.status]).toEqual(['RP_ERR_UPSTREAM_UNREACHABLE', false, 502]);
    expect(error.message).not.toContain('127.0.0.1');
  });

  it('connects again after a refused connection', async () => {
    const port = await closedPort();
    const upstream = client(`http://127.0.0.1:${port}`, { retry: { connectAttempts: 20, backoffMs: 20 } });
    const call = upstream.send(post());
    const server = createServer((_, response) => response.end('late'));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    open.push(() => {
      server.closeAllConnections();
      server.close();
    });
    expect(await text((await call).body)).toBe('late');
  });

  it('does not send a request twice when the connection breaks after sending', async () => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections += 1;
      socket.once('data', () => socket.resetAndDestroy());
      socket.on('error', () => undefined);
    });
    const port = await listening(server);
    open.push(() => void server.close());
    const error = await failure(client(`http://127.0.0.1:${port}`, { retry: { connectAttempts: 5 } }).send(post()));
    expect([error.code, error.sent, connections]).toEqual(['RP_ERR_UPSTREAM_UNREACHABLE', true, 1]);
  });

  it('reports silence before the headers and inside the body as a time-out', async () => {
    const silent = await http(() => undefined, { headersTimeoutMs: 200 });
    const error = await failure(silent.send(post()));
    expect([error.code, error.status]).toEqual(['RP_ERR_UPSTREAM_TIMEOUT', 504]);
    const stalling = await http((_, response) => void response.write('x'), { bodyTimeoutMs: 200 });
    const reply = await stalling.send(post());
    await expect(text(reply.body)).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' });
  });

  it('reports a body that breaks off', async () => {
    const upstream = await http((_, response) => {
      response.write('half', () => response.destroy());
    });
    const reply = await upstream.send(post());
    await expect(text(reply.body)).rejects.toThrow();
  });

  it('refuses base URLs with credentials or other protocols', () => {
    expect(() => createOpenAiUpstream({ baseUrl: 'http://user:pass@localhost/v1' })).toThrow(/credentials/);
    expect(() => createOpenAiUpstream({ baseUrl: 'ftp://localhost/v1' })).toThrow(/http/);
  });
});

describe('createOpenAiUpstream when the caller goes', () => {
  it('ends the exchange before the headers', async () => {
    const gone = new AbortController();
    let serverSaw: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (serverSaw = resolve));
    const upstream = await http((request, response) => {
      response.on('close', serverSaw);
      request.on('data', () => gone.abort());
    });
    const error = await failure(upstream.send(post({ signal: gone.signal })));
    expect([error.aborted, error.sent, error.code]).toEqual([true, true, 'RP_ERR_UPSTREAM_BROKEN']);
    await closed;
  });

  it('ends the exchange inside the body', async () => {
    const gone = new AbortController();
    let serverSaw: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (serverSaw = resolve));
    const upstream = await http((_, response) => {
      response.on('close', serverSaw);
      response.write('first');
    });
    const reply = await upstream.send(post({ signal: gone.signal }));
    reply.body.once('data', () => gone.abort());
    await expect(text(reply.body)).rejects.toThrow();
    await closed;
  });

  it('rejects at once while the connection is still being made', async () => {
    const gone = new AbortController();
    const silent = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      gone.abort();
    });
    const port = await listening(silent);
    open.push(() => void silent.close());
    const upstream = client(`https://127.0.0.1:${port}`, { connectTimeoutMs: 50_000 });
    const error = await failure(upstream.send(post({ signal: gone.signal })));
    expect([error.aborted, error.sent]).toEqual([true, false]);
  });

  it('sends nothing for a caller that is already gone', async () => {
    let asked = 0;
    const upstream = await http((_, response) => {
      asked += 1;
      response.end();
    });
    const error = await failure(upstream.send(post({ signal: AbortSignal.abort() })));
    await text((await upstream.send(post())).body);
    expect([error.aborted, asked]).toEqual([true, 1]);
  });

  it('rejects at once while it waits for a free connection', async () => {
    const gone = new AbortController();
    let arrived: () => void = () => undefined;
    const busy = new Promise<void>((resolve) => (arrived = resolve));
    const upstream = await http(() => arrived(), { maxConnections: 1 });
    const first = upstream.send(post()).catch(() => undefined);
    await busy;
    const second = failure(upstream.send(post({ signal: gone.signal })));
    gone.abort();
    expect((await second).aborted).toBe(true);
    await upstream.close();
    await first;
  });
});
