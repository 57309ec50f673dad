import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { download } from './download.mjs';
import { freePort } from './ports.mjs';
import { httpServer, outputOf, startScript, tempDir, testContext, until } from './spec-support.js';

const content = randomBytes(3_000_000);
const sha256 = createHash('sha256').update(content).digest('hex');

/** A file server that notes each request and may stop after some bytes. */
async function fileServer({ ranges = true, stopAfter = Infinity }: { ranges?: boolean; stopAfter?: number } = {}) {
  const requests: (string | undefined)[] = [];
  const state = { stopAfter };
  const url = await httpServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(request.headers.range);
    const from = ranges ? Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0;
    if (from >= content.length) return void response.writeHead(416).end();
    const body = content.subarray(from, from + state.stopAfter);
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': content.length - from });
    response.write(body, () => (state.stopAfter < content.length - from ? undefined : response.end()));
  });
  return { url, requests, state };
}

function order(url: string, to: string) {
  return {
    url: `${url}/thing.bin`,
    to,
    lock: join(dirname(to), 'lock'),
    label: 'thing.bin',
    bytes: content.length,
    sha256,
  };
}

describe('a download', () => {
  it('arrives whole and is not fetched again', async () => {
    const { url, requests } = await fileServer();
    const to = join(tempDir(), 'thing.bin');
    await download(testContext(), order(url, to));
    await download(testContext(), order(url, to));
    expect(readFileSync(to).equals(content)).toBe(true);
    expect(requests).toEqual([undefined]);
  });

  it('goes on where it was interrupted', async () => {
    const { url, requests, state } = await fileServer({ stopAfter: 1_000_000 });
    const to = join(tempDir(), 'thing.bin');
    const stop = new AbortController();
    const first = download(testContext({ signal: stop.signal }), order(url, to));
    await until('a part came', () => existsSync(`${to}.part`) && statSync(`${to}.part`).size === 1_000_000);
    stop.abort(new Error('Ctrl-C'));
    await expect(first).rejects.toThrow('Ctrl-C');
    expect(existsSync(to)).toBe(false);
    state.stopAfter = Infinity;
    await download(testContext(), order(url, to));
    expect(requests).toEqual([undefined, 'bytes=1000000-']);
    expect(readFileSync(to).equals(content)).toBe(true);
    expect(existsSync(`${to}.part`)).toBe(false);
  });

  it('begins again where the server knows no ranges', async () => {
    const { url } = await fileServer({ ranges: false });
    const to = join(tempDir(), 'thing.bin');
    writeFileSync(`${to}.part`, content.subarray(0, 5_000));
    await download(testContext(), order(url, to));
    expect(readFileSync(to).equals(content)).toBe(true);
  });

  it('takes a part that was already whole', async () => {
    const { url } = await fileServer();
    const to = join(tempDir(), 'thing.bin');
    writeFileSync(`${to}.part`, content);
    await download(testContext(), order(url, to));
    expect(readFileSync(to).equals(content)).toBe(true);
  });

  it('is refused and removed when its hash is another', async () => {
    const { url } = await fileServer();
    const to = join(tempDir(), 'thing.bin');
    const wrong = { ...order(url, to), sha256: 'f'.repeat(64) };
    await expect(download(testContext(), wrong)).rejects.toThrow(/thing\.bin is not the pinned file.*removed/);
    expect(existsSync(to)).toBe(false);
    expect(existsSync(`${to}.part`)).toBe(false);
  });

  it('heals after a damaged part', async () => {
    const { url } = await fileServer();
    const to = join(tempDir(), 'thing.bin');
    writeFileSync(`${to}.part`, randomBytes(10_000));
    await expect(download(testContext(), order(url, to))).rejects.toThrow(/not the pinned file/);
    await download(testContext(), order(url, to));
    expect(readFileSync(to).equals(content)).toBe(true);
  });

  it('is made once when two processes ask at the same time', async () => {
    const { url, requests } = await fileServer();
    const to = join(tempDir(), 'thing.bin');
    const code = `
      import { createContext } from './context.mjs';
      import { download } from './download.mjs';
import { freePort } from './ports.mjs';
      await download(createContext(), JSON.parse(process.argv[2]));`;
    const children = [1, 2].map(() => startScript(code, process.env, [JSON.stringify(order(url, to))]));
    const results = await Promise.all(children.map(outputOf));
    expect(results.map((r) => r.code)).toEqual([0, 0]);
    expect(requests).toEqual([undefined]);
    expect(readFileSync(to).equals(content)).toBe(true);
  });

  it('says what the server answered', async () => {
    const url = await httpServer((_request, response) => response.writeHead(404).end());
    await expect(download(testContext(), order(url, join(tempDir(), 'thing.bin')))).rejects.toThrow(
      /answered 404 for thing\.bin/,
    );
  });

  it('says that nobody answers', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const refused = download(testContext(), order(nobody, join(tempDir(), 'thing.bin')));
    await expect(refused).rejects.toThrow(/thing\.bin could not be fetched from 127\.0\.0\.1:\d+: ECONNREFUSED/);
  });

  it('does not wait for ever for a silent server', async () => {
    const url = await httpServer(() => {});
    const to = join(tempDir(), 'thing.bin');
    await expect(download(testContext(), order(url, to))).rejects.toThrow(/no answer in time/);
  });
});
