import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Pair } from './pair-file.js';
import { playPairs } from './pair-player.js';

interface Asked {
  readonly namespace: string;
  readonly text: string;
  readonly key: string;
}
type Script = (
  asked: Asked,
  before: readonly Asked[],
) => { status?: number; cache?: string; reason?: string; similarity?: string };

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** What a gateway says on the wire, scripted: the client's side of the boundary is what is tested here. */
async function gateway(script: Script): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as { messages: { content: string }[] };
      const one = {
        namespace: String(request.headers['x-reprise-namespace']),
        text: body.messages[0]?.content ?? '',
        key: String(request.headers.authorization),
      };
      const { status = 200, cache = 'miss', reason = 'no-candidate', similarity } = script(one, asked);
      asked.push(one);
      response.writeHead(status, {
        ...(cache === '' ? {} : { 'x-cache': cache, 'x-cache-reason': reason }),
        ...(similarity === undefined ? {} : { 'x-cache-similarity': similarity }),
      });
      response.end('{"choices":[{"message":{"content":"answer"}}]}');
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const pair = (line: number, a = `a${line}`, b = `b${line}`): Pair => ({ line, a, b, positive: true, kind: '' });
const never = new AbortController().signal;
const target = (url: string) => ({ url, model: 'demo', namespace: 'run', key: 'k' });

describe('playing pairs', () => {
  it('sends both texts of a pair to a sub-namespace of its own, first a, then b', async () => {
    const { url, asked } = await gateway(() => ({}));
    const outcomes = await playPairs(target(url), [pair(1), pair(2), pair(5)], 2, never, () => undefined);
    expect(outcomes.map(({ pair: { line }, served, decided }) => [line, served, decided])).toEqual([
      [1, false, true],
      [2, false, true],
      [5, false, true],
    ]);
    const spaces = new Set(asked.map(({ namespace }) => namespace));
    expect(spaces.size).toBe(3);
    for (const space of spaces) {
      const texts = asked.filter(({ namespace }) => namespace === space).map(({ text }) => text);
      expect(texts).toEqual([texts[0], texts[0]!.replace('a', 'b')]);
    }
    expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(['Bearer k']));
  });

  it.each([
    ['hit-exact', true],
    ['hit-semantic', true],
    ['coalesced', true],
    ['miss', false],
    ['bypass', false],
  ])('x-cache %s on the second text: served %s', async (cache, served) => {
    const { url } = await gateway(({ text }) =>
      text.startsWith('b') ? { cache, reason: 'word; ignored=x', similarity: '0.91' } : {},
    );
    const [outcome] = await playPairs(target(url), [pair(1)], 1, never, () => undefined);
    expect(outcome).toMatchObject({ cache, served, reason: 'word', similarity: 0.91, decided: true });
  });

  it('a pair that a late part of the gateway spoilt is played again, in another sub-namespace', async () => {
    const { url, asked } = await gateway(({ text }, before) =>
      text === 'a1' && before.length === 0
        ? { reason: 'embedder-timeout' }
        : text === 'b1'
          ? { cache: 'hit-semantic' }
          : {},
    );
    const [outcome] = await playPairs(target(url), [pair(1)], 1, never, () => undefined);
    expect(outcome).toMatchObject({ served: true, decided: true, retries: 1 });
    expect(new Set(asked.map(({ namespace }) => namespace)).size).toBe(2);
  });

  it('a gateway that is always late leaves the pair undecided', async () => {
    const { url } = await gateway(() => ({ cache: 'bypass', reason: 'cache-slow' }));
    const [outcome] = await playPairs(target(url), [pair(1)], 1, never, () => undefined);
    expect(outcome).toMatchObject({ served: false, decided: false, reason: 'cache-slow' });
  });

  it('an answer that is an error is no decision', async () => {
    const { url } = await gateway(({ text }) => (text.startsWith('b') ? { status: 502, cache: '' } : {}));
    const [outcome] = await playPairs(target(url), [pair(1)], 1, never, () => undefined);
    expect(outcome).toMatchObject({ served: false, decided: false, reason: 'http-502' });
  });

  it('a server without x-cache is no gateway', async () => {
    const { url, asked } = await gateway(() => ({ cache: '' }));
    const many = Array.from({ length: 50 }, (_, at) => pair(at));
    await expect(playPairs(target(url), many, 4, never, () => undefined)).rejects.toThrow(/no Reprise gateway/);
    expect(asked.length).toBeLessThan(20);
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    const { url, asked } = await gateway(() => (stop.abort(), {}));
    const many = Array.from({ length: 50 }, (_, at) => pair(at));
    await expect(playPairs(target(url), many, 1, stop.signal, () => undefined)).rejects.toThrow();
    expect(asked.length).toBeLessThan(3);
  });
});
